// Sets with a memory, fed sample by sample, against computations from scratch.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/bandit/arms.h"
#include "mixlab/bandit/confidence_set.h"
#include "noise/laws.h"

using namespace mixlab;
using namespace mixlab::bandit;

namespace {

std::unique_ptr<const noise::Process> sticky(double rho) {
  Values values;
  values.set("rho", rho);
  return make_process("sticky", values, 1000);
}

struct Samples {
  arma::mat X;  ///< p x t
  arma::vec Y;
  arma::vec theta;

  Samples(int p, int t, random::Stream& stream)
      : X(static_cast<arma::uword>(p), static_cast<arma::uword>(t)), Y(static_cast<arma::uword>(t)) {
    theta = 0.8 * draw_direction(p, stream);
    for (arma::uword s = 0; s < Y.n_elem; ++s) {
      X.col(s) = uniform_in(stream, 0.1, 1) * draw_direction(p, stream);
      Y(s) = arma::dot(theta, X.col(s)) + normal_in(stream);
    }
  }
};

double logdet_of(const arma::mat& A) {
  double value = 0, sign = 0;
  arma::log_det(value, sign, A);
  return value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(memory)

/// The sum over blocks of ||theta - theta_r||^2 in V_r is the distance from the ridge estimate plus the dispersion.
BOOST_AUTO_TEST_CASE(dispersion_agrees_with_a_computation_from_scratch) {
  random::Stream stream = test_stream(191);
  for (const std::string name : {"selfnorm", "telescope"})
    for (int repeat = 0; repeat < 20; ++repeat) {
      const auto noise = sticky(0.6);
      const LagCertificate lags(*noise);
      const int p = static_cast<int>(integer_in(stream, 1, 4)), t = static_cast<int>(integer_in(stream, 1, 60));
      SetConstants c{.p = p,
                     .B = 1,
                     .sigma = 1,
                     .phi = noise->phi(8),
                     .d = 8,
                     .delta = 0.1,
                     .lambda = uniform_in(stream, 0.5, 30),
                     .lags = &lags};
      c.parameters.set("lags", std::string("step:4"));
      c.parameters.set("proxies", std::string("phi"));
      const auto plain = confidence_sets().find(name)->make(c);
      c.parameters.set("dispersion", std::string("yes"));
      const auto prototype = confidence_sets().find(name)->make(c);
      const auto set = prototype->start(test_stream(1), 1000);
      Regression data(p, 1, {c.lambda});
      const Samples samples(p, t, stream);
      for (arma::uword s = 0; s < samples.Y.n_elem; ++s) {
        data.absorb(samples.X.col(s), samples.Y(s));
        set->absorb(samples.X.col(s), samples.Y(s));
      }
      const arma::uword g = name == "selfnorm" ? 8 : 4, P = static_cast<arma::uword>(p);
      double sum = 0, logdets = 0;
      for (arma::uword r = 0; r < g; ++r) {
        arma::mat V = c.lambda / static_cast<double>(g) * arma::eye(P, P);
        arma::vec b(P, arma::fill::zeros);
        for (arma::uword s = r; s < samples.Y.n_elem; s += g) {
          V += samples.X.col(s) * samples.X.col(s).t();
          b += samples.Y(s) * samples.X.col(s);
        }
        const arma::vec error = samples.theta - arma::solve(V, b);
        sum += arma::dot(error, V * error);
        logdets += logdet_of(V * static_cast<double>(g) / c.lambda) / static_cast<double>(g);
      }
      const Ridge& ridge = data.ridge(0);
      BOOST_TEST(std::abs(set->distance2(samples.theta, data, ridge) - sum) <= 1e-9 * std::max(1.0, sum));
      BOOST_TEST(sum >= plain->distance2(samples.theta, data, ridge) - 1e-9);
      BOOST_TEST(std::abs(set->radius2(t, 0) - plain->radius2(t, logdets)) <= 1e-9 * plain->radius2(t, logdets));
      BOOST_TEST(std::abs(set->log_p(t, sum, 0) - plain->log_p(t, sum, logdets)) <= 1e-9 * (1 + sum));
      BOOST_TEST(prototype->radius2(t, 2.5) == plain->radius2(t, 2.5));
    }
}

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
