// Every arm in turn, in the ball the unit vectors.
#pragma once

#include "engine/lanes/player.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class InTurn final : public Player<P> {
 public:
  static constexpr std::string_view rule = "in_turn";

  InTurn(const Tables& tables, std::int64_t) : p_(tables.p) {}

  ArmSource arm_source() const override { return ArmSource::given; }
  Choice choose_arms(const Round<P>& round) override { return in_turn(round.t, round.environment.n_arms()); }
  void choose_in_ball(const Round<P>& round, Vec* x) override { unit_vector<P>(round.t, p_, x); }

 private:
  int p_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
