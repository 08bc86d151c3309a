#include "mixlab/engine/monitor.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

using namespace mixlab::engine;

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(monitor)

BOOST_AUTO_TEST_CASE(first_largest_smallest_and_last) {
  Monitor watched, other;
  watched.see(1, 4, 4, -1);  // on the border is inside
  watched.see(2, 5, 4, -3);
  watched.see(3, 9, 3, -2);
  watched.see(4, 1, 3, -0.5);
  other.see(1, 1, 2, 0);
  Row row;
  other.write(row, 0);
  watched.write(row, 0);
  BOOST_TEST(row.first_violation == (std::vector<std::int32_t>{2, 0}), boost::test_tools::per_element());
  BOOST_TEST(row.sup_ratio == (std::vector<double>{3, 0.5}), boost::test_tools::per_element());
  BOOST_TEST(std::abs(row.log10_p[0] - -3 / std::log(10.0)) < 1e-15);
  BOOST_TEST(std::abs(row.horizon_log10_p[0] - -0.5 / std::log(10.0)) < 1e-15);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
