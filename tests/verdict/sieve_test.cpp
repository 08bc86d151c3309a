#include "mixlab/verdict/sieve.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/random/sampler.h"
#include "mixlab/verdict/calibration.h"
#include "mixlab/verdict/comparison.h"
#include "mixlab/verdict/quantile.h"
#include "mixlab/verdict/rate.h"
#include "seed.h"
#include "table.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

using Column = std::vector<double>;

Column draw(std::size_t n, std::uint64_t seed, const std::function<double(double)>& value) {
  random::Stream stream = test_stream(seed);
  Column column(n);
  for (double& number : column) number = value(random::uniform(stream.next()));
  return column;
}

/// Samples that are easy, full of ties, full of one value, far from each other, or infinite.
std::vector<Column> awkward_columns() {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<Column> columns = {draw(20000, 91, [](double u) { return u; }),
                                 draw(20000, 92, [](double u) { return u / 1.3; }),
                                 draw(20000, 93, [](double u) { return std::floor(20 * u) / 20; }),
                                 draw(20000, 94, [](double u) { return u < 0.9 ? 0.5 : u; }),
                                 draw(20000, 95, [](double u) { return std::pow(10, -300 * u); }),
                                 draw(20000, 96, [=](double u) { return u < 0.3   ? 0
                                                                        : u < 0.6 ? infinity
                                                                                  : u; }),
                                 Column(20000, 1.0),
                                 draw(65, 97, [](double u) { return u; }),
                                 {0.3},
                                 {}};
  columns.push_back(columns[0]);
  std::sort(columns.back().begin(), columns.back().end());  // the sample that guides the search is every k-th
  columns.push_back(columns.back());
  std::reverse(columns.back().begin(), columns.back().end());
  return columns;
}

/// Most numbers that the passes held, and how many passes there were.
int sift(Sieve& sieve, const Column& column) {
  for (int n_passes = 1;; ++n_passes) {
    for (const double value : column) sieve.take(value);
    if (!sieve.end_pass()) return n_passes;
  }
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)

BOOST_AUTO_TEST_CASE(a_sieve_finds_quantiles_exactly_in_little_room) {
  const std::vector<double> shares = {0.5, 0.95, 0.99, 1, 0.0001};
  for (const Column& column : awkward_columns()) {
    const auto whole = runs_of(column);
    for (const std::size_t room : {64u, 1000u, 20000u}) {
      Sieve sieve(wanted_quantiles(shares, 0.05), room);
      const int n_passes = sift(sieve, column);
      BOOST_TEST(n_passes <= (room >= column.size() ? 1 : room >= 1000 ? 7 : 20));
      if (room < column.size()) BOOST_TEST(sieve.runs().size() <= 8 * room);
      for (const double q : shares) {
        BOOST_TEST(same(quantile(sieve.runs(), q), quantile(whole, q)));
        const Interval mine = quantile_interval(sieve.runs(), q, 0.05), theirs = quantile_interval(whole, q, 0.05);
        BOOST_TEST(same(mine.low, theirs.low));
        BOOST_TEST(same(mine.high, theirs.high));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_sieve_finds_the_calibration_exactly_in_little_room) {
  for (const Column& column : awkward_columns()) {
    const Calibration whole = calibrate(runs_of(column));
    for (const std::size_t room : {64u, 1000u, 20000u}) {
      Sieve sieve(wanted_by_calibration, room);
      const int n_passes = sift(sieve, column);
      BOOST_TEST_MESSAGE(column.size() << " values, room for " << room << ": " << n_passes << " passes");
      const Calibration mine = calibrate(sieve.runs());
      BOOST_TEST(mine.excess == whole.excess);
      BOOST_TEST(mine.simes == whole.simes);
      BOOST_TEST(mine.dkw == whole.dkw);
    }
  }
}

BOOST_AUTO_TEST_CASE(comparisons_need_little_room) {
  const Column a = draw(5000, 98, [](double u) { return 10 * u; });
  const Column b = draw(5000, 99, [](double u) { return 11 + u; });
  const RegretTable rows = rows_of({a, b});
  const Comparison whole = compare(rows, 0.05), part = compare(rows, 0.05, 200);
  BOOST_TEST(part.difference_interval.low == whole.difference_interval.low);
  BOOST_TEST(part.a.q99_interval.high == whole.a.q99_interval.high);
  BOOST_TEST(part.b.median == whole.b.median);
  BOOST_TEST(part.b.largest == whole.b.largest);
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
