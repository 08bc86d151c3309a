// Decision sets: how a player's aim becomes actions, among fixed arms, arms that are new every round, or in the unit ball.
// Keeps the potential of what is played.
#pragma once

#include "fresh_scores.h"
#include "player.h"
#include "potential.h"
#include "scores.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class DecisionSet {
 public:
  explicit DecisionSet(const Tables& tables) { potential_.start(tables); }
  virtual ~DecisionSet() = default;

  /// Rounds t..t+n-1 of the start, without data: every arm in turn, in the ball the unit vectors.
  virtual void play_in_turn(std::int64_t t, int n, Environment<P>& environment) = 0;
  /// Rounds t..t+n-1, for which the learner's last block was absorbed.
  virtual void play(std::int64_t t, int n, const Learner<P>& learner, Player<P>& player,
                    Environment<P>& environment) = 0;
  /// Round t, for which no further sample was absorbed.
  virtual void play_again(std::int64_t t, const Learner<P>& learner, Player<P>& player,
                          Environment<P>& environment) = 0;

  Potential<P>& potential() { return potential_; }

 protected:
  static void play_arms_in_turn(std::int64_t t, int n, Environment<P>& environment) {
    Choice choice[largest_block];
    for (int r = 0; r < n; ++r) choice[r] = in_turn(t + r, environment.n_arms());
    environment.play(t, n, choice);
  }

  /// If the scores do not.
  static void choose_before_scores(std::int64_t t, int n, const Learner<P>& learner, Player<P>& player,
                                   const Environment<P>& environment, Aim<P> aim, Choice* choice) {
    if (player.arm_source() == ArmSource::policy) return;
    for (int r = 0; r < n; ++r) choice[r] = player.choose_arms({learner, environment, aim, t + r, r});
  }

 private:
  Potential<P> potential_;
};

template <int P>
class FixedArms final : public DecisionSet<P> {
 public:
  FixedArms(const Tables& tables, const Environment<P>& environment) : DecisionSet<P>(tables) {
    scores_.start(environment.arms(), environment.n_arms(), tables.lambda);
  }

  void play_in_turn(std::int64_t t, int n, Environment<P>& environment) override {
    this->play_arms_in_turn(t, n, environment);
  }

  void play(std::int64_t t, int n, const Learner<P>& learner, Player<P>& player, Environment<P>& environment) override {
    const Aim<P> aim = player.aim(learner, environment, n);
    Choice choice[largest_block];
    Vec width2[largest_block];
    this->choose_before_scores(t, n, learner, player, environment, aim, choice);
    const Absorbed<P>& block = learner.block();
    const int first = block.entered;
    scores_.choose(
        {n, aim.theta, aim.beta, block.begun + first, block.vx + first * P, block.ended + first, block.gain + first,
         block.run_growth + first, aim.theta == learner.centre() ? learner.way() : nullptr},
        player.arm_source(), choice, width2);
    this->potential().play(t, n, block, first, width2);
    environment.play(t, n, choice);
    if (learner.has_new_inverse()) scores_.refresh(learner.ridge().inverse(), learner.ridge().theta());
  }

  void play_again(std::int64_t t, const Learner<P>& learner, Player<P>& player, Environment<P>& environment) override {
    const Aim<P> aim = player.aim_again(learner, environment);
    Choice choice;
    if (player.arm_source() == ArmSource::given) choice = player.choose_arms({learner, environment, aim, t, 0, true});
    Vec width2;
    const Absorbed<P>& block = learner.block();
    const std::uint8_t begun = 0;
    const bool moves = aim.theta == learner.centre() + (block.n - 1 - block.entered) * P;
    const Vec nowhere_to = 0.0;
    const int last = block.n - 1;
    scores_.choose({1, aim.theta, aim.beta, &begun, nullptr, nullptr, block.gain + last, block.run_growth + last,
                    moves && learner.way() ? &nowhere_to : nullptr},
                   player.arm_source(), &choice, &width2);
    this->potential().play(t, 1, block, block.n - 1, &width2);
    environment.play(t, 1, &choice);
  }

 private:
  Scores<P> scores_;
};

/// Blocks of one round.
template <int P>
class ChangingArms final : public DecisionSet<P> {
 public:
  ChangingArms(const Tables& tables, const Environment<P>& environment) : DecisionSet<P>(tables) {
    scores_.start(environment.n_arms());
  }

  void play_in_turn(std::int64_t t, int n, Environment<P>& environment) override {
    environment.draw_arms();
    this->play_arms_in_turn(t, n, environment);
  }

  void play(std::int64_t t, int n, const Learner<P>& learner, Player<P>& player, Environment<P>& environment) override {
    play_round(t, {learner, environment, player.aim(learner, environment, n), t, 0}, player, environment);
  }

  void play_again(std::int64_t t, const Learner<P>& learner, Player<P>& player, Environment<P>& environment) override {
    play_round(t, {learner, environment, player.aim_again(learner, environment), t, 0, true}, player, environment);
  }

 private:
  void play_round(std::int64_t t, const Round<P>& round, Player<P>& player, Environment<P>& environment) {
    environment.draw_arms();
    Choice choice;
    Vec width2;
    if (player.arm_source() == ArmSource::given) choice = player.choose_arms(round);
    scores_.choose(environment.arms(), round.theta(), round.beta(), round.learner.ridge().inverse(),
                   player.arm_source(), choice, width2);
    const Absorbed<P>& block = round.learner.block();
    this->potential().play(t, 1, block, block.n - 1, &width2);
    environment.play(t, 1, &choice);
  }

  FreshScores<P> scores_;
};

template <int P>
class UnitBall final : public DecisionSet<P> {
 public:
  explicit UnitBall(const Tables& tables) : DecisionSet<P>(tables), p_(tables.p) {}

  void play_in_turn(std::int64_t t, int n, Environment<P>& environment) override {
    Vec x[largest_block * P];
    for (int r = 0; r < n; ++r) unit_vector<P>(t + r, p_, x + r * P);
    environment.play(t, n, x);
  }

  void play(std::int64_t t, int n, const Learner<P>& learner, Player<P>& player, Environment<P>& environment) override {
    const Aim<P> aim = player.aim(learner, environment, n);
    const Absorbed<P>& block = learner.block();
    Vec x[largest_block * P], width2[largest_block];
    for (int r = 0; r < n; ++r) {
      player.choose_in_ball({learner, environment, aim, t + r, r}, x + r * P);
      width2[r] = width2_after<P>(r, block, learner.ridge().inverse(), x + r * P);
    }
    this->potential().play(t, n, block, 0, width2);
    environment.play(t, n, x);
  }

  void play_again(std::int64_t t, const Learner<P>& learner, Player<P>& player, Environment<P>& environment) override {
    Vec x[P];
    player.choose_in_ball({learner, environment, player.aim_again(learner, environment), t, 0, true}, x);
    const Absorbed<P>& block = learner.block();
    const Vec width2 = width2_after<P>(block.n - 1, block, learner.ridge().inverse(), x);
    this->potential().play(t, 1, block, block.n - 1, &width2);
    environment.play(t, 1, x);
  }

 private:
  int p_;
};

template <int P>
std::unique_ptr<DecisionSet<P>> make_decision_set(const Tables& tables, const Environment<P>& environment) {
  switch (tables.decisions) {
    case Decisions::fresh_arms:
      return std::make_unique<ChangingArms<P>>(tables, environment);
    case Decisions::unit_ball:
      return std::make_unique<UnitBall<P>>(tables);
    default:
      return std::make_unique<FixedArms<P>>(tables, environment);
  }
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
