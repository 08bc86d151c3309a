#include "mixlab/bandit/regression.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/bandit/arms.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::bandit;

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(regression)

BOOST_AUTO_TEST_CASE(estimates_from_scratch) {
  random::Stream stream = test_stream(65);
  const int p = 4;
  const std::vector<double> lambdas = {0.3, 2};
  Regression data(p, 1, lambdas);
  arma::mat X(p, 0);
  arma::vec y;
  for (int i = 1; i <= 700; ++i) {  // longer than a short sum of the two-level summation
    X = arma::join_rows(X, draw_direction(p, stream));
    y = arma::join_cols(y, arma::vec{normal_in(stream)});
    data.absorb(X.col(X.n_cols - 1), y(y.n_elem - 1));
    if (i % 70 != 1) continue;
    BOOST_TEST(data.t() == i);
    BOOST_TEST(arma::norm(data.Lambda() - X * X.t()) < 1e-11 * i);
    BOOST_TEST(arma::norm(data.b() - X * y) < 1e-11 * i);
    BOOST_TEST(std::abs(data.sum_y2() - arma::dot(y, y)) < 1e-11 * i);
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
      const arma::mat V = X * X.t() + lambdas[k] * arma::eye(p, p);
      BOOST_TEST(arma::norm(data.ridge(k).theta - arma::solve(V, X * y)) < 1e-10);
      BOOST_TEST(std::abs(data.ridge(k).logdet - (arma::log_det_sympd(V) - p * std::log(lambdas[k]))) < 1e-10);
    }
    BOOST_TEST(arma::norm(data.theta_hat()) <= 1 + 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(norms) {
  const arma::mat Lambda = {{2, 1}, {1, 3}};
  BOOST_TEST(std::abs(norm2({1, -1}, Lambda, 0.5) - (2 - 2 + 3 + 0.5 * 2)) < 1e-14);
}

// Three arms at random lie so nearly in a plane once in 1e5 trajectories. The solver takes them to be in it, and nobody
// shall stop for that.
BOOST_AUTO_TEST_CASE(arms_nearly_in_a_plane) {
  for (const double across : {1e-3, 1e-4, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 1e-9, 0.0}) {
    Regression data(3, 1, {1});
    data.absorb({1, 0, 0}, 0.3);
    data.absorb({0, 1, 0}, -0.2);
    data.absorb({0.6, 0.8, across}, 0.7);
    BOOST_TEST(arma::norm(data.theta_hat()) <= 1 + 1e-12, "across " << across);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
