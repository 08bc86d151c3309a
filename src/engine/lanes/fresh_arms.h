// Arms that are new every round: independent uniform directions, and their means.
#pragma once

#include "directions.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// <a, x> of four vectors x.
template <int P>
MIXLAB_INLINE void four_products(const Vec* a, const Vec* x, Vec* out) {
  Vec sum[4];
  MIXLAB_UNROLL(4)
  for (int k = 0; k < 4; ++k) sum[k] = a[0] * x[k * P];
  MIXLAB_UNROLL(12)
  for (int i = 1; i < P; ++i) {
    MIXLAB_UNROLL(4)
    for (int k = 0; k < 4; ++k) sum[k] = fma(a[i], x[k * P + i], sum[k]);
  }
  copy<4>(out, sum);
}

template <int P>
class FreshArms {
 public:
  using V = Vec;

  /// What `draw` needs room for, in arms and means.
  static int room_for(int n_arms) { return (n_arms + 3) / 4 * 4; }

  /// `first`: trajectory of lane 0.
  void start(const Tables& tables, std::int64_t first) {
    p_ = tables.p;
    K_ = tables.n_arms;
    for (int lane = 0; lane < V::width; ++lane) streams_.push_back(tables.arm_stream(first + lane));
  }

  /// The arms of the next round: `mean` <theta*, x> of each, `best` the largest. Both have room for more.
  [[gnu::noinline]] void draw(const V* theta_star, V* arms, V* mean, V& best) {
    directions_.draw(streams_.data(), p_, K_, arms);
    V largest = -std::numeric_limits<double>::infinity();
    for (int first = 0; first < K_; first += 4) {
      four_products<P>(theta_star, arms + first * P, mean + first);
      for (int k = K_; k < first + 4; ++k) mean[k] = -std::numeric_limits<double>::infinity();  // nobody's
      MIXLAB_UNROLL(4)
      for (int k = first; k < first + 4; ++k) largest = max(largest, mean[k]);
    }
    best = largest;
  }

 private:
  int p_ = P, K_ = 0;
  std::vector<random::Stream> streams_;
  Directions<P> directions_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
