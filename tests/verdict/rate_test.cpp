#include "mixlab/verdict/rate.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/random/sampler.h"
#include "seed.h"
#include "verdict/columns.h"
#include "verdict/oracle.h"
#include "verdict/table.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

Numbers slope_of(const Numbers& values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  return {log_log_slope({values.begin(), half}, {half, values.end()})};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(rate)

BOOST_AUTO_TEST_CASE(slope_agrees_with_the_oracle) {
  compare_with_oracle("slope", slope_of);
}

// Regret 3 x^0.7 times independent noise of mean 1: the interval covers 0.7 in at least 95% of the samples, short of
// what the bootstrap loses at this size (2.5%), and is not useless.
BOOST_AUTO_TEST_CASE(bootstrap_covers_the_slope) {
  random::Stream stream = test_stream(84);
  const std::vector<double> x = {100, 300, 1000};
  const std::int64_t n_samples = 400;
  std::int64_t covered = 0;
  double length = 0;
  for (std::int64_t i = 0; i < n_samples; ++i) {
    std::vector<std::vector<double>> samples(x.size());
    for (std::size_t s = 0; s < x.size(); ++s)
      for (int row = 0; row < 100; ++row)
        samples[s].push_back(3 * std::pow(x[s], 0.7) * 2 * random::uniform(stream.next()));
    const Slope slope = rate_of(x, rows_of(samples), Pairing::independent, 0.05, 200);
    covered += slope.interval.low <= 0.7 && 0.7 <= slope.interval.high;
    length += (slope.interval.high - slope.interval.low) / static_cast<double>(n_samples);
  }
  BOOST_TEST(lower_tail(covered, n_samples, 0.925) > 1e-6);
  BOOST_TEST(length < 0.15);
}

BOOST_AUTO_TEST_CASE(bootstrap_is_repeatable_and_pairs_rows) {
  const std::vector<double> x = {10, 100};
  // The same noise at both x: every resample has the same slope, if rows are kept together.
  const RegretTable samples = rows_of({{1, 2, 3, 4, 5}, {2, 4, 6, 8, 10}});
  const Slope together = rate_of(x, samples, Pairing::by_trajectory, 0.05);
  BOOST_TEST(std::abs(together.value - std::log10(2.0)) < 1e-12);
  BOOST_TEST(together.interval.high - together.interval.low < 1e-12);
  const Slope apart = rate_of(x, samples, Pairing::independent, 0.05);
  BOOST_TEST(apart.interval.high - apart.interval.low > 0.1);
  const Slope again = rate_of(x, samples, Pairing::independent, 0.05);
  BOOST_TEST(again.interval.low == apart.interval.low);
  BOOST_TEST(again.interval.high == apart.interval.high);
  BOOST_TEST(std::isnan(rate_of({10, 10}, samples, Pairing::independent, 0.05).value));
}

// Rows in order and rows that repeat: draws that fell on the blocks in fixed numbers, or alike in each, would give
// intervals too narrow for the first and too wide for the second. False alarm: none, the draws are fixed.
BOOST_AUTO_TEST_CASE(rates_need_little_room_and_see_a_long_table_once) {
  constexpr std::size_t n = 5000, n_held = 1250;
  Column sorted(n), repeating(n);
  for (std::size_t i = 0; i < n; ++i) {
    sorted[i] = 1 + static_cast<double>(i) / n;
    repeating[i] = 1 + static_cast<double>(i % n_held) / n_held;
  }
  for (const Column& column : {sorted, repeating})
    for (const Pairing pairing : {Pairing::independent, Pairing::by_trajectory}) {
      int n_passes = 0;
      const RegretTable rows = [&,
                                table = rows_of({Column(n, 1), column})](const std::function<void(RegretRow)>& visit) {
        ++n_passes;
        table(visit);
      };
      const Interval whole = rate_of({10, 100}, rows, pairing, 0.05, 2000).interval;
      n_passes = 0;
      const Interval part = rate_of({10, 100}, rows, pairing, 0.05, 2000, 2 * n_held).interval;
      BOOST_TEST(n_passes == 2);  // one for the means
      const double sd = (whole.high - whole.low) / (2 * 1.96);
      BOOST_TEST(std::abs(part.low - whole.low) < 0.3 * sd);
      BOOST_TEST(std::abs(part.high - whole.high) < 0.3 * sd);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
