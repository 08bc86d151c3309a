#include "mixlab/verdict/comparison.h"

#include <boost/test/unit_test.hpp>

#include "verdict/columns.h"
#include "verdict/oracle.h"
#include "verdict/table.h"

using namespace mixlab;
using namespace mixlab::verdict;

namespace {

Numbers paired(const Numbers& values) {
  const auto half = values.begin() + 1 + static_cast<std::ptrdiff_t>(values.size() / 2);
  const Comparison c = compare(rows_of({{values.begin() + 1, half}, {half, values.end()}}), values[0]);
  Numbers all = {c.difference,
                 c.difference_interval.low,
                 c.difference_interval.high,
                 static_cast<double>(c.wins),
                 static_cast<double>(c.ties),
                 c.win_interval.low,
                 c.win_interval.high};
  for (const Spread& spread : {c.a, c.b})
    for (const double value : {spread.mean, spread.median, spread.q90, spread.q99, spread.largest})
      all.push_back(value);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(comparison)

BOOST_AUTO_TEST_CASE(agrees_with_the_oracle) {
  compare_with_oracle("paired", paired);
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
