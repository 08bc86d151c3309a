// The arms of a group, lane by lane: where something is asked about the arms of few lanes, a register holds several arms of
// one lane instead of one arm of all.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

class LaneArms {
 public:
  using V = Vec;

  /// `arms`: K vectors of P components.
  template <int P>
  void start(const V* arms, int K) {
    n_arms_ = K;
    n_packs_ = (K + V::width - 1) / V::width;
    size_ = static_cast<std::size_t>(n_packs_ * P);
    packs_.assign(size_ * V::width, 0.0);
    for (int k = 0; k < K; ++k)
      for (int i = 0; i < P; ++i)
        for (int lane = 0; lane < V::width; ++lane)
          packs_[lane * size_ + place<P>(k / V::width, i)].set(k % V::width, arms[k * P + i][lane]);
  }

  /// Sets this lane of along[k] to x' u, for every arm x: added up in the order of the components, as in all lanes at once.
  template <int P>
  MIXLAB_INLINE void project(int lane, const V* u, V* along) const {
    double own_u[P];
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) own_u[i] = u[i].lanes()[lane];
    const V* x = packs_.data() + lane * size_;
    double* to = along->lanes() + lane;
    int pack = 0;
    for (; pack + n_together <= n_packs_; pack += n_together, x += n_together * P)
      project<P, n_together>(x, own_u, n_arms_ - pack * V::width, to + pack * V::width * V::width);
    for (; pack < n_packs_; ++pack, x += P)
      project<P, 1>(x, own_u, n_arms_ - pack * V::width, to + pack * V::width * V::width);
  }

 private:
  static constexpr int n_together = 4;  // packs whose sums wait for one another

  /// Component i of a pack: four packs side by side, the last ones by themselves.
  template <int P>
  std::size_t place(int pack, int i) const {
    const int first = pack / n_together * n_together;
    const bool alone = first + n_together > n_packs_;
    return static_cast<std::size_t>(alone ? pack * P + i : first * P + i * n_together + pack % n_together);
  }

  template <int P, int n>
  MIXLAB_INLINE static void project(const V* x, const double* u, int n_arms, double* to) {
    V sum[n];
    MIXLAB_UNROLL(4)
    for (int q = 0; q < n; ++q) sum[q] = x[q] * V(u[0]);
    MIXLAB_UNROLL(16)
    for (int i = 1; i < P; ++i) {
      const V ui = u[i];
      MIXLAB_UNROLL(4)
      for (int q = 0; q < n; ++q) sum[q] = fma(x[i * n + q], ui, sum[q]);
    }
    if (n_arms >= n * V::width) {
      MIXLAB_UNROLL(4)
      for (int q = 0; q < n; ++q) {
        MIXLAB_UNROLL(8)
        for (int l = 0; l < V::width; ++l) to[(q * V::width + l) * V::width] = sum[q][l];
      }
    } else {
      for (int k = 0; k < n_arms; ++k) to[k * V::width] = sum[k / V::width][k % V::width];
    }
  }

  std::vector<V> packs_;  ///< of lane 0, then of lane 1, ...
  std::size_t size_ = 0;  ///< of a lane
  int n_arms_ = 0, n_packs_ = 0;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
