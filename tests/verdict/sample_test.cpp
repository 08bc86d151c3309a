#include "mixlab/verdict/sample.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

using namespace mixlab;
using namespace mixlab::verdict;

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(sample)

// Counted anew from the variables of the file.
BOOST_AUTO_TEST_CASE(counts_of_a_cell) {
  const store::ResultsFile results(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  const std::vector<double> deltas = {0.1, 0.5};
  const CellSample sample =
      read_sample(results, 1, {deltas, 0.05, {{"potential", 1.0}, {"first_bound_violation", 0.0}}, {20, 60}, 60});
  const auto column = [&](const char* name, std::size_t trajectory, std::size_t set) {
    return results.file().read<double>(name).at((60 + trajectory) * 3 + set);
  };
  const auto first = results.file().read<std::int32_t>("first_violation");
  BOOST_TEST(sample.n_run == 60);
  BOOST_REQUIRE(sample.sets.size() == 3u);
  for (std::size_t set = 0; set < 3; ++set) {
    std::int64_t violations = 0, misses = 0, horizon_misses = 0, among_20 = 0;
    double largest = 0;
    for (std::size_t i = 0; i < 60; ++i) {
      if (i == 20) among_20 = violations;
      violations += first.at((60 + i) * 3 + set) > 0;
      misses += column("log10_p", i, set) < std::log10(deltas[1]);
      horizon_misses += column("horizon_log10_p", i, set) < std::log10(deltas[1]);
      largest = std::max(largest, column("sup_ratio", i, set));
    }
    BOOST_TEST(sample.sets[set].n == 60);
    BOOST_TEST(sample.sets[set].violations == violations);
    BOOST_REQUIRE(sample.sets[set].looks.size() == 2u);
    BOOST_TEST(sample.sets[set].looks[0].misses == among_20);
    BOOST_TEST(sample.sets[set].looks[1].misses == violations);
    BOOST_TEST(sample.sets[set].misses.at(0) == violations);  // 0.1 is the study's own delta
    BOOST_TEST(sample.sets[set].misses.at(1) == misses);
    BOOST_TEST(sample.sets[set].horizon_misses.at(1) == horizon_misses);
    BOOST_TEST(sample.sets[set].ratios.back().value == largest);
  }
  const auto potential = results.file().read<double>("potential");
  std::int64_t above = 0, first_above = -1;
  double largest = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    const double value = potential.at(60 + i);
    largest = std::max(largest, value);
    if (value > 1.0 && above++ == 0) first_above = static_cast<std::int64_t>(i);
  }
  BOOST_TEST(above > 0);
  BOOST_REQUIRE(sample.limits.size() == 2u);
  BOOST_TEST(sample.limits[0].violations == above);
  BOOST_TEST(sample.limits[0].first_violation == first_above);
  BOOST_TEST(sample.limits[0].largest == largest);
  BOOST_TEST(sample.limits[1].violations == 0);  // whole numbers are read, too
  BOOST_TEST(sample.limits[1].first_violation == -1);
  BOOST_TEST(sample.limits[1].largest == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
