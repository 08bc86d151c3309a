// Players: who chooses the actions of a group of trajectories. One per rule (bandit::Rule), which is what the reference
// engine's policy of that rule does.
#pragma once

#include "ball.h"
#include "environment.h"
#include "learner.h"
#include "rules.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// What the arms of a block of rounds are scored by, round after round: <theta, x> + beta ||x||_{V^{-1}}.
template <int P>
struct Aim {
  const Vec* theta;
  const Vec* beta;
};

/// The r-th round of a block.
template <int P>
struct Round {
  const Learner<P>& learner;
  const Environment<P>& environment;
  Aim<P> aim;
  std::int64_t t;
  int r;
  bool again = false;  ///< with the samples of the round before

  const Vec* theta() const { return aim.theta + r * P; }
  Vec beta() const { return aim.beta[r]; }
  /// Of the sample that entered for it.
  const Vec* x() const { return learner.block().x + (learner.block().entered + r) * P; }
};

/// A player has a constructor from (const Tables&, std::int64_t), the latter the trajectory of lane 0, and
///   static constexpr std::string_view rule;
template <int P>
class Player {
 public:
  static constexpr Pace pace = Pace::by_block;
  static constexpr bool depends_on_axes = false;  ///< where the arms are fixed

  Player() {
    for (auto& beta : beta_) beta = 0.0;
  }
  virtual ~Player() = default;

  /// Whether it looks at the ridge estimate, whatever its set is centred at.
  virtual Estimate ridge_estimate() const { return Estimate::skipped; }

  /// For a block of n rounds, for which the learner's last block was absorbed. Called once, and first.
  virtual Aim<P> aim(const Learner<P>& learner, const Environment<P>&, int /*n*/) { return {learner.centre(), beta_}; }

  /// For one more round with the samples of the last one.
  virtual Aim<P> aim_again(const Learner<P>& learner, const Environment<P>&) {
    const int last = learner.block().n - 1 - learner.block().entered;
    return {learner.centre() + last * P, beta_ + last};
  }

  /// Who chooses among arms; `given`: choose_arms does.
  virtual ArmSource arm_source() const { return ArmSource::policy; }
  virtual Choice choose_arms(const Round<P>&) { return {}; }

  /// x: the action in the unit ball.
  virtual void choose_in_ball(const Round<P>& round, Vec* x) { direction_of<P>(round.theta(), x); }

 protected:
  Vec beta_[largest_block];
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
