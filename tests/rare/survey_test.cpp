#include "mixlab/rare/survey.h"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>

#include "groups.h"
#include "one_arm.h"

using namespace mixlab;
using namespace mixlab::rare;

namespace {

/// Keeps pieces in memory and counts how often it could help.
struct Memory final : Pieces {
  std::optional<Mixture> mixture(int, const Fits<Mixture>& fits) override { return found(mixtures, 0, fits); }
  std::optional<std::vector<PathRow>> rows(const study::Part& part, const Fits<std::vector<PathRow>>& fits) override {
    return found(parts, part.first, fits);
  }
  std::optional<Repetition> repetition(const RepetitionName& name, const Fits<Repetition>& fits) override {
    return found(repetitions, name, fits);
  }
  void keep(int, const Mixture& mixture) override { mixtures[0] = mixture; }
  void keep(const study::Part& part, const std::vector<PathRow>& rows) override { parts[part.first] = rows; }
  void keep(const RepetitionName& name, const Repetition& repetition) override { repetitions[name] = repetition; }

  template <class Key, class Piece>
  std::optional<Piece> found(const std::map<Key, Piece>& pieces, const Key& key, const Fits<Piece>& fits) {
    const auto at = pieces.find(key);
    if (at == pieces.end() || !fits(at->second)) return {};
    ++n_found;
    return at->second;
  }
  std::map<int, Mixture> mixtures;
  std::map<std::int64_t, std::vector<PathRow>> parts;
  std::map<RepetitionName, Repetition> repetitions;
  int n_found = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(surveys)

BOOST_AUTO_TEST_CASE(shards_together_are_the_whole) {
  std::vector<engine::Experiment> experiments;
  experiments.push_back(OneArm{.rho = 0.5, .d = 3, .T = 40}.experiment("tight"));
  const Question question{.deltas = {0.5, 0.1}, .twisted = true, .splitting = true, .n_paths = 600};
  BOOST_TEST(question.targets_of(experiments[0]).size() == 2);
  BOOST_TEST(Question{}.deltas_of(experiments[0]) == std::vector{0.05}, boost::test_tools::per_element());
  Pieces forgetful;
  const auto whole = survey(experiments, question, {}, forgetful);
  Memory memory;
  for (std::int64_t i = 0; i < 3; ++i) {
    const SurveySettings settings{.n_threads = 2, .shard = {i, 3}};
    BOOST_TEST(survey(experiments, question, settings, memory).empty());
  }
  memory.n_found = 0;
  const auto together = survey(experiments, question, {}, memory);
  BOOST_TEST(memory.n_found == 1 + static_cast<int>(memory.parts.size()) + Question::n_populations);
  BOOST_TEST((together[0].rows == whole[0].rows));
  BOOST_REQUIRE(together[0].estimates.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST(engine::same_bits(together[0].estimates[i], whole[0].estimates[i]));
    BOOST_TEST(whole[0].estimates[i].set == "tight");
  }
}

// The quickstart study, as a user asks: to 10 %, paper to 25 %, within 3 minutes on two cores.
BOOST_AUTO_TEST_CASE(quickstart_in_three_minutes) {
  if (!long_form()) return;
  const study::Study study(study::read_study_file(std::string(MIXLAB_SOURCE_DIR) + "/studies/quickstart.cfg",
                                                  {"confidence.monitor=paper oful otc tight selfnorm telescope"}));
  auto experiments = engine::make_experiments(study);
  experiments.resize(1);
  std::erase_if(experiments[0].sets, [](const auto& set) { return set.name == "oful" || set.name == "otc"; });
  Pieces forgetful;
  const std::clock_t start = std::clock();  // of all threads
  const auto answer = survey(experiments, {}, {.n_threads = 2}, forgetful).front();
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::map<std::string, double> errors;  // of what can be relied on
  for (const Estimate& estimate : answer.estimates) {
    BOOST_TEST_MESSAGE(estimate.set << ", " << estimate.method << ": 1e" << estimate.log10_estimate
                                    << ", relative error " << estimate.relative_error << " " << estimate.why);
    if (estimate.reliable) errors.insert_or_assign(estimate.set, estimate.relative_error);
  }
  BOOST_TEST_MESSAGE(seconds << " seconds of processor time");
  BOOST_TEST(errors.size() == 4);
  for (const auto& [set, error] : errors) BOOST_TEST(error < (set == "paper" ? 0.25 : 0.1), set << " " << error);
  BOOST_TEST(seconds < 360);
}

BOOST_AUTO_TEST_CASE(pieces_that_do_not_fit_are_computed_again) {
  std::vector<engine::Experiment> experiments;
  experiments.push_back(OneArm{.rho = 0.5, .d = 3, .T = 40}.experiment("tight"));
  const Question question{.deltas = {0.5}, .twisted = true, .splitting = true, .n_paths = 600};
  Memory good;
  const auto whole = survey(experiments, question, {}, good);
  const auto n_pieces = 1 + static_cast<int>(good.parts.size()) + Question::n_populations;
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto third = [](Memory& memory) -> Repetition& {
    return memory.repetitions.at({"splitting", 0, "tight", 0, 2});
  };
  const std::vector<std::function<void(Memory&)>> changes = {
      [](Memory& bad) { bad.mixtures[0].n_paths.pop_back(); },
      [](Memory& bad) { bad.mixtures[0] = {}; },
      [](Memory& bad) { bad.mixtures[0].n_paths[1] = std::int64_t{1} << 62; },
      [](Memory& bad) { bad.mixtures[0].n_paths[1] = -20; },
      [](Memory& bad) { bad.mixtures[0].n_paths[0] = 0; },
      [](Memory& bad) { bad.mixtures[0].components[1].direction.push_back(0); },
      [=](Memory& bad) { bad.mixtures[0].components[1].direction[0] = nan; },
      [=](Memory& bad) { bad.mixtures[0].components[1].eta = infinity; },
      [](Memory& bad) { bad.mixtures[0].components[0].eta = 1; },
      [](Memory& bad) { bad.parts[0].pop_back(); },
      [](Memory& bad) { bad.parts[200].clear(); },
      [](Memory& bad) { bad.parts[0][3].component = 7777; },
      [](Memory& bad) { bad.parts[0][3].log_weight.clear(); },
      [=](Memory& bad) { bad.parts[0][3].log_weight[0] = nan; },
      [=](Memory& bad) { bad.parts[0][3].log_weight[0] = infinity; },
      [](Memory& bad) { bad.parts[0][3].first_crossing[0] = 41; },
      [](Memory& bad) { bad.parts[0][3].first_crossing[0] = -1; },
      [=](Memory& bad) { third(bad).log_estimates.clear(); },
      [=](Memory& bad) { third(bad).log_estimates[0] = nan; },
      [=](Memory& bad) { third(bad).log_estimates[0] = infinity; },
      [=](Memory& bad) { third(bad).n_paths = -1; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    BOOST_TEST_CONTEXT("change " << i) {
      Memory bad = good;
      bad.n_found = 0;
      changes[i](bad);
      const auto again = survey(experiments, question, {}, bad);
      BOOST_TEST(bad.n_found == n_pieces - 1);
      BOOST_TEST((again[0].rows == whole[0].rows));
      for (std::size_t e = 0; e < whole[0].estimates.size(); ++e)
        BOOST_TEST(engine::same_bits(again[0].estimates[e], whole[0].estimates[e]));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
