#include "mixlab/verdict/holm.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "verdict/oracle.h"

using namespace mixlab;
using namespace mixlab::verdict;

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(holm_adjustment)

BOOST_AUTO_TEST_CASE(agrees_with_the_oracle) {
  compare_with_oracle("holm", holm);
}

BOOST_AUTO_TEST_CASE(holm_by_hand) {
  const std::vector<double> adjusted = holm({0.01, 0.04, 0.03, 0.005});
  const std::vector<double> expected = {0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(std::abs(adjusted[i] - expected[i]) < 1e-15);
  BOOST_TEST(holm({0.9, 0.8})[0] == 1.0);
  BOOST_TEST(holm({}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
