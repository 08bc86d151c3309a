#include "mixlab/study/study.h"

#include <boost/test/unit_test.hpp>

#include "message.h"
#include "study/study_of.h"

using namespace mixlab;
using namespace mixlab::study;

BOOST_AUTO_TEST_SUITE(study)
BOOST_AUTO_TEST_SUITE(study_in_cells)

BOOST_AUTO_TEST_CASE(sweep_is_a_product_with_the_last_key_fastest) {
  const Study study =
      study_of("[noise]\nprocess=sticky\nrho=0.5, 0.9\n[confidence]\ndelta = 0.1, 0.01\n[study]\nhorizon = 10, 20\n");
  BOOST_TEST(study.cells().size() == 8);
  BOOST_TEST(study.cells()[0].label == "horizon=10, rho=0.5, delta=0.1");
  BOOST_TEST(study.cells()[1].label == "horizon=10, rho=0.5, delta=0.01");
  BOOST_TEST(study.cells()[2].label == "horizon=10, rho=0.9, delta=0.1");
  BOOST_TEST(study.cells()[7].values.integer("study.horizon") == 20);
}

BOOST_AUTO_TEST_CASE(swept_key_multiplies_only_the_cells_that_have_it) {
  const Study study = study_of("[noise]\nprocess = iid, sticky\nrho = 0.5, 0.9\n");
  BOOST_TEST(study.cells().size() == 3);
  BOOST_TEST(study.cells()[0].label == "iid");
  BOOST_TEST(!study.cells()[0].values.has("noise.rho"));
  BOOST_TEST(study.cells()[2].label == "sticky, rho=0.9");
}

BOOST_AUTO_TEST_CASE(defaults_are_resolved) {
  const Study study = study_of("[noise]\nrho = 0.5\n");
  const Values& values = study.cells()[0].values;
  BOOST_TEST(values.real("confidence.delta") == 0.05);
  BOOST_TEST(values.real("problem.theta_norm") == 1.0);
  BOOST_TEST(values.text("policy.name") == "mixing-linucb");
  BOOST_TEST(study.name() == "x");
  BOOST_TEST(study.title() == "x");
}

// law of iid is another by default than law of ar1: no text with one law for both may stand for that, nor have its hash.
BOOST_AUTO_TEST_CASE(defaults_that_differ_from_cell_to_cell) {
  for (const std::string processes : {"iid, ar1", "ar1, iid"}) {
    const std::string text = "[study]\ntrajectories=2\n[noise]\nrho=0.5\nprocess=" + processes + "\n";
    const Study study = study_of(text), again = study_of(study.effective_text());
    BOOST_TEST(study.varies("noise.law"));
    BOOST_TEST(again.hash() == study.hash());
    for (std::size_t cell = 0; cell < 2; ++cell) {
      BOOST_TEST(again.cells()[cell].values.text("noise.law") == study.cells()[cell].values.text("noise.law"));
      BOOST_TEST(environment_hash(again.cells()[cell]) == environment_hash(study.cells()[cell]));
    }
    const Study one_law = study_of(text + "law=rademacher\n");
    BOOST_TEST(one_law.hash() != study.hash());
    // As mixlab stored it before, with the law of one of the cells.
    const auto former =
        parse_study_text(study.effective_text() + "[noise]\nlaw = rademacher\n", "x.cfg", {}, {}, Source::stored);
    BOOST_TEST(study.takes_effect_as(former));
    BOOST_TEST(!study_of(text, {"noise.rho=0.6"}).takes_effect_as(former));
    // Nor are its rows lost: the hash it had is that of the law of the last cell for both.
    BOOST_TEST(study.has_hash(study.hash()));
    BOOST_TEST(study.has_hash(one_law.hash()) == processes.ends_with("ar1"));
    BOOST_TEST(!study.has_hash(study_of(text + "law=uniform\n").hash()));
    BOOST_TEST(!one_law.has_hash(study.hash()));
  }
}

BOOST_AUTO_TEST_CASE(effective_text_gives_the_same_study_again) {
  const Study study = study_of(
      "[study]\ntitle = A, with comma\n[noise]\nprocess=iid,sticky\nrho=0.50, 0.9\n[expect]\npaper = any; holds if "
      "noise.rho>0.7\n",
      {"confidence.monitor=paper  oful"});
  const Study again = study_of(study.effective_text());
  BOOST_TEST(again.hash() == study.hash());
  BOOST_TEST(again.effective_text() == study.effective_text());
  BOOST_TEST(again.title() == "A, with comma");
  BOOST_TEST((again.cells()[2].values == study.cells()[2].values));
}

