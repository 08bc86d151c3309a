// What `proof`, `tight` and `tight-kappa` share: constrained least squares, d blocks, a bias per round after the first d.
#pragma once

#include <cmath>

#include "blocks.h"
#include "mixing.h"

namespace mixlab::bandit {

class BlockSet : public AnalyticSet {
 public:
  using AnalyticSet::AnalyticSet;
  Centre centre() const final { return Centre::least_squares; }

  // 2 sigma^2 sum_j regret(t_j) + 4 lambda B^2 + 2 (t-d)_+ kappa phi_d + 2 sigma^2 (cost(t) + m_t log(1/delta))
  RadiusTerms terms(std::int64_t t) const final {
    const auto& c = constants();
    const double sigma2 = c.sigma * c.sigma;
    const double regrets = sum_over_blocks(t, c.d, [&](std::int64_t k) { return regret(k); });
    return {.constant = 2 * sigma2 * regrets + 4 * c.lambda * c.B * c.B + 2 * kappa() * total_bias(t, c.d, c.phi) +
                        2 * sigma2 * cost(t),
            .per_log_delta = 2 * sigma2 * n_active_blocks(t, c.d)};
  }

  std::string why_not_guaranteed(const Collection& collection) const final {
    return needs_lag_and_phi(constants(), collection);
  }

 private:
  /// Regret of the forecaster of a block of k rounds, in units of sigma^2.
  virtual double regret(std::int64_t k) const = 0;
  /// What phi_d costs per round: the largest <theta - theta*, x> over the prior.
  virtual double kappa() const { return 2 * constants().B + constants().sigma; }
  /// What the blocks cost together beyond n_active log(1/delta).
  virtual double cost(std::int64_t t) const = 0;
};

}  // namespace mixlab::bandit
