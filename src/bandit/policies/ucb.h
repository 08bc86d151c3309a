#pragma once

#include "mixlab/bandit/policy.h"

namespace mixlab::bandit {

inline Parameter ucb_parameter() {
  return Parameter::text("ucb", "ellipsoid", "maximise over the set's ellipsoid, or over its cut with the ball")
      .one_of({"ellipsoid", "ellipsoid_ball"});
}

/// Plays the arm of largest upper confidence bound, over the ellipsoid or over the ellipsoid cut with the ball.
class Ucb final : public Policy {
 public:
  explicit Ucb(const Values& parameters) : cut_(parameters.text("ucb") == "ellipsoid_ball") {}

  std::optional<Rule> rule() const override { return Rule{cut_ ? "ucb_in_ball" : "ucb"}; }

  arma::uword choose(const View& view, random::Stream&) const override {
    return lowest_near_best(cut_ ? ellipsoid_ball_ucb(view) : ellipsoid_ucb(view));
  }

  // max over x and theta of <theta, x> is the largest norm in the set; the direction of a point that has it is played.
  arma::vec choose_in_ball(const View& view, random::Stream&) const override {
    const Ellipsoid ellipsoid = ellipsoid_of(view);
    return direction_of(cut_ ? ellipsoid.longest_in_ball(view.set.constants().B) : ellipsoid.longest());
  }

 private:
  bool cut_;
};

}  // namespace mixlab::bandit
