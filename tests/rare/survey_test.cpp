#include "mixlab/rare/survey.h"

#include <boost/test/unit_test.hpp>
#include <map>

#include "one_arm.h"

using namespace mixlab;
using namespace mixlab::rare;

namespace {

/// Keeps pieces in memory and counts how often it could help.
struct Memory final : Pieces {
  std::optional<Mixture> mixture(int) override { return found(mixtures, 0); }
  std::optional<std::vector<PathRow>> rows(const study::Part& part) override { return found(parts, part.first); }
  std::optional<Splitting> splitting(int, const std::string&, int repetition) override {
    return found(splittings, repetition);
  }
  void keep(int, const Mixture& mixture) override { mixtures[0] = mixture; }
  void keep(const study::Part& part, const std::vector<PathRow>& rows) override { parts[part.first] = rows; }
  void keep(int, const std::string&, int repetition, const Splitting& splitting) override {
    splittings[repetition] = splitting;
  }

  template <class Piece>
  std::optional<Piece> found(const std::map<std::int64_t, Piece>& pieces, std::int64_t key) {
    const auto at = pieces.find(key);
    if (at == pieces.end()) return {};
    ++n_found;
    return at->second;
  }
  std::map<std::int64_t, Mixture> mixtures;
  std::map<std::int64_t, std::vector<PathRow>> parts;
  std::map<std::int64_t, Splitting> splittings;
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
  BOOST_TEST(memory.n_found == 1 + static_cast<int>(memory.parts.size()) + Question::n_repetitions);
  BOOST_TEST((together[0].rows == whole[0].rows));
  BOOST_REQUIRE(together[0].estimates.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST(engine::same_bits(together[0].estimates[i], whole[0].estimates[i]));
    BOOST_TEST(whole[0].estimates[i].set == "tight");
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
