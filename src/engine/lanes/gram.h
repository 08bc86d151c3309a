// Lambda = sum of X_s X_s' by two-level summation: adding the same x x' for ever biases rounding enough to swamp rarely
// played directions; a short sum is hardly rounded.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Gram {
 public:
  Gram() {
    for (auto& entry : past_.a) entry = 0.0;
    for (auto& entry : recent_.a) entry = 0.0;
  }

  /// Takes in n samples, a block.
  MIXLAB_INLINE void add(const Vec* x, int n) { recent_.add_products(x, n); }
  /// The same, each as often as its weight says.
  MIXLAB_INLINE void add(const Vec* x, const Vec* weight, int n) {
    for (int r = 0; r < n; ++r)
      if (any(weight[r] > 0.0)) recent_.subtract(x + r * P, -weight[r]);
  }
  /// Call every Schedule::refresh rounds.
  void sum_up() {
    past_.add(recent_);
    for (auto& entry : recent_.a) entry = 0.0;
  }

  /// Lambda of all samples, and of n more.
  Symmetric<P> with(const Vec* x, int n) const {
    Symmetric<P> sum = recent_;
    sum.add_products(x, n);
    sum.add(past_);
    return sum;
  }
  /// Lambda of all samples, in one pass.
  Symmetric<P> matrix() const {
    Symmetric<P> sum;
    for (int i = 0; i < Symmetric<P>::size; ++i) sum.a[i] = recent_.a[i] + past_.a[i];
    return sum;
  }

  /// Their sum is Lambda.
  const Symmetric<P>& past() const { return past_; }
  const Symmetric<P>& recent() const { return recent_; }
  /// Takes in a block by somebody who has added its samples to `recent`, one after the other.
  MIXLAB_INLINE void replace_recent(const Symmetric<P>& recent) { recent_ = recent; }

 private:
  Symmetric<P> past_;
  Symmetric<P> recent_;  ///< those since sum_up
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
