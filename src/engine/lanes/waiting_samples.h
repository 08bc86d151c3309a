// The samples between play and learning.
#pragma once

#include "vector.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// Samples that were played and not yet seen: a ring of the last `lag` ones at least, those of a block side by side.
template <int P>
class WaitingSamples {
 public:
  using V = Vec;
  void start(std::int64_t lag, int block) {
    n_ = (lag + block - 1) / block * block;
    x_.resize(static_cast<std::size_t>(n_ * P));
    y_.resize(static_cast<std::size_t>(n_));
    eps_.resize(static_cast<std::size_t>(n_));
    again_.resize(static_cast<std::size_t>(n_));
  }
  /// Place in the ring of the sample of round t; those of a block that enters lie one after the other.
  std::int64_t place(std::int64_t t) const { return (t - 1) % n_; }
  std::int64_t after(std::int64_t place) const { return place + 1 == n_ ? 0 : place + 1; }
  V* x(std::int64_t place) { return x_.data() + place * P; }
  V* y(std::int64_t place) { return y_.data() + place; }
  V* eps(std::int64_t place) { return eps_.data() + place; }
  /// 1 where x is known to be that of the round before, else 0.
  V* again(std::int64_t place) { return again_.data() + place; }

 private:
  std::int64_t n_ = 1;
  std::vector<V> x_, y_, eps_, again_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
