// The samples between play and learning.
#pragma once

#include "vector.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// Samples that were played and not yet looked at: a ring of the last `lag` ones at least, and of those that have entered
/// since the last look, which lie side by side.
template <int P>
class WaitingSamples {
 public:
  using V = Vec;
  void start(std::int64_t lag, int block, int look) {
    const std::int64_t unit = std::max(block, look), most = lag + unit - block;
    n_ = (most + unit - 1) / unit * unit;
    x_.resize(static_cast<std::size_t>(n_ * P));
    y_.resize(static_cast<std::size_t>(n_));
    eps_.resize(static_cast<std::size_t>(n_));
    again_.resize(static_cast<std::size_t>(n_));
  }
  /// Place in the ring of the sample of round t; those of a block that enters lie one after the other.
  std::int64_t place(std::int64_t t) const { return (t - 1) % n_; }
  /// Places from this one to the end of the ring.
  int n_from(std::int64_t place) const { return static_cast<int>(std::min<std::int64_t>(n_ - place, largest_block)); }
  std::int64_t before(std::int64_t place) const { return (place == 0 ? n_ : place) - 1; }
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
