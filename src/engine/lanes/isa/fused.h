// Machines with an instruction for fused multiply-add: four lanes in the compiler's own vectors, which makes vector
// instructions of operations that are written lane by lane. The operations mean what generic.h and scalar.h say.
#pragma once

#include "engine/lanes/prelude.h"
#include "unrolled.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

inline constexpr int n_lanes = 4;

}  // namespace mixlab::engine::lanes::MIXLAB_LANES

#include "generic.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

MIXLAB_INLINE Vec fma(Vec a, Vec b, Vec c) {
  for (int lane = 0; lane < n_lanes; ++lane) c.r[0][lane] = __builtin_fma(a.r[0][lane], b.r[0][lane], c.r[0][lane]);
  return c;
}
MIXLAB_INLINE Vec fnma(Vec a, Vec b, Vec c) {
  return fma(Vec(-a.r[0]), b, c);
}

MIXLAB_INLINE Singles fma(Singles a, Singles b, Singles c) {
  for (int l = 0; l < 2 * n_lanes; ++l) c[l] = __builtin_fmaf(a[l], b[l], c[l]);
  return c;
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
