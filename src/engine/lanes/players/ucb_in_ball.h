// Optimism over the set's ellipsoid cut with the ball.
#pragma once

#include "ucb.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class UcbInBall final : public Ucb<P> {
 public:
  static constexpr std::string_view rule = "ucb_in_ball";

  UcbInBall(const Tables& tables, std::int64_t) : Ucb<P>(tables, tables.policy.B()) {}

  ArmSource arm_source() const override { return ArmSource::given; }
  Choice choose_arms(const Round<P>& round) override {
    if (!round.again) this->optimism_.absorb(round.x());
    return this->optimism_.choose_arms(round.theta(), round.beta(), round.environment.arms(),
                                       round.environment.n_arms());
  }
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
