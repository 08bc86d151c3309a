// What a round plays: one arm per lane.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

struct alignas(Vec) Choice {
  std::int64_t arm[Vec::width];

  /// Of a table with n vectors per arm, those of the arms chosen.
  template <int n>
  MIXLAB_INLINE void take(const Vec* table, Vec* to) const {
    const double* from[Vec::width];
    MIXLAB_UNROLL(8)
    for (int lane = 0; lane < Vec::width; ++lane) from[lane] = table->lanes() + arm[lane] * (n * Vec::width) + lane;
    MIXLAB_UNROLL(32)
    for (int i = 0; i < n; ++i) to[i] = gather(from, i);
  }
};

/// 1 where both chose the same arm, else 0.
MIXLAB_INLINE Vec same(const Choice& a, const Choice& b) {
  constexpr std::int64_t one = 0x3ff0000000000000;
  const Integers equal = *reinterpret_cast<const Integers*>(a.arm) == *reinterpret_cast<const Integers*>(b.arm);
  return Vec(reinterpret_cast<Register>(equal & one));
}

/// Scores closer than this times max(1, |best|) are tied (cf. bandit::lowest_near_best).
inline constexpr double tie = 1e-8;

/// Who chooses the arm: a policy by its scores, or somebody before them.
enum class ArmSource { policy, given };

/// Every arm in turn.
inline Choice in_turn(std::int64_t t, int n_arms) {
  Choice choice;
  for (auto& arm : choice.arm) arm = (t - 1) % n_arms;
  return choice;
}

/// In the lanes of `open`, the lowest index of a score that is tied with the best.
inline void choose_lowest_near_best(const Vec* score, int n, Vec best, Mask open, Choice& choice) {
  const Vec enough = fnma(Vec(tie), max(abs(best), Vec(1.0)), best);
  Vec index = 0.0;
  for (int k = n - 1; k >= 0; --k) index = select(score[k] >= enough, Vec(static_cast<double>(k)), index);
  const Vec chosen = select(open, index, Vec(-1.0));
  for (int lane = 0; lane < Vec::width; ++lane)
    if (chosen[lane] >= 0) choice.arm[lane] = static_cast<std::int64_t>(chosen[lane]);
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
