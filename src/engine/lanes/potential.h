// The elliptical potential of what is played (MATHEMATICS.md A.7, F.4): the sum of min(1, ||X_t||^2) in the norm of
// V_{t-d(t)}^{-1}, and the rounds in which that was stale, because det V_{t-1} > 2 det V_{t-d(t)}.
#pragma once

#include "absorbed.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Potential {
 public:
  using V = Vec;

  Potential() {}
  void start(const Tables& tables) {
    played_.resize(std::bit_ceil(static_cast<std::size_t>(tables.lag + 2 * largest_block)));
    T_ = tables.lag == 1 ? 0 : tables.T;  // with lag 1 no round is stale
    first_ = tables.schedule.n_data_free() + 1;
  }

  /// Rounds t..t+n-1 are played with the states after samples r, ..., r+n-1 of the block, and with these ||X_t||^2.
  MIXLAB_INLINE void play(std::int64_t t, int n, const Absorbed<P>& block, int r, const V* width2) {
    V total = total_;
    each_round(n, [&](int i) { total = total + min(width2[i], V(1.0)); });
    total_ = total;
    if (T_ == 0) return;
    const V logdet_then = block.logdet_then, *growth = block.growth + r;
    Played *to = &at(t), *const end = played_.data() + played_.size();
    for (int i = 0; i < n; ++i) {
      *to = {width2[i], logdet_then, growth[i]};
      if (++to == end) to = played_.data();
    }
  }

  /// The samples of the block are in: round t = first, ... can be compared with V_{t-1}. Determinants never fall, and log x
  /// <= x - 1, so mostly one look at the block shows that all is well.
  MIXLAB_INLINE void absorb(const Absorbed<P>& block) {
    const std::int64_t first = std::max(block.first, first_);
    if (first >= std::min(block.first + block.n, T_ + 1)) return;
    const V growth = block.logdet_then - at(first).logdet_then + block.growth[block.n - 1];
    const Mask grown = growth > 1 + largest_fresh_growth;
    if (__builtin_expect(any(grown), 0)) compare(block, first, grown);
  }

  V total() const { return total_; }
  /// Over the rounds that were not stale.
  V fresh() const { return total_ - stale_; }
  V n_stale() const { return n_stale_; }

 private:
  struct Played {
    V width2, logdet_then, growth;
  };

  [[gnu::noinline]] void compare(const Absorbed<P>& block, std::int64_t first, Mask lanes) {
    for (std::int64_t t = first; t < std::min(block.first + block.n, T_ + 1); ++t) {
      const auto r = static_cast<int>(t - block.first);
      const Played& then = at(t);
      const V before = block.logdet_then + log_above_one(r == 0 ? block.growth_before : block.growth[r - 1]);
      const Mask stale = lanes & (before - (then.logdet_then + log_above_one(then.growth)) > largest_fresh_growth);
      stale_ = stale_ + select(stale, min(then.width2, V(1.0)), V(0.0));
      n_stale_ = n_stale_ + select(stale, V(1.0), V(0.0));
    }
  }

  Played& at(std::int64_t t) { return played_[static_cast<std::size_t>(t) & (played_.size() - 1)]; }

  std::int64_t T_ = 0;
  std::int64_t first_ = 1;      ///< round with data
  std::vector<Played> played_;  ///< a ring
  V total_ = 0.0, stale_ = 0.0, n_stale_ = 0.0;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
