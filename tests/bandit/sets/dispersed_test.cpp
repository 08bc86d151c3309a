#include "bandit/sets/dispersed.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/bandit/confidence_set.h"
#include "noise/laws.h"
#include "samples.h"

using namespace mixlab;
using namespace mixlab::bandit;

namespace {

std::unique_ptr<const noise::Process> sticky(double rho) {
  Values values;
  values.set("rho", rho);
  return make_process("sticky", values, 1000);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(dispersed)

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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
