#include "mixlab/bandit/forecaster.h"

#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "../../src/bandit/sets/blocks.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::bandit;

namespace {

struct Draws {
  arma::mat X;
  arma::vec y;
};

Draws draw(int p, int n, double theta_norm, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Draws samples{arma::mat(static_cast<arma::uword>(p), static_cast<arma::uword>(n)),
                arma::vec(static_cast<arma::uword>(n))};
  arma::vec theta(static_cast<arma::uword>(p));
  for (double& value : theta) value = normal(random);
  theta *= theta_norm / arma::norm(theta);
  for (arma::uword s = 0; s < samples.y.n_elem; ++s) {
    arma::vec x(static_cast<arma::uword>(p));
    for (double& value : x) value = normal(random);
    x /= std::max(1.0, arma::norm(x));
    samples.X.col(s) = x;
    samples.y(s) = arma::dot(x, theta) + normal(random);
  }
  return samples;
}

double loss(const Draws& samples, const arma::vec& theta) {
  return 0.5 * arma::accu(arma::square(samples.y - samples.X.t() * theta));
}

/// -log of the mean of exp(-loss) over the ball, by quadrature in Cartesian coordinates, less the least loss.
double brute_force(const Draws& samples, double R) {
  const int p = static_cast<int>(samples.X.n_rows);
  const double shift = loss(samples, arma::solve(samples.X * samples.X.t(), samples.X * samples.y));
  boost::math::quadrature::tanh_sinh<double> rule(12);
  const auto density = [&](const arma::vec& theta) { return std::exp(shift - loss(samples, theta)); };
  if (p == 1) return shift - std::log(rule.integrate([&](double u) { return density({u}); }, -R, R, 1e-13) / (2 * R));
  const auto slice = [&](double u) {
    const double height = std::sqrt(std::max(0.0, R * R - u * u));
    if (height == 0) return 0.0;
    return rule.integrate([&](double v) { return density({u, v}); }, -height, height, 1e-12);
  };
  return shift - std::log(rule.integrate(slice, -R, R, 1e-11) / (arma::datum::pi * R * R));
}

Forecaster after(const Draws& samples, double R) {
  Forecaster forecaster(static_cast<int>(samples.X.n_rows), R);
  for (arma::uword s = 0; s < samples.y.n_elem; ++s) forecaster.absorb(samples.X.col(s), samples.y(s));
  return forecaster;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(forecaster)

BOOST_AUTO_TEST_CASE(losses_are_those_of_brute_force) {
  std::mt19937_64 random(test_seed());
  for (const int p : {1, 2})
    for (const int n : {2, 5, 40, 300})
      for (const double theta_norm : {0.5, 3.0}) {  // inside the ball and outside
        const Draws samples = draw(p, n, theta_norm, random);
        const double wanted = brute_force(samples, 1.5), found = after(samples, 1.5).cumulative_loss();
        BOOST_TEST(std::abs(found - wanted) < 1e-8 * (1 + std::abs(wanted)),
                   "p " << p << " n " << n << " norm " << theta_norm << ": " << found << " for " << wanted);
      }
}

// Its first forecast is the prior's, and one that has seen nothing has lost nothing.
BOOST_AUTO_TEST_CASE(begins_with_the_prior) {
  BOOST_TEST(Forecaster(1, 2).cumulative_loss() == 0);
  Forecaster one(1, 2);
  one.absorb({0.0}, 3);
  BOOST_TEST(one.cumulative_loss() == 4.5);  // an arm of length 0: every theta predicts 0
}

BOOST_AUTO_TEST_CASE(regret_stays_below_proposition_2) {
  std::mt19937_64 random(test_seed() + 1);
  for (const int p : {1, 2})
    for (const double B : {0.25, 1.0, 3.0}) {
      Forecaster forecaster(p, B + 1);
      const Draws samples = draw(p, 200, B, random);
      double closest = -1e9;
      for (arma::uword s = 0; s < samples.y.n_elem; ++s) {
        forecaster.absorb(samples.X.col(s), samples.y(s));
        const auto k = forecaster.n_rounds();
        BOOST_TEST(forecaster.regret(B) <= tight_block_regret(k, p, B));
        BOOST_TEST(tight_block_regret(k, p, B) <= block_regret(k, p, B));
        closest = std::max(closest, forecaster.regret(B) - tight_block_regret(k, p, B));
      }
      BOOST_TEST(closest > -3.0 * p, "the bound is loose by " << -closest);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
