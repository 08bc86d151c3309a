// Scores of fixed arms, <theta, x> + beta ||x||_{V^{-1}}, for a block of rounds at once. The widths follow the data:
//   ||x||^2_{V^{-1}} -= (x' V^{-1} x_s)^2/(1 + x_s' V^{-1} x_s)   for every sample x_s.
// A square root of single precision, a quarter of the price, tells the best arm apart nearly always; where it does not,
// the scores are computed once more in full.
#pragma once

#include "choice.h"

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

  /// `arms`: K vectors.
  void start(std::vector<V> arms, double lambda) {
    arms_ = std::move(arms);
    K_ = static_cast<int>(arms_.size()) / P;
    width2_.resize(static_cast<std::size_t>(K_));
    for (int k = 0; k < K_; ++k) width2_[k] = dot<P>(arm(k), arm(k)) / lambda;
    score_.resize(width2_.size());
    width2_then_.resize(2 * width2_.size());
    index_mask_ = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(K_))) - 1;
    longest_ = 0.0;
    for (int k = 0; k < K_; ++k) longest_ = max(longest_, sqrt(dot<P>(arm(k), arm(k))));
  }

  int n_arms() const { return K_; }
  const V* arm(int k) const { return arms_.data() + k * P; }

  /// Brings the widths up to date with the block. For every round of it: the arm to play, unless it is given, and
  /// ||x||^2_{V^{-1}} of that arm. Two rounds at a time, so that little has to be kept close.
  void choose(const Block& block, Index wanted, Choice* choice, V* width2) {
    int r = 0;
    for (; r + 2 <= block.n; r += 2) choose_in<2>(block, r, wanted, choice + r, width2 + r);
    if (r < block.n) choose_in<1>(block, r, wanted, choice + r, width2 + r);
  }

  [[gnu::noinline]] void refresh(const Symmetric<P>& inverse) {
    V y[P];
    for (int k = 0; k < K_; ++k) {
      inverse.multiply(arm(k), y);
      width2_[k] = dot<P>(arm(k), y);
    }
  }

 private:
  /// What the square root in single precision and an index in the last bits can change in a score, relative to its
  /// terms, twice, and more than the width of a tie.
  static constexpr double doubt = 5e-7;

  /// The best two scores of a round so far; the index of the arm stands in the last bits of its score.
  struct Best {
    V first, second;
    MIXLAB_INLINE void see(V score) {
      second = max(second, min(first, score));
      first = max(first, score);
    }
  };

  template <int n_rounds>
  MIXLAB_INLINE void choose_in(const Block& block, int r, Index wanted, Choice* choice, V* width2) {
    Best best[n_rounds];
    for (Best& one : best) one.first = one.second = -std::numeric_limits<double>::infinity();
    int k = 0;
    Integers index = {};
    for (; k + 2 <= K_; k += 2, index += 2) score_tile<2, n_rounds>(block, k, index, r, best);
    if (k < K_) score_tile<1, n_rounds>(block, k, index, r, best);
    MIXLAB_UNROLL(2)
    for (int q = 0; q < n_rounds; ++q) {
      if (wanted == Index::best) decide(block, r + q, best[q], width2_then_.data() + q * K_, choice[q]);
      choice[q].take<1>(width2_then_.data() + q * K_, width2 + q);
    }
  }

  MIXLAB_INLINE void decide(const Block& block, int r, const Best& best, const V* width2, Choice& choice) {
    store_last_bits(best.first, index_mask_, choice.arm);
    const V* theta = block.theta + r * P;
    const V terms = abs(best.first) + longest_ * (1.0 + dot<P>(theta, theta));  // at least the sizes of both terms
    const Mask clear = best.second < fnma(V(doubt), terms, best.first);
    if (__builtin_expect(!all(clear), 0)) compare_closely(block, r, width2, clear, choice);
  }

  /// Scores in full precision where the best two are close.
  [[gnu::noinline]] void compare_closely(const Block& block, int r, const V* width2, Mask clear, Choice& choice) {
    V best = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < K_; ++k) {
      score_[k] = fma(block.beta[r], sqrt(width2[k]), dot<P>(arm(k), block.theta + r * P));
      best = max(best, score_[k]);
    }
    const V index = lowest_near_best(score_.data(), K_, best);
    const V open = select(clear, V(0.0), V(1.0));
    for (int lane = 0; lane < V::width; ++lane)
      if (open[lane] != 0) choice.arm[lane] = static_cast<std::int64_t>(index[lane]);
  }

  template <int n_arms, int n_rounds>
  MIXLAB_INLINE void score_tile(const Block& block, int k, Integers index, int r, Best* best) {
    V mean[n_arms][n_rounds], along[n_arms][n_rounds];
    const Integers index_mask = Integers{} + index_mask_;
    const V* x = arm(k);
    const V* theta = block.theta + r * P;
    const V* vx = block.vx + r * P;
    MIXLAB_UNROLL(2)
    for (int q = 0; q < n_rounds; ++q) MIXLAB_UNROLL(2)
    for (int a = 0; a < n_arms; ++a) {
      mean[a][q] = x[a * P] * theta[q * P];
      along[a][q] = x[a * P] * vx[q * P];
    }
    MIXLAB_UNROLL(4)
    for (int i = 1; i < P; ++i) MIXLAB_UNROLL(2)
    for (int q = 0; q < n_rounds; ++q) {
      const V t = theta[q * P + i], v = vx[q * P + i];
      MIXLAB_UNROLL(2)
      for (int a = 0; a < n_arms; ++a) {
        mean[a][q] = fma(x[a * P + i], t, mean[a][q]);
        along[a][q] = fma(x[a * P + i], v, along[a][q]);
      }
    }
    MIXLAB_UNROLL(2)
    for (int a = 0; a < n_arms; ++a) {
      V width2 = width2_[k + a];
      MIXLAB_UNROLL(2)
      for (int q = 0; q < n_rounds; ++q) {
        width2 = abs(fnma(along[a][q] * along[a][q], block.gain[r + q], width2));  // rounding may have made it negative
        width2_then_[static_cast<std::size_t>(q * K_ + k + a)] = width2;
        const V score = fma(block.beta[r + q], single_sqrt(width2), mean[a][q]);
        best[q].see(with_last_bits(score, index_mask, index + a));
      }
      width2_[k + a] = width2;
    }
  }

  std::int64_t index_mask_ = 0;  ///< bits of a score that hold an index
  V longest_;                    ///< arm
  std::vector<V> arms_;
  int K_ = 0;
  std::vector<V> width2_;
  std::vector<V> width2_then_;  ///< of two rounds: round, arm
  std::vector<V> score_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
