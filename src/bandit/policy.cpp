#include "mixlab/bandit/policy.h"

#include <algorithm>
#include <cmath>

namespace mixlab::bandit {
namespace {

constexpr double tie = 1e-8;

}  // namespace

Registry<PolicyMaker>& policies() {
  static Registry<PolicyMaker> registry(Kind::policies);
  return registry;
}

arma::vec rewards_under(const arma::vec& theta, const arma::mat& arms) {
  arma::vec rewards(arms.n_cols);
  for (arma::uword k = 0; k < arms.n_cols; ++k) {
    const double* x = arms.colptr(k);
    double reward = 0;
    for (arma::uword i = 0; i < theta.n_elem; ++i) reward += theta.at(i) * x[i];
    rewards.at(k) = reward;
  }
  return rewards;
}

arma::vec direction_of(const arma::vec& theta) {
  const double norm = std::sqrt(arma::dot(theta, theta));
  if (norm > 0) return theta / norm;
  arma::vec first(theta.n_elem, arma::fill::zeros);
  first(0) = 1;
  return first;
}

Ellipsoid ellipsoid_of(const View& view) {
  return Ellipsoid(view.data.Lambda(), view.ridge.lambda, view.set.centre_of(view.data, view.ridge),
                   view.set.ellipsoid_radius2(view.data.t(), view.ridge.logdet));
}

arma::vec ellipsoid_ucb(const View& view) {
  const double beta = std::sqrt(view.set.ellipsoid_radius2(view.data.t(), view.ridge.logdet));
  arma::vec scores = rewards_under(view.set.centre_of(view.data, view.ridge), view.arms);
  for (arma::uword k = 0; k < view.arms.n_cols; ++k)
    scores.at(k) += beta * std::sqrt(view.ridge.V.inverse_norm2(view.arms.colptr(k)));
  return scores;
}

arma::vec ellipsoid_ball_ucb(const Ellipsoid& ellipsoid, const arma::mat& arms, double B) {
  arma::vec scores(arms.n_cols);
  for (arma::uword k = 0; k < arms.n_cols; ++k) scores(k) = ellipsoid.ucb_in_ball(arms.col(k), B);
  return scores;
}

arma::vec ellipsoid_ball_ucb(const View& view) {
  return ellipsoid_ball_ucb(ellipsoid_of(view), view.arms, view.set.constants().B);
}

arma::uword lowest_near_best(const arma::vec& scores) {
  const double best = scores.max();
  const double enough = std::isfinite(best) ? best - tie * std::max(1.0, std::abs(best)) : best;
  arma::uword k = 0;
  while (scores.at(k) < enough) ++k;
  return k;
}

}  // namespace mixlab::bandit
