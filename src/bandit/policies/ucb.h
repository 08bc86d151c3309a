#pragma once

#include "mixlab/bandit/policy.h"

namespace mixlab::bandit {

/// Plays the arm of largest upper confidence bound.
class Ucb final : public Policy {
 public:
  arma::uword choose(const View& view, random::Stream&) const override { return lowest_near_best(ellipsoid_ucb(view)); }
};

}  // namespace mixlab::bandit