BOOST_AUTO_TEST_CASE(identity) {
  const std::string base = "[noise]\nrho = 0.5\n";
  const std::string hash = study_of(base).hash();
  BOOST_TEST(study_of("# comment\n[noise]\nrho=0.50\n[confidence]\ndelta=0.05\n").hash() == hash);
  for (const std::string same : {"study.trajectories=7", "study.part=3", "study.title=other", "study.name=other"})
    BOOST_TEST(study_of(base, {same}).hash() == hash);
  for (const std::string other : {"study.seed=2", "study.horizon=7", "noise.rho=0.6", "confidence.delta=0.1",
                                  "expect.paper=any", "problem.draw=cell", "study.checkpoints=9", "policy.name=linucb"})
    BOOST_TEST(study_of(base, {other}).hash() != hash, other);
  BOOST_TEST(study_of(base, {"noise.rho=0.6"}).difference_from(study_of(base)) == "  noise.rho: 0.5 there, 0.6 here\n");
}

// `own` was the only word for it once: stored studies keep their identity, and every study is told in the new word.
BOOST_AUTO_TEST_CASE(own_is_another_word_for_default) {
  const std::string base = "[noise]\nrho = 0.5\n";
  BOOST_TEST(study_of("[study]\nhorizon=2\n" + base).hash() == "b8a5256f47db904ac42d205c76e29371");  // before `default`
  for (const std::string key : {"policy.set", "policy.delay", "policy.lambda", "confidence.lambda"}) {
    const Study own = study_of(base, {key + "=own"}), now = study_of(base, {key + "=default"});
    BOOST_TEST(own.hash() == study_of(base).hash());
    BOOST_TEST(now.hash() == own.hash());
    BOOST_TEST(own.effective_text() == now.effective_text());
    BOOST_TEST(now.cells()[0].values.text(key) == "default");
    BOOST_TEST(now.difference_from(own) == "");
  }
  BOOST_TEST(study_of(base, {"policy.delay=own, 7"}).hash() == study_of(base, {"policy.delay=default, 7"}).hash());
  BOOST_TEST(study_of(base, {"policy.delay=default, 7"}).cells()[0].label == "delay=default");
  BOOST_TEST(contains(error_in(base, {"policy.delay=own, default"}), "swept twice"));
  BOOST_TEST(study_of(base, {"study.title=own"}).title() == "own");
}

BOOST_AUTO_TEST_CASE(environment_is_problem_and_noise_alone) {
  const std::string base = "[noise]\nrho = 0.5\n";
  const auto environment = environment_hash(study_of(base).cells()[0]);
  for (const std::string same :
       {"policy.name=linucb", "confidence.delta=0.2", "study.horizon=17", "confidence.delay=5", "study.seed=9"})
    BOOST_TEST(environment_hash(study_of(base, {same}).cells()[0]) == environment, same);
  for (const std::string other : {"noise.rho=0.6", "noise.sigma=2", "problem.arms=circle:9", "problem.theta_norm=0.5"})
    BOOST_TEST(environment_hash(study_of(base, {other}).cells()[0]) != environment, other);
}

BOOST_AUTO_TEST_CASE(errors_name_place_value_rule_and_remedy) {
  const std::string base = "[noise]\nrho = 0.5\n";
  BOOST_TEST(contains(error_in("[noise]\n\nrho = 1\n"), "x.cfg:3: bad value for noise.rho: '1' (must be in (-1, 1))"));
  BOOST_TEST(contains(error_in("[noise]\nroh = 1\n"),
                      "x.cfg:2: unknown key: noise.roh (no part of mixlab has it); did you mean noise.rho?"));
  BOOST_TEST(contains(error_in("[nose]\nrho = 1\n"), "did you mean [noise]?"));
  // A key as long as a file is compared with nothing: a table of distances would not fit into memory.
  BOOST_TEST(contains(error_in("[noise]\n" + std::string(15 << 20, 'r') + " = 1\n"), "remove it"));
  BOOST_TEST(contains(error_in(base, {"confidence.delta=0"}),
                      "--set: bad value for confidence.delta: '0' (must be in [1e-100, 1))"));
  BOOST_TEST(contains(error_in(base, {"study.trajectories=0"}), "must be in [1, "));
  BOOST_TEST(contains(error_in(base, {"study.trajectories=1.5"}), "must be a whole number"));
  BOOST_TEST(contains(error_in(base, {"study.seed=-1"}), "0 to 2^64-1"));
  BOOST_TEST(contains(error_in(base, {"problem.theta_norm=2"}), "must be at most problem.norm_bound = 1"));
  BOOST_TEST(contains(error_in(base, {"problem.theta=1 0 0"}), "must have 2 numbers"));
  BOOST_TEST(contains(error_in(base, {"problem.theta=1 0.5"}), "norm"));
  BOOST_TEST(contains(error_in(base, {"noise.process=stiky"}), "did you mean sticky?"));
  BOOST_TEST(contains(error_in(base, {"noise.process=iid"}), "key that no cell uses: noise.rho"));
  BOOST_TEST(contains(error_in(base, {"confidence.monitor=paper paper"}), "named twice"));
  BOOST_TEST(contains(error_in(base, {"noise.rho=0.5,0.5"}), "swept twice"));
  BOOST_TEST(contains(error_in(base, {"noise.rho=0.5,"}), "must be a number"));
  BOOST_TEST(contains(error_in(base, {"expect.oful=broken"}), "not monitored"));
  BOOST_TEST(contains(error_in(base, {"expect.paper=brokn"}), "must be holds, broken or any"));
  BOOST_TEST(contains(error_in(base, {"rho=1"}), "must be section.key=value"));
  BOOST_TEST(contains(error_in("[noise]\nrho=0.5\nrho=0.6\n"), "x.cfg:3: key given twice: noise.rho"));
  BOOST_TEST(contains(error_in("[noise]\nrho 0.5\n"), "x.cfg:2: line not understood"));
  BOOST_TEST(contains(error_in("rho = 0.5\n"), "key outside a section"));
  BOOST_TEST(contains(error_in(""), "empty study"));
}

