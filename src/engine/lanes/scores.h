// Scores of fixed arms, <theta, x> + beta ||x||_{V^{-1}}, for a block of rounds at once. The widths follow the data:
//   ||x||^2_{V^{-1}} -= (x' V^{-1} x_s)^2/(1 + x_s' V^{-1} x_s)   for every sample x_s.
// Scores of single precision, at half the price, tell the best arm apart nearly always; where they do not, all are
// computed once more in full.
#pragma once

#include "singles.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Scores {
 public:
  using V = Vec;

  /// What a block of n rounds is scored with, round after round.
  struct Block {
    int n;
    const V* theta;  ///< n vectors
    const V* beta;   ///< n
    const V* vx;     ///< n vectors: V^{-1} x of the sample that entered
    const V* gain;   ///< n: 1/(1 + x' V^{-1} x)
  };

  /// `arms`: K vectors, which stay where they are.
  void start(const V* arms, int K, double lambda) {
    arms_ = arms;
    K_ = K;
    width2_.resize(static_cast<std::size_t>(K_));
    for (int k = 0; k < K_; ++k) width2_[k] = dot<P>(arm(k), arm(k)) / lambda;
    score_.resize(width2_.size());
    width2_then_.resize(2 * most_pairs * width2_.size());
    single_arms_.clear();
    paired_arms_.clear();
    for (int i = 0; i < K_ * P; ++i) single_arms_.push_back(to_single(arms_[i]));
    for (int k = 0; k < K_; k += 2)
      for (int i = 0; i < P; ++i) paired_arms_.push_back({{pair(arm(k)[i], k + 1 < K_ ? arm(k + 1)[i] : V(0.0))}});
    longest_ = 0.0;
    for (int k = 0; k < K_; ++k) longest_ = max(longest_, sqrt(dot<P>(arm(k), arm(k))));
  }

  /// Brings the widths up to date with the block. For every round of it: the arm to play, unless it is given, and
  /// ||x||^2_{V^{-1}} of that arm. Some pairs of rounds at a time: an arm that is loaded serves them all.
  void choose(const Block& block, ArmSource source, Choice* choice, V* width2) {
    int r = 0;
    for (; r + 2 * most_pairs <= block.n; r += 2 * most_pairs)
      choose_in_pairs<most_pairs>(block, r, source, choice + r, width2 + r);
    for (; r + 2 <= block.n; r += 2) choose_in_pairs<1>(block, r, source, choice + r, width2 + r);
    if (r < block.n) choose_in_one(block, r, source, choice[r], width2[r]);
  }

  [[gnu::noinline]] void refresh(const Symmetric<P>& inverse) {
    V y[P];
    for (int k = 0; k < K_; ++k) {
      inverse.multiply(arm(k), y);
      width2_[k] = dot<P>(arm(k), y);
    }
  }

 private:
  const V* arm(int k) const { return arms_ + k * P; }

  static constexpr int most_pairs = P < 4 ? 1 : 2;

  /// Pairs of rounds: the first of a pair in the lower halves, the second in the upper ones.
  template <int n_pairs>
  MIXLAB_INLINE void choose_in_pairs(const Block& block, int r, ArmSource source, Choice* choice, V* width2) {
    Singles theta[n_pairs * P], beta[n_pairs];
    BestTwo best[n_pairs];
    MIXLAB_UNROLL(2)
    for (int couple = 0; couple < n_pairs; ++couple) {
      const int first = r + 2 * couple;
      MIXLAB_UNROLL(32)
      for (int i = 0; i < P; ++i)
        theta[couple * P + i] = pair(block.theta[first * P + i], block.theta[(first + 1) * P + i]);
      beta[couple] = pair(block.beta[first], block.beta[first + 1]);
    }
    int k = 0;
    Indices index = {};
    for (; k + 2 <= K_; k += 2, index += 2) score_in_pairs<n_pairs, 2>(block, theta, beta, k, index, r, best);
    if (k < K_) score_in_pairs<n_pairs, 1>(block, theta, beta, k, index, r, best);
    if (source == ArmSource::policy) {
      MIXLAB_UNROLL(2)
      for (int couple = 0; couple < n_pairs; ++couple) {
        const int q = 2 * couple;
        decide<Half::lower>(block, r + q, best[couple], width2_then_.data() + q * K_, choice[q]);
        decide<Half::upper>(block, r + q + 1, best[couple], width2_then_.data() + (q + 1) * K_, choice[q + 1]);
      }
    }
    MIXLAB_UNROLL(4)
    for (int q = 0; q < 2 * n_pairs; ++q) choice[q].take<1>(width2_then_.data() + q * K_, width2 + q);
  }

  template <Half half>
  MIXLAB_INLINE void decide(const Block& block, int r, const BestTwo& best, const V* width2, Choice& choice) {
    choice = to_choice<half>(best.index);
    const Mask clear = is_clear<P>(to_double<half>(best.first), to_double<half>(best.second), longest_,
                                   block.theta + r * P, block.beta[r]);
    if (__builtin_expect(!all(clear), 0)) compare_closely(block, r, width2, clear, choice);
  }

  /// Scores in full precision where the best two are close.
  [[gnu::noinline]] void compare_closely(const Block& block, int r, const V* width2, Mask clear, Choice& choice) {
    V best = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < K_; ++k) {
      score_[k] = fma(block.beta[r], sqrt(width2[k]), dot<P>(arm(k), block.theta + r * P));
      best = max(best, score_[k]);
    }
    choose_lowest_near_best(score_.data(), K_, best, !clear, choice);
  }

  template <int n_pairs, int n_arms>
  MIXLAB_INLINE void score_in_pairs(const Block& block, const Singles* theta, const Singles* beta, int k, Indices index,
                                    int r, BestTwo* best) {
    V along[n_arms][2 * n_pairs];
    Singles mean[n_arms][n_pairs];
    const V* x = arm(k);
    const HalfSingles* single_x = single_arms_.data() + k * P;
    const V* vx = block.vx + r * P;
    MIXLAB_UNROLL(2)
    for (int a = 0; a < n_arms; ++a) {
      MIXLAB_UNROLL(4)
      for (int q = 0; q < 2 * n_pairs; ++q) along[a][q] = x[a * P] * vx[q * P];
      MIXLAB_UNROLL(2)
      for (int q = 0; q < n_pairs; ++q) mean[a][q] = in_both_halves(single_x[a * P]) * theta[q * P];
    }
    MIXLAB_UNROLL(4)
    for (int i = 1; i < P; ++i) {
      MIXLAB_UNROLL(4)
      for (int q = 0; q < 2 * n_pairs; ++q) {
        MIXLAB_UNROLL(2)
        for (int a = 0; a < n_arms; ++a) along[a][q] = fma(x[a * P + i], vx[q * P + i], along[a][q]);
      }
      MIXLAB_UNROLL(2)
      for (int q = 0; q < n_pairs; ++q) {
        MIXLAB_UNROLL(2)
        for (int a = 0; a < n_arms; ++a)
          mean[a][q] = fma(in_both_halves(single_x[a * P + i]), theta[q * P + i], mean[a][q]);
      }
    }
    MIXLAB_UNROLL(2)
    for (int a = 0; a < n_arms; ++a) {
      V width2 = width2_[k + a];
      V then[2 * n_pairs];
      MIXLAB_UNROLL(4)
      for (int q = 0; q < 2 * n_pairs; ++q)
        width2_then_[q * K_ + k + a] = then[q] = width2 = narrow(width2, along[a][q], block.gain[r + q]);
      width2_[k + a] = width2;
      MIXLAB_UNROLL(2)
      for (int q = 0; q < n_pairs; ++q)
        best[q].see(fma(beta[q], sqrt(pair(then[2 * q], then[2 * q + 1])), mean[a][q]), index + a);
    }
  }

  /// One round: arms with even numbers in the lower halves, those with odd ones in the upper.
  MIXLAB_INLINE void choose_in_one(const Block& block, int r, ArmSource source, Choice& choice, V& width2) {
    Singles theta[P];
    MIXLAB_UNROLL(32)
    for (int i = 0; i < P; ++i) theta[i] = pair(block.theta[r * P + i], block.theta[r * P + i]);
    const Singles beta = pair(block.beta[r], block.beta[r]);
    BestTwo best;
    int k = 0;
    Indices index = even_and_odd();
    for (; k + 4 <= K_; k += 4, index += 4) score_in_one<4>(block, theta, beta, k, index, r, best);
    if (k + 2 <= K_) {
      score_in_one<2>(block, theta, beta, k, index, r, best);
      k += 2;
      index += 2;
    }
    if (k < K_) score_in_one<1>(block, theta, beta, k, index, r, best);
    if (source == ArmSource::policy) {
      const Mask clear = choose_better_half<P>(best, longest_, block.theta + r * P, block.beta[r], choice);
      if (__builtin_expect(!all(clear), 0)) compare_closely(block, r, width2_.data(), clear, choice);
    }
    choice.take<1>(width2_.data(), &width2);
  }

  template <int n_arms>
  MIXLAB_INLINE void score_in_one(const Block& block, const Singles* theta, Singles beta, int k, Indices index, int r,
                                  BestTwo& best) {
    constexpr int n_pairs = (n_arms + 1) / 2;
    V along[n_arms];
    Singles mean[n_pairs];
    const V *x = arm(k), *vx = block.vx + r * P;
    const StoredSingles* paired = paired_arms_.data() + k / 2 * P;
    MIXLAB_UNROLL(4)
    for (int a = 0; a < n_arms; ++a) along[a] = x[a * P] * vx[0];
    MIXLAB_UNROLL(2)
    for (int q = 0; q < n_pairs; ++q) mean[q] = paired[q * P].r[0] * theta[0];
    MIXLAB_UNROLL(4)
    for (int i = 1; i < P; ++i) {
      MIXLAB_UNROLL(4)
      for (int a = 0; a < n_arms; ++a) along[a] = fma(x[a * P + i], vx[i], along[a]);
      MIXLAB_UNROLL(2)
      for (int q = 0; q < n_pairs; ++q) mean[q] = fma(paired[q * P + i].r[0], theta[i], mean[q]);
    }
    MIXLAB_UNROLL(4)
    for (int a = 0; a < n_arms; ++a) width2_[k + a] = along[a] = narrow(width2_[k + a], along[a], block.gain[r]);
    MIXLAB_UNROLL(2)
    for (int q = 0; q < n_pairs; ++q) {
      const bool whole = 2 * q + 1 < n_arms;
      Singles score = fma(beta, sqrt(pair(along[2 * q], whole ? along[2 * q + 1] : V(0.0))), mean[q]);
      if (!whole) score = pair(to_double<Half::lower>(score), V(-std::numeric_limits<double>::infinity()));
      best.see(score, index + 2 * q);
    }
  }

  /// A width after a sample; rounding may have made it negative.
  MIXLAB_INLINE static V narrow(V width2, V along, V gain) { return abs(fnma(along * along, gain, width2)); }

  V longest_;  ///< arm
  const V* arms_ = nullptr;
  std::vector<HalfSingles> single_arms_;
  std::vector<StoredSingles> paired_arms_;  ///< arms 0 and 1, arms 2 and 3, ...
  int K_ = 0;
  std::vector<V> width2_;
  std::vector<V> width2_then_;  ///< of the rounds at hand: round, arm
  std::vector<V> score_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
