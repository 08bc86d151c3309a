#include "mixlab/bandit/problem.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

using namespace mixlab;
using namespace mixlab::bandit;

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(problem)

BOOST_AUTO_TEST_CASE(means_best_and_gap) {
  const arma::vec theta = {0.6, 0.8};
  Instance instance = make_instance(theta, {{1, 0, 0.6}, {0, 1, 0.6}});
  BOOST_TEST(std::abs(instance.means(2) - 0.84) < 1e-15);
  BOOST_TEST(std::abs(instance.best - 0.84) < 1e-15);
  BOOST_TEST(std::abs(minimum_gap(instance) - 0.04) < 1e-15);
  change_arms(instance, {{1, 1}, {0, 0}});
  BOOST_TEST(instance.best == 0.6);
  BOOST_TEST(minimum_gap(instance) == 0);  // the best arm is not unique
  BOOST_TEST(arma::norm(instance.theta - theta) == 0);
}

BOOST_AUTO_TEST_CASE(best_in_the_ball_is_the_norm) {
  const Instance instance = make_instance({0.6, 0.8}, arma::mat(2, 0));
  BOOST_TEST(std::abs(instance.best - 1) < 1e-15);
}

/// system.same_bits compares what is made of it under other kernels of BLAS.
BOOST_AUTO_TEST_CASE(dot_of_any_length) {
  for (arma::uword n = 0; n <= 70; ++n) {
    arma::vec x(n), y(n);
    long double truth = 0;
    for (arma::uword i = 0; i < n; ++i) {
      x(i) = std::sin(1.0 + static_cast<double>(i));
      y(i) = std::cos(2.0 * static_cast<double>(i));
      truth += static_cast<long double>(x(i)) * y(i);
    }
    BOOST_TEST(std::abs(portable_dot(x, y) - static_cast<double>(truth)) <= 1e-14);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
