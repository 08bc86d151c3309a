#include "mixlab/bandit/arms.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/bandit/problem.h"
#include "mixlab/core/error.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::bandit;

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(arms)

Attachments files;

BOOST_AUTO_TEST_CASE(families) {
  random::Stream stream = test_stream(62);
  const arma::mat circle = make_arms("circle:8", 2, files)->draw({}, stream);
  BOOST_TEST(circle.n_cols == 8u);
  for (arma::uword k = 0; k < 8; ++k) {
    BOOST_TEST(std::abs(arma::norm(circle.col(k)) - 1) < 1e-15);
    BOOST_TEST(std::abs(arma::dot(circle.col(k), circle.col((k + 1) % 8)) - std::sqrt(0.5)) < 1e-15);
  }
  const arma::mat sphere = make_arms("sphere:50", 7, files)->draw({}, stream);
  BOOST_TEST(sphere.n_cols == 50u);
  for (arma::uword k = 0; k < 50; ++k) BOOST_TEST(std::abs(arma::norm(sphere.col(k)) - 1) < 1e-14);
  BOOST_TEST(arma::norm(make_arms("basis", 4, files)->draw({}, stream) - arma::eye(4, 4)) == 0);
  BOOST_TEST(make_arms("sphere:5", 3, files)->random());
  for (const std::string bad : {"circle", "circle:0", "circle:x", "circle:2:3", "basis:3", "sphr:3", ""})
    BOOST_CHECK_THROW(make_arms(bad, 2, files), KeyError);
  BOOST_CHECK_THROW(make_arms("circle:8", 3, files), KeyError);
}

BOOST_AUTO_TEST_CASE(gap_is_exact_and_the_best_arm_is_anywhere) {
  random::Stream stream = test_stream(64);
  std::vector<int> places(6);
  for (int repeat = 0; repeat < 600; ++repeat) {
    const int p = static_cast<int>(integer_in(stream, 1, 6));
    const arma::vec theta = 0.8 * draw_direction(p, stream);
    const Instance instance = make_instance(theta, make_arms("gap:6:0.25", p, files)->draw(theta, stream));
    BOOST_TEST(std::abs(minimum_gap(instance) - 0.25) < 1e-12);
    BOOST_TEST(instance.best > 0.8 - 1e-12);
    for (arma::uword k = 0; k < 6; ++k) BOOST_TEST(arma::norm(instance.arms.col(k)) < 1 + 1e-12);
    ++places[instance.means.index_max()];
  }
  for (const int n : places) BOOST_TEST(n > 30);
  BOOST_CHECK_THROW(make_arms("gap:6:2", 3, files)->draw(arma::vec{0.1, 0, 0}, stream), KeyError);
  for (const std::string bad : {"gap", "gap:6", "gap:1:0.1", "gap:6:0", "gap:6:-1", "gap:6:x"})
    BOOST_CHECK_THROW(make_arms(bad, 2, files), KeyError);
}

BOOST_AUTO_TEST_CASE(directions_are_uniform) {  // second moment I/p; false alarm below 1e-6
  random::Stream stream = test_stream(63);
  const int n = 100000;
  double first = 0, fourth = 0;
  for (int i = 0; i < n; ++i) {
    const arma::vec x = draw_direction(3, stream);
    first += x(0);
    fourth += std::pow(x(1), 4);
  }
  BOOST_TEST(std::abs(first / n) < z_alarm * std::sqrt(1.0 / 3 / n));
  BOOST_TEST(std::abs(fourth / n - 0.2) <
             z_alarm * std::sqrt((1.0 / 9 - 0.04) / n));  // E x^4 = 3/(p(p+2)), E x^8 = 1/9
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
