#include "mixlab/bandit/bounds.h"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "mixlab/bandit/problem.h"
#include "mixlab/core/parameter.h"
#include "oracle_table.h"

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

BOOST_AUTO_TEST_CASE(additive_delay_agrees_with_the_oracle) {
  for (const OracleLine& line : oracle_table("additive.csv")) {
    const BoundConstants c{static_cast<int>(line.integer("p")), line.real("B"), line.real("lambda"), line.integer("d")};
    const std::int64_t T = line.integer("T");
    const double radius2 = line.real("radius2");
    const auto close = [](double value, double expected) { return std::abs(value - expected) <= 1e-12 * expected; };
    BOOST_TEST(close(additive_delay_bound(c, T, radius2), line.real("worst_case")));
    BOOST_TEST(close(additive_delay_gap_bound(c, T, radius2, line.real("gap")), line.real("gap_bound")));
    BOOST_TEST(close(stale_rounds_bound(c, T), line.real("stale_rounds")));
    BOOST_TEST(close(fresh_potential_bound(c, T), line.real("fresh_potential")));
  }
}

/// MATHEMATICS.md F.4: the first T at which the theorem says more than 2BT; p = 2, B = 1, sticky signs with rho = 0.9, the
/// paper's rule for the delay.
BOOST_AUTO_TEST_CASE(additive_delay_is_informative_early) {
  const double tau = -1 / std::log(0.9), D = 12 / std::pow(1 - std::pow(0.9, 12), 2);
  const auto first_T = [&](auto radius2, auto lambda) {
    double T = 1000;
    for (;; T *= 1.01) {
      const auto rounds = static_cast<std::int64_t>(T);
      const auto d = static_cast<std::int64_t>(std::ceil(tau * std::log(T / 2)));
      const BoundConstants constants{2, 1, lambda(d), d};
      const double bound = additive_delay_bound(constants, rounds, radius2(rounds, d));
      BOOST_TEST(additive_delay_gap_bound(constants, rounds, radius2(rounds, d), 1.0) > 0);
      if (bound < 2 * T) return T;
    }
  };
  const auto telescope = [&](std::int64_t t, std::int64_t) {
    return 2 * D + D * (2 * std::log1p(static_cast<double>(t) / (4 * D)) + 2 * std::log(20) + 2);
  };
  const auto paper = [&](std::int64_t t, std::int64_t d) {
    const double dp = 2.0 * static_cast<double>(d), T = static_cast<double>(t);
    return dp * (2 * std::log(2) + 1 + std::log((T + static_cast<double>(d)) / dp)) + 4 +
           4 * T * std::pow(0.9, static_cast<double>(d)) + dp * std::log(20.0 * static_cast<double>(d));
  };
  const auto close = [](double x, double y) { return std::abs(x - y) < 0.02 * y; };
  BOOST_TEST(close(first_T(telescope, [&](std::int64_t) { return 2 * D; }), 1.28e4));
  BOOST_TEST(close(first_T(paper, [](std::int64_t) { return 1.0; }), 1.6e5));
}

BOOST_AUTO_TEST_CASE(gap_of_an_instance) {
  const Instance instance = make_instance({1, 0}, {{1.0, 0.5, -1.0}, {0.0, 0.5, 0.0}});
  BOOST_TEST(instance.best == 1.0);
  BOOST_TEST(minimum_gap(instance) == 0.5);
  BOOST_TEST(minimum_gap(make_instance({1, 0}, {{1.0, 1.0}, {0.0, 0.0}})) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
