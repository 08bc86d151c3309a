// Thompson sampling: theta drawn around the ridge estimate, beta 0.
#pragma once

#include "engine/lanes/player.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Thompson final : public Player<P> {
 public:
  using V = Vec;
  static constexpr std::string_view rule = "thompson";
  static constexpr Pace pace = Pace::by_round;
  static constexpr bool depends_on_axes = true;

  /// The rule's parameter: factor on the posterior standard deviation, in units of sigma.
  Thompson(const Tables& tables, std::int64_t first)
      : p_(tables.p), lambda_(tables.lambda), deviation_(tables.rule_parameters.at(0) * tables.policy.sigma()) {
    for (int lane = 0; lane < V::width; ++lane) streams_.push_back(tables.policy_stream(first + lane));
  }

  Estimate ridge_estimate() const override { return Estimate::followed; }

  /// theta_ridge + deviation L'^{-1} g
  Aim<P> aim(const Learner<P>& learner, const Environment<P>&, int) override {
    V g[P], step[P];
    for (int lane = 0; lane < V::width; ++lane)
      for (int i = 0; i < P; ++i)
        g[i].set(lane, i < p_ ? random::normal(streams_[static_cast<std::size_t>(lane)].next()) : 0.0);
    Factor<P> factor;
    factor.factor(learner.gram().matrix(), lambda_, p_);
    factor.backward(g, step);
    copy<P>(theta_, learner.ridge().theta());
    add<P>(theta_, V(deviation_), step);
    return {theta_, this->beta_};
  }
  Aim<P> aim_again(const Learner<P>& learner, const Environment<P>& environment) override {
    return aim(learner, environment, 1);
  }

 private:
  int p_;
  double lambda_, deviation_;
  std::vector<random::Stream> streams_;
  V theta_[P];
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
