#include "mixlab/verdict/sweep.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

using namespace mixlab;
using namespace mixlab::verdict;

BOOST_AUTO_TEST_SUITE(verdict)
BOOST_AUTO_TEST_SUITE(sweep)

BOOST_AUTO_TEST_CASE(rivals_and_lines) {  // horizon 40, 90 x policy mixing-linucb, linucb
  const store::ResultsFile results(MIXLAB_SOURCE_DIR "/tests/compat/results-2.h5");
  const Sweep sweep(results);
  const auto rivals = sweep.rivals();
  BOOST_REQUIRE(rivals.size() == 2u);
  BOOST_TEST((rivals[0] == std::pair<std::int64_t, std::int64_t>(0, 1)));
  BOOST_TEST((rivals[1] == std::pair<std::int64_t, std::int64_t>(2, 3)));
  const auto lines = sweep.lines();
  BOOST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(lines[1].key == "study.horizon");
  BOOST_TEST(lines[1].cells == (Cells{1, 3}), boost::test_tools::per_element());
  BOOST_TEST(lines[1].x == (std::vector<double>{40, 90}), boost::test_tools::per_element());
  BOOST_TEST(lines[1].label == "linucb");
  BOOST_TEST(lines[1].same_noise);
  BOOST_TEST(sweep.is_swept("policy.name"));
  BOOST_TEST(!sweep.is_swept("noise.rho"));
  BOOST_TEST(sweep.number("noise.rho", 2) == 0.9);
  BOOST_TEST(std::isnan(sweep.number("noise.tau_that_no_cell_has", 2)));
  BOOST_TEST(sweep.text("policy.name", 3) == "linucb");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
