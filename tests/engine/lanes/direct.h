// What a RoundState must be, computed from the samples alone.
#pragma once

#include <algorithm>
#include <armadillo>
#include <cmath>

#include "mixlab/engine/experiment.h"
#include "mixlab/engine/lanes.h"

namespace mixlab::engine {

/// |value - truth| relative to max(1, |truth|).
inline double relative_error(double value, double truth) {
  if (value == truth) return 0;
  const double error = std::abs(value - truth) / std::max(1.0, std::abs(truth));
  return std::isnan(error) ? INFINITY : error;
}

/// The regression of one trajectory, fed by its states.
class Direct {
 public:
  Direct(const Experiment& e, std::int64_t trajectory)
      : B_(e.B),
        lambda_(e.lambdas[e.policy_ridge]),
        theta_star_(e.draw_theta(trajectory)),
        Lambda_(theta_star_.n_elem, theta_star_.n_elem, arma::fill::zeros),
        b_(theta_star_.n_elem, arma::fill::zeros),
        noise_(b_) {}

  void absorb(const RoundState& state) {
    const arma::vec x(state.x);
    Lambda_ += x * x.t();
    b_ += state.y * x;
    noise_ += state.eps * x;
  }

  /// How far theta_hat is from optimal: the stationarity of the KKT conditions, (Lambda + mu I) theta = b, then
  /// feasibility, and mu (B - ||theta||) = 0 and mu >= 0, all relative to max(1, ||b||).
  double kkt_residual(const RoundState& state) const {
    const arma::vec theta(state.theta_hat);
    const double scale = std::max(1.0, arma::norm(b_));
    const double room = B_ - arma::norm(theta);
    return std::max({arma::norm(Lambda_ * theta + state.mu * theta - b_) / scale, -room / B_,
                     std::abs(state.mu * room) / scale, -state.mu / scale});
  }

  /// Largest relative error of the other numbers of a RoundState. The distances are meant for this theta_hat.
  double error(const RoundState& state) const {
    const arma::mat V = Lambda_ + lambda_ * arma::eye(arma::size(Lambda_));
    const arma::vec ridge = arma::solve(V, b_);
    const arma::vec e = arma::vec(state.theta_hat) - theta_star_;
    const double q_Lambda = arma::dot(e, Lambda_ * e);
    // 2 (L(theta*) - L(theta_hat)) = ||e||_Lambda^2 + 2 <e, b - Lambda theta_hat>
    const double q_loss = q_Lambda + 2 * arma::dot(e, b_ - Lambda_ * arma::vec(state.theta_hat));
    const arma::vec c = noise_ - lambda_ * theta_star_;
    return std::max({arma::abs(arma::vec(state.theta_ridge) - ridge).max() / std::max(1.0, arma::norm(ridge)),
                     relative_error(state.q_Lambda, q_Lambda), relative_error(state.q_loss, q_loss),
                     relative_error(state.error2, arma::dot(e, e)),
                     relative_error(state.q_ridge, arma::dot(c, arma::solve(V, c))),
                     relative_error(state.logdet, arma::log_det_sympd(V / lambda_))});
  }

 private:
  double B_, lambda_;
  arma::vec theta_star_;
  arma::mat Lambda_;
  arma::vec b_, noise_;
};

}  // namespace mixlab::engine
