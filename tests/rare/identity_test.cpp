#include "mixlab/rare/identity.h"

#include <boost/test/unit_test.hpp>
#include <set>

#include "one_arm.h"

using namespace mixlab;
using namespace mixlab::rare;

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(identities)

BOOST_AUTO_TEST_CASE(every_question_has_its_own) {
  const auto text = [](const std::string& seed) {
    return "[study]\ntrajectories = 10\nhorizon = 20\nseed = " + seed +
           "\n[problem]\ndimension = 1\narms = basis\n[noise]\nprocess = iid\nlaw = rademacher\n"
           "[policy]\nname = linucb, greedy\n[confidence]\ndelay = 1\nmonitor = tight oful\n";
  };
  const study::Study study(study::parse_study_text(text("1"), "a.cfg")),
      other(study::parse_study_text(text("2"), "a.cfg"));
  const auto all = engine::make_experiments(study);
  auto one_cell = engine::make_experiments(study), one_set = engine::make_experiments(study);
  one_cell.resize(1);
  for (auto& experiment : one_set) experiment.sets.resize(1);
  const std::set<std::string> questions = {
      identify(study, all, {}).question,
      identify(other, engine::make_experiments(other), {}).question,
      identify(study, one_cell, {}).question,
      identify(study, one_set, {}).question,
      identify(study, all, {.deltas = {0.1}}).question,
      identify(study, all, {.deltas = {0.1, 0.01}}).question,
      identify(study, all, {.deltas = {}, .twisted = false, .splitting = true}).question,
      identify(study, all, {.deltas = {}, .twisted = true, .splitting = true}).question,
      identify(study, all, {.deltas = {}, .twisted = true, .splitting = false, .n_paths = 9999}).question};
  BOOST_TEST(questions.size() == 9);
  BOOST_TEST(questions.contains(identify(study, all, {}).question));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