BOOST_AUTO_TEST_CASE(ranges_are_sweeps) {
  const Study study = study_of("[noise]\nrho = 0, 0.1:0.9:0.2\n[confidence]\ndelay = paper, 10:4:-3\n");
  BOOST_REQUIRE(study.cells().size() == 24u);
  BOOST_TEST(study.cells()[4].values.real("noise.rho") == 0.1);
  BOOST_TEST(study.cells()[8].values.real("noise.rho") == 0.3);  // not 0.30000000000000004
  BOOST_TEST(study.cells()[23].values.real("noise.rho") == 0.9);
  BOOST_TEST(study.cells()[1].values.text("confidence.delay") == "10");
  BOOST_TEST(study.hash() == study_of("[noise]\nrho=0,0.1,0.3,0.5,0.7,0.9\n[confidence]\ndelay=paper,10,7,4\n").hash());
  BOOST_TEST(study_of("[noise]\nrho=0\n[study]\nhorizon = log 1:1000:4\n").hash() ==
             study_of("[noise]\nrho=0\n[study]\nhorizon=1,10,100,1000\n").hash());
  for (const char* bad : {"0.1:0.9:0", "0.9:0.1:0.1", "0:1:1e-9", "log 0:1:3", "log 1:2:1", "log 1:2:2.5"})
    BOOST_TEST(contains(message_of([&] { study_of(std::string("[noise]\nrho = ") + bad + "\n"); }), "bad range"), bad);
  BOOST_TEST(study_of("[noise]\nrho=0\n[study]\ntrajectories = 1e3\n").trajectories() == 1000);
}

BOOST_AUTO_TEST_CASE(expectations_that_could_never_matter_are_refused) {
  const std::string base =
      "[noise]\nprocess = iid, sticky\nrho = 0.5, 0.9\n[policy]\nname = linucb, round-robin\n[expect]\npaper = ";
  const auto why = [&](const std::string& text, const std::vector<std::string>& overrides = {}) {
    return message_of<InputError>([&] { study_of(base + text + "\n", overrides); });
  };
  BOOST_TEST(why("any; holds if noise.rho=0.90 and policy.name=linucb; broken if noise.rho>0.95") == "no error");
  BOOST_TEST(contains(why("holds if noise.rho=0.9 or noise.rho=0.8"), "no `or`"));
  BOOST_TEST(contains(why("holds if noise.rho=0.9 foo bar"), "cells have 0.5, 0.9"));
  BOOST_TEST(contains(why("holds if noise.rho!=abc"), "cells have 0.5, 0.9"));
  BOOST_TEST(contains(why("holds if policy.name=linubc"), "did you mean linucb?"));
  BOOST_TEST(contains(why("holds if policy.name=linucb, round-robin"), "cells have linucb, round-robin"));
  BOOST_TEST(contains(why("holds if noise.rho<abc"), "must be a number after <"));
  BOOST_TEST(why("holds if noise.rho=0.9", {"noise.rho=0.3"}) == "no error");  // true of the file as it stands
  BOOST_TEST(why("holds if noise.rho=0.9", {"noise.process=iid", "~noise.rho"}) == "no error");
  const Study changed = study_of(base + "holds if noise.rho=0.9\n", {"noise.rho=0.3"});
  const Study stored(parse_study_text(changed.effective_text(), "x.cfg", {}, {}, Source::stored));
  BOOST_TEST(stored.hash() == changed.hash());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
