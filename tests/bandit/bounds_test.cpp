#include "mixlab/bandit/bounds.h"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "mixlab/bandit/problem.h"
#include "mixlab/core/parameter.h"

using namespace mixlab;
using namespace mixlab::bandit;

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(bounds)

BOOST_AUTO_TEST_CASE(agree_with_the_oracle) {
  std::ifstream file(MIXLAB_SOURCE_DIR "/tests/oracle/bounds.csv");
  std::string line;
  std::getline(file, line);
  int n_rows = 0;
  while (std::getline(file, line)) {
    const auto cells = split(line, ',');
    const auto number = [&](std::size_t i) { return std::stod(cells[i]); };
    const BoundConstants constants{std::stoi(cells[1]), number(2), number(3), std::stoll(cells[0])};
    const std::int64_t T = std::stoll(cells[4]);
    const auto close = [](double value, double expected) { return std::abs(value - expected) <= 1e-12 * expected; };
    BOOST_TEST(close(potential_bound(constants, T), number(7)));
    BOOST_TEST(close(worst_case_bound(constants, T, number(5)), number(8)));
    BOOST_TEST(close(gap_bound(constants, T, number(5), number(6)), number(9)));
    ++n_rows;
  }
  BOOST_TEST(n_rows == 80);
}

BOOST_AUTO_TEST_CASE(gap_of_an_instance) {
  const Instance instance = make_instance({1, 0}, {{1.0, 0.5, -1.0}, {0.0, 0.5, 0.0}});
  BOOST_TEST(instance.best == 1.0);
  BOOST_TEST(minimum_gap(instance) == 0.5);
  BOOST_TEST(minimum_gap(make_instance({1, 0}, {{1.0, 1.0}, {0.0, 0.0}})) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
