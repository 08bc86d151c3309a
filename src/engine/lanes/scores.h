// Scores of fixed arms, <theta, x> + beta ||x||_{V^{-1}}, for a block of rounds at once. The widths follow the data, run by
// run of samples x_s that are the same (inverse_in_runs.h):
//   ||x||^2_{V^{-1}} = ||x||^2 before the run - g (x' u)^2.
// So do the means <theta, x> where theta is the ridge estimate, which a sample of the run moves along u.
// Scores of single precision, two arms at a time, tell the best arm apart nearly always; where they do not, all are
// computed once more in full.
#pragma once

#include "lane_arms.h"
#include "singles.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Scores {
 public:
  using V = Vec;

  /// What a block of n rounds is scored with, round after round.
  struct Block {
    int n;
    const V* theta;             ///< n vectors
    const V* beta;              ///< n
    const std::uint8_t* begun;  ///< n: bits of the lanes in which a run begins with the sample that entered; if any,
    const V* u;                 ///< vectors: u of the run, and
    const V* ended;             ///< g of the run that ended there; 0 where none
    const V* gain;              ///< n: g of the run
    const V* growth;            ///< n: 1 + m x' V^{-1} x of the run, V before it, m its samples
    const V* way;               ///< n: how far theta moved along u, from 0 on; nothing if it moves otherwise
  };

  /// `arms`: K vectors, which stay where they are.
  void start(const V* arms, int K, double lambda) {
    arms_ = arms;
    K_ = K;
    n_pairs_ = (K + 1) / 2;
    const auto room = static_cast<std::size_t>(2 * n_pairs_);
    width_.assign(room, {0.0, 0.0});
    for (int k = 0; k < K_; ++k) width_[k].before = dot<P>(arm(k), arm(k)) / lambda;
    score_.resize(room);
    forget_last();
    mean_.resize(static_cast<std::size_t>(largest_block * n_pairs_));
    if (P > 2) {
      along_.assign(room, 0.0);
      moving_mean_.assign(room, 0.0);
    }
    if (worth_a_lane(1)) lane_arms_.start<P>(arms, K);
    paired_arms_.clear();
    for (int k = 0; k < K_; k += 2)
      for (int i = 0; i < P; ++i) paired_arms_.push_back({{pair(arm(k)[i], k + 1 < K_ ? arm(k + 1)[i] : V(0.0))}});
    paired_widths_.resize(static_cast<std::size_t>(n_pairs_));
    for (int k = 0; k < n_pairs_; ++k) paired_widths_[k].number[0] = even_and_odd() + 2 * k;
    pair_widths(0);
    longest_ = 0.0;
    for (int k = 0; k < K_; ++k) longest_ = max(longest_, sqrt(dot<P>(arm(k), arm(k))));
    // (x' u)^2 must not overflow
    longest_ =
        select(longest_ * longest_ > largest_width2 * lambda, V(std::numeric_limits<double>::infinity()), longest_);
  }

  /// Brings the widths up to date with the block. For every round of it: the arm to play, unless it is given, and
  /// ||x||^2_{V^{-1}} of that arm.
  void choose(const Block& block, ArmSource source, Choice* choice, V* width2) {
    if (source == ArmSource::given)
      choose<ArmSource::given>(block, choice, width2);
    else
      choose<ArmSource::policy>(block, choice, width2);
  }

  /// `inverse`: V^{-1}, with which new runs begin, and the ridge estimate.
  [[gnu::noinline]] void refresh(const Symmetric<P>& inverse, const V* ridge) {
    V y[P];
    for (int k = 0; k < K_; ++k) {
      inverse.multiply(arm(k), y);
      width_[k] = {dot<P>(arm(k), y), 0.0};
      if constexpr (P > 2) moving_mean_[k] = dot<P>(arm(k), ridge);
    }
    pair_widths(0);
    forget_last();
  }

 private:
  const V* arm(int k) const { return arms_ + k * P; }

  template <ArmSource source>
  MIXLAB_INLINE void choose(const Block& block, Choice* choice, V* width2) {
    const bool cheap = means_are_cheap(), moving = P > 2 && block.way;
    if (source == ArmSource::policy && !cheap && !moving) find_means(block.theta, block.n);
    for (int r = 0; r < block.n; ++r) {
      if (block.begun[r] != 0) begin_runs(block.begun[r], block.u + r * P, block.ended[r]);
      if (source == ArmSource::policy && moving) move_means(block.way[r], mean_.data() + r * n_pairs_);
      if (source == ArmSource::policy) choose_arm(block, r, cheap, choice[r]);
      if (!all(same(choice[r], last_) > 0.0)) take_width(choice[r]);
      width2[r] = last_width_.after(block.gain[r]);
    }
  }

  /// ||x||^2_{V^{-1}} of an arm in a run.
  struct Width {
    V before, along2;  ///< the run; (x' u)^2
    /// Rounding may have made it negative.
    MIXLAB_INLINE V with_sign(V gain) const { return fnma(along2, gain, before); }
    MIXLAB_INLINE V after(V gain) const { return abs(with_sign(gain)); }
  };

  MIXLAB_INLINE void take_width(const Choice& choice) {
    choice.take<2>(&width_[0].before, &last_width_.before);
    last_ = choice;
  }
  void forget_last() {
    for (std::int64_t& arm : last_.arm) arm = -1;
  }

  /// Whether runs that begin in so few lanes are better looked at lane by lane.
  static constexpr bool worth_a_lane(int n) { return P > 2 && n * (2 * P + 5 * V::width) < 2 * P * V::width; }

  MIXLAB_INLINE void begin_runs(unsigned begun, const V* u, V ended) {
    forget_last();
    if (worth_a_lane(std::popcount(begun))) return begin_runs_in_lanes(begun, u, ended);
    const int rest = K_ / 4 * 4;
    for (int from = 0; from < rest; from += 4) {
      const int k = P > 2 && backwards_ ? rest - 4 - from : from;
      begin_runs<4>(k, u, ended);
      pair_width(k);
      pair_width(k + 2);
    }
    backwards_ = !backwards_;
    for (int k = rest; k < K_; ++k) begin_runs<1>(k, u, ended);
    pair_widths(rest);
  }

  /// The same bits: where no run begins, x' u is what it was.
  [[gnu::noinline]] void begin_runs_in_lanes(unsigned begun, const V* u, V ended) {
    for (; begun != 0; begun &= begun - 1) lane_arms_.project<P>(std::countr_zero(begun), u, along_.data());
    const V* along = along_.data();
    Width* width = width_.data();
    for (int k = 0; k < K_; k += 2, width += 2, along += 2) {
      width[0] = {width[0].after(ended), along[0] * along[0]};
      width[1] = {width[1].after(ended), along[1] * along[1]};
      pair_width(k);
    }
  }

  /// Of arms k and k + 1, and these numbers.
  struct alignas(register_bytes) PairedWidths {
    Singles before[1], along2[1];
    Indices number[1];
  };
  MIXLAB_INLINE void pair_width(int k) {
    PairedWidths& to = paired_widths_[k / 2];
    to.before[0] = pair(width_[k].before, width_[k + 1].before);
    to.along2[0] = pair(width_[k].along2, width_[k + 1].along2);
  }
  /// From arm k on, which is even.
  void pair_widths(int k) {
    for (; k < K_; k += 2) pair_width(k);
  }
  template <int n>
  MIXLAB_INLINE void begin_runs(int k, const V* u, V ended) {
    const V* x = arm(k);
    Width* width = width_.data() + k;
    V along[n];
    MIXLAB_UNROLL(4)
    for (int a = 0; a < n; ++a) along[a] = x[a * P] * u[0];
    MIXLAB_UNROLL(16)
    for (int i = 1; i < P; ++i) {
      MIXLAB_UNROLL(4)
      for (int a = 0; a < n; ++a) along[a] = fma(x[a * P + i], u[i], along[a]);
    }
    MIXLAB_UNROLL(4)
    for (int a = 0; a < n; ++a) {
      width[a] = {width[a].after(ended), along[a] * along[a]};
      if constexpr (P > 2) along_[k + a] = along[a];
    }
  }

  /// <theta, x> in single precision, arms with even numbers in the lower halves, those with odd ones in the upper. Some
  /// rounds at a time: an arm that is loaded serves them all.
  MIXLAB_INLINE void find_means(const V* theta, int n) {
    int r = 0;
    for (; r + 5 <= n; r += 5) find_means<5>(theta, r);
    for (; r + 2 <= n; r += 2) find_means<2>(theta, r);
    if (r < n) find_means_of_round(theta, r);
  }
  /// The same where theta moved so far along u.
  MIXLAB_INLINE void move_means(V way, StoredSingles* mean) {
    V* moving = moving_mean_.data();
    const V* along = along_.data();
    for (int k = 0; k < n_pairs_; ++k, moving += 2, along += 2) {
      moving[0] = fma(way, along[0], moving[0]);
      moving[1] = fma(way, along[1], moving[1]);
      mean[k].r[0] = pair(moving[0], moving[1]);
    }
    if (K_ % 2 != 0) leave_out_last(mean[n_pairs_ - 1].r[0]);
  }
  /// Which is no arm.
  static void leave_out_last(Singles& mean) {
    mean = pair(to_double<Half::lower>(mean), V(-std::numeric_limits<double>::infinity()));
  }
  template <int n>
  MIXLAB_INLINE void find_means(const V* theta, int r) {
    Singles both[n * P];
    MIXLAB_UNROLL(10)
    for (int i = 0; i < n * P; ++i) both[i] = pair(theta[r * P + i], theta[r * P + i]);
    const StoredSingles* x = paired_arms_.data();
    StoredSingles* mean = mean_.data() + r * n_pairs_;
    for (int k = 0; k < n_pairs_; ++k, x += P, ++mean) {
      Singles sum[n];
      MIXLAB_UNROLL(5)
      for (int q = 0; q < n; ++q) sum[q] = x[0].r[0] * both[q * P];
      MIXLAB_UNROLL(16)
      for (int i = 1; i < P; ++i) {
        MIXLAB_UNROLL(5)
        for (int q = 0; q < n; ++q) sum[q] = fma(x[i].r[0], both[q * P + i], sum[q]);
      }
      MIXLAB_UNROLL(5)
      for (int q = 0; q < n; ++q) mean[q * n_pairs_].r[0] = sum[q];
    }
    if (K_ % 2 == 0) return;
    for (int q = 0; q < n; ++q) leave_out_last(mean_[(r + q + 1) * n_pairs_ - 1].r[0]);
  }

  /// Of one round, four pairs at a time: what is loaded of theta serves them all.
  MIXLAB_INLINE void find_means_of_round(const V* theta, int r) {
    Singles both[P];
    MIXLAB_UNROLL(32)
    for (int i = 0; i < P; ++i) both[i] = pair(theta[r * P + i], theta[r * P + i]);
    const StoredSingles* x = paired_arms_.data();
    StoredSingles *mean = mean_.data() + r * n_pairs_, *const end = mean + n_pairs_;
    for (; end - mean >= 4; x += 4 * P, mean += 4) find_means_of_pairs<4>(x, both, mean);
    for (; mean != end; x += P, ++mean) find_means_of_pairs<1>(x, both, mean);
    if (K_ % 2 != 0) leave_out_last(end[-1].r[0]);
  }
  template <int n>
  MIXLAB_INLINE static void find_means_of_pairs(const StoredSingles* x, const Singles* both, StoredSingles* mean) {
    Singles sum[n];
    MIXLAB_UNROLL(4)
    for (int k = 0; k < n; ++k) sum[k] = x[k * P].r[0] * both[0];
    MIXLAB_UNROLL(32)
    for (int i = 1; i < P; ++i) {
      MIXLAB_UNROLL(4)
      for (int k = 0; k < n; ++k) sum[k] = fma(x[k * P + i].r[0], both[i], sum[k]);
    }
    MIXLAB_UNROLL(4)
    for (int k = 0; k < n; ++k) mean[k].r[0] = sum[k];
  }

  /// So cheap that they are not worth a table.
  bool means_are_cheap() const { return P == 2 && K_ % 2 == 0; }

  MIXLAB_INLINE void choose_arm(const Block& block, int r, bool cheap, Choice& choice) {
    const V* theta = block.theta + r * P;
    BestTwo best;
    if (cheap) {
      const Singles first = pair(theta[0], theta[0]), second = pair(theta[1], theta[1]);
      see_all<P>(block, r, paired_arms_.data(), best,
                 [&](const StoredSingles* x) { return fma(x[1].r[0], second, x[0].r[0] * first); });
    } else {
      see_all<1>(block, r, mean_.data() + r * n_pairs_, best, [&](const StoredSingles* mean) { return mean->r[0]; });
    }
    const Mask clear = choose_better_half<P>(best, longest_, theta, block.beta[r], block.growth[r], choice);
    if (__builtin_expect(!all(clear), 0)) compare_closely(block, r, clear, choice);
  }

  /// `mean`: of a pair of arms, by `size` numbers of its own.
  template <int size, class Mean>
  MIXLAB_INLINE void see_all(const Block& block, int r, const StoredSingles* own, BestTwo& best, Mean mean) const {
    const V gain = block.gain[r];
    const Singles beta = pair(block.beta[r], block.beta[r]), minus_gain = pair(-gain, -gain);
    const PairedWidths *width = paired_widths_.data(), *const end = width + n_pairs_;
    const auto see = [&](const PairedWidths& pair, Singles mean_of_pair) {
      const Singles width2 = abs(fma(minus_gain, pair.along2[0], pair.before[0]));
      best.see(fma(beta, sqrt(width2), mean_of_pair), pair.number[0]);
    };
    for (; end - width >= 4; width += 4, own += 4 * size) {
      MIXLAB_UNROLL(4)
      for (int k = 0; k < 4; ++k) see(width[k], mean(own + k * size));
    }
    for (; width != end; ++width, own += size) see(*width, mean(own));
  }

  /// Scores in full precision where the best two are close.
  [[gnu::noinline]] void compare_closely(const Block& block, int r, Mask clear, Choice& choice) {
    V best = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < K_; ++k) {
      score_[k] = fma(block.beta[r], sqrt(width_[k].after(block.gain[r])), dot<P>(arm(k), block.theta + r * P));
      best = max(best, score_[k]);
    }
    choose_lowest_near_best(score_.data(), K_, best, !clear, choice);
  }

  static constexpr double largest_width2 = 1e15;

  V longest_;  ///< arm; infinite where single precision is not to be trusted
  const V* arms_ = nullptr;
  std::vector<StoredSingles> paired_arms_;  ///< arms 0 and 1, arms 2 and 3, ...
  std::vector<StoredSingles> mean_;         ///< likewise, round after round
  LaneArms lane_arms_;                      ///< once more
  std::vector<V> along_, moving_mean_;      ///< x' u and the mean of every arm, which follows the data
  int K_ = 0, n_pairs_ = 0;
  bool backwards_ = false;  ///< the next pass over many arms, which begins with those that are still in the cache
  std::vector<Width> width_;
  std::vector<PairedWidths> paired_widths_;  ///< the same in single precision
  std::vector<V> score_;
  Choice last_;       ///< arms whose
  Width last_width_;  ///< this is, while it does not change
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
