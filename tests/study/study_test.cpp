#include "mixlab/study/study.h"

#include <boost/test/unit_test.hpp>

#include "mixlab/core/error.h"
#include "mixlab/study/plan.h"

using namespace mixlab;
using namespace mixlab::study;

namespace {

Study make(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return Study(parse_study_text(text, "x.cfg", overrides));
}

std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    make(text, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

bool contains(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(study)
BOOST_AUTO_TEST_SUITE(study_file)

BOOST_AUTO_TEST_CASE(sweep_is_a_product_with_the_last_key_fastest) {
  const Study study =
      make("[noise]\nprocess=sticky\nrho=0.5, 0.9\n[confidence]\ndelta = 0.1, 0.01\n[study]\nhorizon = 10, 20\n");
  BOOST_TEST(study.cells().size() == 8);
  BOOST_TEST(study.cells()[0].label == "horizon=10, rho=0.5, delta=0.1");
  BOOST_TEST(study.cells()[1].label == "horizon=10, rho=0.5, delta=0.01");
  BOOST_TEST(study.cells()[2].label == "horizon=10, rho=0.9, delta=0.1");
  BOOST_TEST(study.cells()[7].values.integer("study.horizon") == 20);
}

BOOST_AUTO_TEST_CASE(swept_key_multiplies_only_the_cells_that_have_it) {
  const Study study = make("[noise]\nprocess = iid, sticky\nrho = 0.5, 0.9\n");
  BOOST_TEST(study.cells().size() == 3);
  BOOST_TEST(study.cells()[0].label == "iid");
  BOOST_TEST(!study.cells()[0].values.has("noise.rho"));
  BOOST_TEST(study.cells()[2].label == "sticky, rho=0.9");
}

BOOST_AUTO_TEST_CASE(defaults_are_resolved) {
  const Study study = make("[noise]\nrho = 0.5\n");
  const Values& values = study.cells()[0].values;
  BOOST_TEST(values.real("confidence.delta") == 0.05);
  BOOST_TEST(values.real("problem.theta_norm") == 1.0);
  BOOST_TEST(values.text("policy.name") == "mixing-linucb");
  BOOST_TEST(study.name() == "x");
  BOOST_TEST(study.title() == "x");
}

BOOST_AUTO_TEST_CASE(effective_text_gives_the_same_study_again) {
  const Study study = make(
      "[study]\ntitle = A, with comma\n[noise]\nprocess=iid,sticky\nrho=0.50, 0.9\n[expect]\npaper = any; holds if "
      "noise.rho>0.7\n",
      {"confidence.monitor=paper  oful"});
  const Study again = make(study.effective_text());
  BOOST_TEST(again.hash() == study.hash());
  BOOST_TEST(again.effective_text() == study.effective_text());
  BOOST_TEST(again.title() == "A, with comma");
  BOOST_TEST((again.cells()[2].values == study.cells()[2].values));
}

BOOST_AUTO_TEST_CASE(identity) {
  const std::string base = "[noise]\nrho = 0.5\n";
  const std::string hash = make(base).hash();
  BOOST_TEST(make("# comment\n[noise]\nrho=0.50\n[confidence]\ndelta=0.05\n").hash() == hash);
  for (const std::string same : {"study.trajectories=7", "study.part=3", "study.title=other", "study.name=other"})
    BOOST_TEST(make(base, {same}).hash() == hash);
  for (const std::string other : {"study.seed=2", "study.horizon=7", "noise.rho=0.6", "confidence.delta=0.1",
                                  "expect.paper=any", "problem.draw=cell", "study.checkpoints=9", "policy.name=linucb"})
    BOOST_TEST(make(base, {other}).hash() != hash, other);
  BOOST_TEST(make(base, {"noise.rho=0.6"}).difference_from(make(base)) == "  noise.rho: 0.5 there, 0.6 here\n");
}

BOOST_AUTO_TEST_CASE(environment_is_problem_and_noise_alone) {
  const std::string base = "[noise]\nrho = 0.5\n";
  const auto environment = environment_hash(make(base).cells()[0]);
  for (const std::string same :
       {"policy.name=linucb", "confidence.delta=0.2", "study.horizon=17", "confidence.delay=5", "study.seed=9"})
    BOOST_TEST(environment_hash(make(base, {same}).cells()[0]) == environment, same);
  for (const std::string other : {"noise.rho=0.6", "noise.sigma=2", "problem.arms=circle:9", "problem.theta_norm=0.5"})
    BOOST_TEST(environment_hash(make(base, {other}).cells()[0]) != environment, other);
}

BOOST_AUTO_TEST_CASE(errors_name_place_value_rule_and_remedy) {
  const std::string base = "[noise]\nrho = 0.5\n";
  BOOST_TEST(contains(error_of("[noise]\n\nrho = 1\n"), "x.cfg:3: bad value for noise.rho: '1' (must be in (-1, 1))"));
  BOOST_TEST(contains(error_of("[noise]\nroh = 1\n"),
                      "x.cfg:2: unknown key: noise.roh (no part of mixlab has it); did you mean noise.rho?"));
  BOOST_TEST(contains(error_of("[nose]\nrho = 1\n"), "did you mean [noise]?"));
  // A key as long as a file is compared with nothing: a table of distances would not fit into memory.
  BOOST_TEST(contains(error_of("[noise]\n" + std::string(15 << 20, 'r') + " = 1\n"), "remove it"));
  BOOST_TEST(contains(error_of(base, {"confidence.delta=0"}),
                      "--set: bad value for confidence.delta: '0' (must be in (0, 1))"));
  BOOST_TEST(contains(error_of(base, {"study.trajectories=0"}), "must be in [1, "));
  BOOST_TEST(contains(error_of(base, {"study.trajectories=1.5"}), "must be a whole number"));
  BOOST_TEST(contains(error_of(base, {"study.seed=-1"}), "0 to 2^64-1"));
  BOOST_TEST(contains(error_of(base, {"problem.theta_norm=2"}), "must be at most problem.norm_bound = 1"));
  BOOST_TEST(contains(error_of(base, {"problem.theta=1 0 0"}), "must have 2 numbers"));
  BOOST_TEST(contains(error_of(base, {"problem.theta=1 0.5"}), "norm"));
  BOOST_TEST(contains(error_of(base, {"noise.process=stiky"}), "did you mean sticky?"));
  BOOST_TEST(contains(error_of(base, {"noise.process=iid"}), "key that no cell uses: noise.rho"));
  BOOST_TEST(contains(error_of(base, {"confidence.monitor=paper paper"}), "named twice"));
  BOOST_TEST(contains(error_of(base, {"noise.rho=0.5,0.5"}), "swept twice"));
  BOOST_TEST(contains(error_of(base, {"noise.rho=0.5,"}), "must be a number"));
  BOOST_TEST(contains(error_of(base, {"expect.oful=broken"}), "not monitored"));
  BOOST_TEST(contains(error_of(base, {"expect.paper=brokn"}), "must be holds, broken or any"));
  BOOST_TEST(contains(error_of(base, {"rho=1"}), "must be section.key=value"));
  BOOST_TEST(contains(error_of("[noise]\nrho=0.5\nrho=0.6\n"), "x.cfg:3: key given twice: noise.rho"));
  BOOST_TEST(contains(error_of("[noise]\nrho 0.5\n"), "x.cfg:2: line not understood"));
  BOOST_TEST(contains(error_of("rho = 0.5\n"), "key outside a section"));
  BOOST_TEST(contains(error_of(""), "empty study"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(expectation)

BOOST_AUTO_TEST_CASE(last_matching_clause_wins) {
  const Expectation e =
      parse_expectation("oful", "any; holds if noise.rho=0; broken if noise.rho>=0.9 and policy.name=linucb");
  Values cell;
  cell.set("policy.name", std::string("linucb"));
  cell.set("noise.rho", 0.0);
  BOOST_TEST((e.in(cell, Expected::broken) == Expected::holds));
  cell.set("noise.rho", 0.5);
  BOOST_TEST((e.in(cell, Expected::broken) == Expected::any));
  cell.set("noise.rho", 0.9);
  BOOST_TEST((e.in(cell, Expected::any) == Expected::broken));
  cell.set("policy.name", std::string("greedy"));
  BOOST_TEST((e.in(cell, Expected::holds) == Expected::any));
  BOOST_TEST((parse_expectation("x", "holds if noise.tau<3").in(cell, Expected::broken) == Expected::broken));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(plan)

BOOST_AUTO_TEST_CASE(part_names_round_trip) {
  for (const Part part : {Part{3, 0, 1024, 0}, Part{0, 5, 6, 0}, Part{12345, 999999, 12345678, 0}}) {
    const auto read = parse_file_name(file_name(part));
    BOOST_REQUIRE(read);
    BOOST_TEST(read->cell == part.cell);
    BOOST_TEST(read->first == part.first);
    BOOST_TEST(read->end == part.end);
  }
  BOOST_TEST(file_name({3, 0, 1024, 0}) == "c0003-000000-001023.h5");
  for (const std::string name :
       {"c0003-000000-001023.h5.tmp.x.1", "c3-000000-001023.h5", "c0003-000005-000004.h5", "study.cfg", ""})
    BOOST_TEST(!parse_file_name(name), name);
}

BOOST_AUTO_TEST_CASE(rows_merge_and_complement) {
  RowRanges rows;
  rows.add(0, 10, 20);
  rows.add(0, 30, 40);
  rows.add(0, 18, 32);
  rows.add(0, 50, 50);
  BOOST_TEST(rows.count() == 30);
  rows.add(1, 0, 5);
  BOOST_TEST(rows.count(1) == 5);
  const auto holes = rows.missing(0, 0, 60);
  BOOST_REQUIRE(holes.size() == 2u);
  BOOST_TEST((holes[0] == std::pair<std::int64_t, std::int64_t>(0, 10)));
  BOOST_TEST((holes[1] == std::pair<std::int64_t, std::int64_t>(40, 60)));
}

BOOST_AUTO_TEST_CASE(shards_partition_the_parts_and_growth_only_adds) {
  const Study study = make("[study]\ntrajectories=100\n[noise]\nrho=0.5, 0.9\n");
  const std::vector<std::int64_t> sizes = {32, 16};
  const auto all = missing_parts(study, sizes, {});
  BOOST_TEST(all.size() == 4u + 7u);
  std::int64_t rows = 0;
  for (std::int64_t i = 0; i < 3; ++i)
    for (const auto& part : missing_parts(study, sizes, {}, {i, 3})) {
      BOOST_TEST(part.number % 3 == i);
      rows += part.size();
    }
  BOOST_TEST(rows == 200);
  RowRanges done;
  for (const auto& part : all) done.add(part.cell, part.first, part.end);
  BOOST_TEST(missing_parts(study, sizes, done).empty());
  const auto more = missing_parts(make("[study]\ntrajectories=130\n[noise]\nrho=0.5, 0.9\n"), sizes, done);
  BOOST_REQUIRE(!more.empty());
  BOOST_TEST(more[0].first == 100);
  BOOST_TEST(more[0].end == 128);
  BOOST_TEST(more[1].end == 130);
}

BOOST_AUTO_TEST_CASE(shard_option) {
  BOOST_TEST(parse_shard("2/3").index == 2);
  for (const std::string bad : {"3/3", "5/3", "-1/3", "1", "a/b", "1/0", ""})
    BOOST_CHECK_THROW(parse_shard(bad), InputError);
}

BOOST_AUTO_TEST_CASE(checkpoints_are_increasing_and_end_at_the_horizon) {
  for (const std::int64_t T : {1, 2, 10, 5000, 1000000})
    for (const int n : {1, 2, 64, 1000}) {
      const auto rounds = checkpoints(T, n);
      BOOST_TEST(rounds.back() == T);
      BOOST_TEST((n == 1 || rounds.front() == 1));
      for (std::size_t i = 1; i < rounds.size(); ++i) BOOST_TEST(rounds[i] > rounds[i - 1]);
      BOOST_TEST(rounds.size() <= static_cast<std::size_t>(n));
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
