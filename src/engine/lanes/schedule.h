// When what follows the samples is made anew (MATHEMATICS.md C.6): at every sample at first, then at the ends of blocks,
// ever more rarely. Functions of the sample's number alone, so that no lane depends on its neighbours.
#pragma once

#include "estimator.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

struct Schedule {
  static constexpr std::int64_t early = 200;
  /// Of the constrained estimator at sample t.
  static Shift shift(std::int64_t t, int p) {
    return t < std::max(40, 2 * p) || (t < early && t % 4 == 0) ? Shift::renewed : Shift::kept;
  }
  /// Samples between its shifts, from `early` on.
  static std::int64_t interval(std::int64_t t) { return t < 600 ? 10 : 20; }
  /// Rounds between refreshments of V^{-1}.
  static constexpr std::int64_t refresh = 512;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
