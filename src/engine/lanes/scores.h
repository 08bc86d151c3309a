// Scores of fixed arms, <theta, x> + beta ||x||_{V^{-1}}, for a block of rounds at once. The widths follow the data:
//   ||x||^2_{V^{-1}} -= (x' V^{-1} x_s)^2/(1 + x_s' V^{-1} x_s)   for every sample x_s.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P, int N>
class Scores {
 public:
  using V = Vec<N>;

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
    score_.resize(2 * width2_.size());
    width2_then_.resize(2 * width2_.size());
  }

  int n_arms() const { return K_; }
  const V* arm(int k) const { return arms_.data() + k * P; }
  double component(int k, int i, int lane) const { return arms_[static_cast<std::size_t>(k * P + i)][lane]; }

  enum class Index { best, given };

  /// Brings the widths up to date with the block. For every round of it: `index` of the arm to play, unless it is
  /// given, and ||x||^2_{V^{-1}} of that arm. Two rounds at a time, so that little has to be kept close.
  void choose(const Block& block, Index wanted, V* index, V* width2) {
    int r = 0;
    for (; r + 2 <= block.n; r += 2) choose_in<2>(block, r, wanted, index, width2);
    if (r < block.n) choose_in<1>(block, r, wanted, index, width2);
  }

  [[gnu::noinline]] void refresh(const Symmetric<P, N>& inverse) {
    V y[P];
    for (int k = 0; k < K_; ++k) {
      inverse.multiply(arm(k), y);
      width2_[k] = dot<P>(arm(k), y);
    }
  }

 private:
  static constexpr double tie = 1e-8;

  template <int n_rounds>
  MIXLAB_INLINE void choose_in(const Block& block, int r, Index wanted, V* index, V* width2) {
    V best[n_rounds];
    for (V& one : best) one = -std::numeric_limits<double>::infinity();
    int k = 0;
    for (; k + 2 <= K_; k += 2) score_tile<2, n_rounds>(block, k, r, best);
    if (k < K_) score_tile<1, n_rounds>(block, k, r, best);
    for (int q = 0; q < n_rounds; ++q) {
      if (wanted == Index::best) index[r + q] = lowest_near(best[q], score_.data() + q * K_);
      for (int lane = 0; lane < V::width; ++lane)
        width2[r + q].set(lane,
                          width2_then_[static_cast<std::size_t>(q * K_ + static_cast<int>(index[r + q][lane]))][lane]);
    }
  }

  /// The lowest index whose score is within 1e-8 max(1, |best|) of the best (cf. lowest_near_best), as a double.
  V lowest_near(V best, const V* score) const {
    const V enough = fnma(V(tie), max(abs(best), V(1.0)), best);
    V index = 0.0, k = K_ - 1;
    for (const V* at = score + K_ - 1; at > score; --at, k = k - 1.0) index = select(*at >= enough, k, index);
    return select(score[0] >= enough, V(0.0), index);
  }

  template <int n_arms, int n_rounds>
  MIXLAB_INLINE void score_tile(const Block& block, int k, int r, V* best) {
    V mean[n_arms][n_rounds], along[n_arms][n_rounds];
    MIXLAB_UNROLL(2)
    for (int a = 0; a < n_arms; ++a) MIXLAB_UNROLL(2)
    for (int q = 0; q < n_rounds; ++q) mean[a][q] = along[a][q] = 0.0;
    const V* x = arm(k);
    const V* theta = block.theta + r * P;
    const V* vx = block.vx + r * P;
    MIXLAB_UNROLL(4)
    for (int i = 0; i < P; ++i) MIXLAB_UNROLL(2)
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
        width2 = max(fnma(along[a][q] * along[a][q], block.gain[r + q], width2), V(0.0));
        const V score = fma(block.beta[r + q], sqrt(width2), mean[a][q]);
        width2_then_[static_cast<std::size_t>(q * K_ + k + a)] = width2;
        score_[static_cast<std::size_t>(q * K_ + k + a)] = score;
        best[q] = max(best[q], score);
      }
      width2_[k + a] = width2;
    }
  }

  std::vector<V> arms_;
  int K_ = 0;
  std::vector<V> width2_;
  std::vector<V> score_, width2_then_;  ///< of two rounds: round, arm
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
