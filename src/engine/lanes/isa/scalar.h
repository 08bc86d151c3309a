// Lane by lane, for every machine: two lanes in the compiler's own vectors, and a fused multiply-add that is a call of the
// library.
//
// The files of this folder are instruction sets, with the same operations in each. A source defines MIXLAB_LANES, the
// namespace of all that it compiles for the instruction set, then includes one of them and after it what it compiles.
#pragma once

#include "engine/lanes/prelude.h"
#include "rolled.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

inline constexpr int n_lanes = 2;

}  // namespace mixlab::engine::lanes::MIXLAB_LANES

#include "generic.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// a b + c. Not inlined: without an instruction for it a call of the library per lane.
[[gnu::noinline]] MIXLAB_INLINE Vec fma(Vec a, Vec b, Vec c) {
  for (int lane = 0; lane < n_lanes; ++lane) c.r[0][lane] = std::fma(a.r[0][lane], b.r[0][lane], c.r[0][lane]);
  return c;
}
/// c - a b
MIXLAB_INLINE Vec fnma(Vec a, Vec b, Vec c) {
  return fma(Vec(-a.r[0]), b, c);
}

/// a b + c, in two steps where there is nothing better.
MIXLAB_INLINE Singles fma(Singles a, Singles b, Singles c) {
  return a * b + c;
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
