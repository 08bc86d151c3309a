// T + shift I = L D L' for a tridiagonal T, one problem per lane, where that is positive definite.
#pragma once

#include "tridiagonal.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class TridiagonalLdl {
 public:
  using V = Vec;

  MIXLAB_INLINE void factor(const Tridiagonal<P>& T, V shift) {
    V below = 0.0;
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) {
      L_[i] = T.beside(i) * below;
      inverse_[i] = below = 1.0 / fnma(L_[i], T.beside(i), T.diagonal(i) + shift);
    }
  }

  /// y = (T + shift I)^{-1} x; they may be the same.
  MIXLAB_INLINE void solve(const V* x, V* y) const {
    V last = y[0] = x[0];
    MIXLAB_UNROLL(16)
    for (int i = 1; i < P; ++i) y[i] = last = fnma(L_[i], last, x[i]);
    y[P - 1] = last = last * inverse_[P - 1];
    MIXLAB_UNROLL(16)
    for (int i = P - 2; i >= 0; --i) y[i] = last = fnma(L_[i + 1], last, y[i] * inverse_[i]);
  }

 private:
  V L_[P];        ///< L(i, i - 1)
  V inverse_[P];  ///< 1/pivot
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
