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

  /// `arms`: K vectors; `largest_block`: of n.
  void start(std::vector<V> arms, double lambda, int largest_block) {
    arms_ = std::move(arms);
    K_ = static_cast<int>(arms_.size()) / P;
    width2_.resize(static_cast<std::size_t>(K_));
    for (int k = 0; k < K_; ++k) width2_[k] = dot<P>(arm(k), arm(k)) / lambda;
    score_.resize(static_cast<std::size_t>(K_ * largest_block));
    width2_then_.resize(score_.size());
  }

  int n_arms() const { return K_; }
  const V* arm(int k) const { return arms_.data() + k * P; }

  /// Brings widths up to date and scores all arms in all rounds of the block.
  void score(const Block& block) {
    int k = 0;
    for (; k + 2 <= K_; k += 2) score_arms<2>(block, k);
    if (k < K_) score_arms<1>(block, k);
  }

  /// The lowest index whose score is within 1e-8 max(1, |best|) of the best (cf. lowest_near_best), as a double.
  V choose(int r) const {
    const V* score = score_.data() + r * K_;
    V best = score[0];
    for (int k = 1; k < K_; ++k) best = max(best, score[k]);
    const V enough = fnma(V(tie), max(abs(best), V(1.0)), best);
    V index = 0.0;
    for (int k = K_ - 1; k >= 0; --k) index = select(score[k] >= enough, V(k), index);
    return index;
  }

  /// ||x_k||^2_{V^{-1}} of one lane in round r of the block.
  double width2(int r, int k, int lane) const { return width2_then_[static_cast<std::size_t>(r * K_ + k)][lane]; }
  double component(int k, int i, int lane) const { return arms_[static_cast<std::size_t>(k * P + i)][lane]; }

  [[gnu::noinline]] void refresh(const Symmetric<P, N>& inverse) {
    V y[P];
    for (int k = 0; k < K_; ++k) {
      inverse.multiply(arm(k), y);
      width2_[k] = dot<P>(arm(k), y);
    }
  }

 private:
  static constexpr double tie = 1e-8;

  template <int n_arms>
  MIXLAB_INLINE void score_arms(const Block& block, int k) {
    int r = 0;
    for (; r + 2 <= block.n; r += 2) score_tile<n_arms, 2>(block, k, r);
    if (r < block.n) score_tile<n_arms, 1>(block, k, r);
  }

  template <int n_arms, int n_rounds>
  MIXLAB_INLINE void score_tile(const Block& block, int k, int r) {
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
    for (int q = 0; q < n_rounds; ++q) MIXLAB_UNROLL(2)
    for (int a = 0; a < n_arms; ++a) {
      const V width2 = max(fnma(along[a][q] * along[a][q], block.gain[r + q], width2_[k + a]), V(0.0));
      width2_[k + a] = width2;
      width2_then_[static_cast<std::size_t>((r + q) * K_ + k + a)] = width2;
      score_[static_cast<std::size_t>((r + q) * K_ + k + a)] = fma(block.beta[r + q], sqrt(width2), mean[a][q]);
    }
  }

  std::vector<V> arms_;
  int K_ = 0;
  std::vector<V> width2_;
  std::vector<V> score_;        ///< of the block: round, arm
  std::vector<V> width2_then_;  ///< of the block: round, arm
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
