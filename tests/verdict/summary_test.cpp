#include "mixlab/verdict/summary.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "mixlab/store/results_file.h"

using namespace mixlab;
using namespace mixlab::verdict;

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(summary)

// Against the whole column, sorted.
BOOST_AUTO_TEST_CASE(a_column_in_a_few_numbers) {
  const store::ResultsFile results(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  const auto summaries = summarise(results, {"potential", "sup_ratio", "first_violation"});
  BOOST_REQUIRE(summaries.size() == 4u + 4u * 3u + 4u * 3u);
  const auto check = [&](const Summary& summary, std::vector<double> values) {
    std::sort(values.begin(), values.end());
    BOOST_TEST(summary.n == 60);
    BOOST_TEST(std::abs(summary.mean - std::accumulate(values.begin(), values.end(), 0.0) / 60) < 1e-12);
    BOOST_TEST(summary.smallest == values[0]);
    BOOST_TEST(summary.median == values[29]);
    BOOST_TEST(summary.q99 == values[59]);  // the 60th of 60 is the first with 99% at or below it
    BOOST_TEST(summary.largest == values[59]);
  };
  const auto potential = results.file().read<double>("potential");
  check(summaries[2], {potential.begin() + 120, potential.begin() + 180});
  BOOST_TEST(summaries[2].cell == 2);
  BOOST_TEST(summaries[2].label == "horizon=90, mixing-linucb");
  BOOST_TEST(summaries[2].set == "");

  const auto ratio = results.file().read<double>("sup_ratio");
  const auto violation = results.file().read<std::int32_t>("first_violation");
  std::vector<double> ratios, violations;
  for (std::size_t i = 0; i < 60; ++i) {
    ratios.push_back(ratio[(60 + i) * 3 + 1]);
    violations.push_back(violation[(60 + i) * 3 + 1]);
  }
  check(summaries[4 + 3 + 1], ratios);
  BOOST_TEST(summaries[4 + 3 + 1].set == "oful");
  check(summaries[4 + 12 + 3 + 1], violations);
}

BOOST_AUTO_TEST_CASE(only_columns_that_nothing_else_tells) {
  for (const auto& name : columns_without_finding(store::format_version))
    for (const char* known : {"potential", "sup_ratio", "completed", "regret"}) BOOST_TEST(name != known);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
