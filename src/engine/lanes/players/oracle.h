// Knows theta*.
#pragma once

#include "engine/lanes/player.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Oracle final : public Player<P> {
 public:
  static constexpr std::string_view rule = "oracle";

  Oracle(const Tables&, std::int64_t) {}

  Aim<P> aim(const Learner<P>&, const Environment<P>& environment, int n) override {
    for (int r = 0; r < n; ++r) copy<P>(theta_ + r * P, environment.theta_star());
    return {theta_, this->beta_};
  }
  Aim<P> aim_again(const Learner<P>& learner, const Environment<P>& environment) override {
    return aim(learner, environment, 1);
  }

 private:
  Vec theta_[largest_block * P];
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
