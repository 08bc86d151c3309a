#pragma once

#include "mixlab/bandit/arms.h"

namespace mixlab::bandit {

/// K independent uniform unit vectors: once a trajectory, or new ones every round.
class Sphere final : public Arms {
 public:
  Sphere(int p, int n_arms, Kind kind) : p_(p), n_arms_(n_arms), kind_(kind) {}
  Kind kind() const override { return kind_; }
  int n_arms() const override { return n_arms_; }
  arma::mat draw(const arma::vec&, random::Stream& stream) const override {
    arma::mat arms(static_cast<arma::uword>(p_), static_cast<arma::uword>(n_arms_));
    for (arma::uword k = 0; k < arms.n_cols; ++k) arms.col(k) = draw_direction(p_, stream);
    return arms;
  }

 private:
  int p_;
  int n_arms_;
  Kind kind_;
};

}  // namespace mixlab::bandit
