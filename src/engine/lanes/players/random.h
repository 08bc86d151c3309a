// Any arm, in the ball any direction.
#pragma once

#include "engine/lanes/player.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Random final : public Player<P> {
 public:
  static constexpr std::string_view rule = "random";

  Random(const Tables& tables, std::int64_t first) : p_(tables.p) {
    for (int lane = 0; lane < Vec::width; ++lane) streams_.push_back(tables.policy_stream(first + lane));
  }

  ArmSource arm_source() const override { return ArmSource::given; }
  Choice choose_arms(const Round<P>& round) override {
    Choice choice;
    for (int lane = 0; lane < Vec::width; ++lane)
      choice.arm[lane] = static_cast<std::int64_t>(random::uniform(streams_[static_cast<std::size_t>(lane)].next()) *
                                                   round.environment.n_arms());
    return choice;
  }
  void choose_in_ball(const Round<P>&, Vec* x) override { draw_directions<P>(p_, streams_, x); }

 private:
  int p_;
  std::vector<random::Stream> streams_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
