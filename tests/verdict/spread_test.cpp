#include "mixlab/verdict/spread.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "verdict/columns.h"
#include "verdict/table.h"

using namespace mixlab;
using namespace mixlab::verdict;

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(spread)

// In as much room as there is, and in so little that the column goes by several times.
BOOST_AUTO_TEST_CASE(order_statistics_of_a_column) {
  const Column column = draw(5000, 101, [](double u) { return 10 * u * u; });
  Column sorted = column;
  std::sort(sorted.begin(), sorted.end());
  double sum = 0;
  for (const double value : column) sum += value;
  for (const std::size_t room : {verdict_room, std::size_t{200}}) {
    const Spread spread = spread_of(rows_of({column}), 0.05, room);
    BOOST_TEST(std::abs(spread.mean - sum / 5000) < 1e-12);
    BOOST_TEST(spread.median == sorted[2499]);
    BOOST_TEST(spread.q90 == sorted[4499]);
    BOOST_TEST(spread.q99 == sorted[4949]);
    BOOST_TEST(spread.largest == sorted[4999]);
    BOOST_TEST(spread.q99_interval.low < spread.q99);
    BOOST_TEST(spread.q99_interval.high > spread.q99);
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_known_without_a_row) {
  const Spread spread = spread_of([](const auto&) {}, 0.05);
  BOOST_TEST(std::isnan(spread.mean));
  BOOST_TEST(std::isnan(spread.largest));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
