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
    n_registers_ = (K + V::width - 1) / V::width;
    size_ = static_cast<std::size_t>(n_registers_ * P);
    registers_.assign(size_ * V::width, 0.0);
    for (int k = 0; k < K; ++k)
      for (int i = 0; i < P; ++i)
        for (int lane = 0; lane < V::width; ++lane)
          registers_[lane * size_ + place<P>(k / V::width, i)].set(k % V::width, arms[k * P + i][lane]);
  }

  /// Sets this lane of along[k] to x' u, for every arm x: added up in the order of the components, as in all lanes at once.
  template <int P>
  MIXLAB_INLINE void project(int lane, const V* u, V* along) const {
    double own_u[P];
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) own_u[i] = u[i].lanes()[lane];
    const V* x = registers_.data() + lane * size_;
    double* to = along->lanes() + lane;
    int first = 0;
    for (; first + n_together <= n_registers_; first += n_together, x += n_together * P)
      project<P, n_together>(x, own_u, n_arms_ - first * V::width, to + first * V::width * V::width);
    for (; first < n_registers_; ++first, x += P)
      project<P, 1>(x, own_u, n_arms_ - first * V::width, to + first * V::width * V::width);
  }

 private:
  static constexpr int n_together = 4;  // registers, whose sums need not wait for one another

  /// Of component i of the arms in the k-th register of a lane: four side by side, the last ones by themselves.
  template <int P>
  std::size_t place(int k, int i) const {
    const int first = k / n_together * n_together;
    const bool alone = first + n_together > n_registers_;
    return static_cast<std::size_t>(alone ? k * P + i : first * P + i * n_together + k % n_together);
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

  std::vector<V> registers_;  ///< of lane 0, then of lane 1, ...
  std::size_t size_ = 0;      ///< of a lane
  int n_arms_ = 0, n_registers_ = 0;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
