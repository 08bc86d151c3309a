#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/bandit/confidence_set.h"
#include "noise/laws.h"
#include "samples.h"

using namespace mixlab;
using namespace mixlab::bandit;

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(joint)

/// The minimum over r by a fine grid, regression and determinant from the whole matrix of regressors.
BOOST_AUTO_TEST_CASE(joint_agrees_with_a_computation_from_scratch) {
  random::Stream stream = test_stream(192);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const int p = static_cast<int>(integer_in(stream, 1, 4)), t = static_cast<int>(integer_in(stream, 1, 60));
    const SetConstants c{
        .p = p, .B = 1.3, .sigma = uniform_in(stream, 0.3, 2), .delta = 0.1, .lambda = uniform_in(stream, 0.5, 5)};
    const auto set = confidence_sets().find("joint")->make(c)->start(test_stream(1), 1000);
    const Samples samples(p, t, stream);
    for (arma::uword s = 0; s < samples.Y.n_elem; ++s) set->absorb(samples.X.col(s), samples.Y(s));
    const auto n = static_cast<arma::uword>(2 * p + 1);
    arma::mat V = c.lambda * arma::eye(n, n);
    arma::vec b(n, arma::fill::zeros);
    for (arma::uword s = 1; s < samples.Y.n_elem; ++s) {
      arma::vec W(n);
      W(0) = samples.Y(s - 1);
      for (arma::uword i = 0; i < static_cast<arma::uword>(p); ++i) {
        W(1 + i) = samples.X(i, s);
        W(1 + static_cast<arma::uword>(p) + i) = samples.X(i, s - 1);
      }
      V += W * W.t();
      b += samples.Y(s) * W;
    }
    const arma::vec estimate = arma::solve(V, b);
    double least = INFINITY;
    for (int k = -20000; k <= 20000; ++k) {
      const double r = k / 20000.0;
      arma::vec psi(n);
      psi(0) = r;
      for (arma::uword i = 0; i < static_cast<arma::uword>(p); ++i) {
        psi(1 + i) = samples.theta(i);
        psi(1 + static_cast<arma::uword>(p) + i) = -r * samples.theta(i);
      }
      least = std::min(least, arma::dot(psi - estimate, V * (psi - estimate)));
    }
    Regression data(p, 1, {1.0});
    const double q = set->distance2(samples.theta, data, data.ridge(0));
    BOOST_TEST(q <= least + 1e-9 * least);
    BOOST_TEST(q >= least - 1e-6 * std::max(1.0, least));
    const double logdet = logdet_of(V / c.lambda);
    const double radius2 = c.lambda * (1 + 2 * 1.3 * 1.3) + c.sigma * c.sigma * (logdet + 2 * std::log(1 / c.delta));
    BOOST_TEST(std::abs(set->radius2(t, 0) - radius2) <= 1e-9 * radius2);
    BOOST_TEST((set->log_p(t, radius2 * 1.0001, 0) < std::log(c.delta) &&
                set->log_p(t, radius2 * 0.9999, 0) > std::log(c.delta)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
