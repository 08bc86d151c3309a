// The noise of a group of trajectories.
#pragma once

#include "chasing.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// The noise of all lanes: fetched in long blocks, or asked round by round if it looks at what is played.
template <int P>
class Noise {
 public:
  using V = Vec;
  void start(const Tables& tables, std::int64_t first) {
    scale_ = tables.noise_scale;
    x_.resize(static_cast<std::size_t>(tables.p));
    used_ = n_rounds;
    if (tables.chase) {
      chasing_ = std::make_unique<Chasing<P>>(tables, first);
      return;
    }
    for (int lane = 0; lane < V::width; ++lane) {
      if (auto path = tables.start_noise(first + lane))
        paths_.push_back(std::move(path));
      else
        reactive_.push_back(tables.start_reactive_noise(first + lane));
    }
  }
  /// Of n rounds, in which the vectors x are played.
  MIXLAB_INLINE void next(int n, const V* x, V* eps) {
    if (__builtin_expect(used_ + n > n_rounds, 0)) return next_one_by_one(n, x, eps);
    const V* from = values_ + used_;
    each_round(n, [&](int r) { eps[r] = from[r]; });
    used_ += n;
  }

 private:
  static constexpr int n_rounds = 128;

  [[gnu::noinline]] void next_one_by_one(int n, const V* x, V* eps) {
    for (int r = 0; r < n; ++r) eps[r] = next(x + r * P);
  }
  V next(const V* x) {
    if (chasing_) return scale_ * chasing_->next(x);
    if (used_ == n_rounds) reactive_.empty() ? refill() : ask(x);
    return values_[used_++];
  }

  [[gnu::noinline]] void refill() {
    double path[V::width][n_rounds];
    for (int lane = 0; lane < V::width; ++lane) paths_[static_cast<std::size_t>(lane)]->next(path[lane]);
    MIXLAB_UNROLL(4)
    for (int i = 0; i < n_rounds; ++i) {
      const double* from[V::width];
      MIXLAB_UNROLL(8)
      for (int lane = 0; lane < V::width; ++lane) from[lane] = path[lane] + i;
      values_[i] = scale_ * gather(from);
    }
    used_ = 0;
  }

  /// For this round alone.
  [[gnu::noinline]] void ask(const V* x) {
    used_ = n_rounds - 1;
    for (int lane = 0; lane < V::width; ++lane) {
      for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = x[i][lane];
      values_[used_].set(lane, scale_ * reactive_[static_cast<std::size_t>(lane)]->next(x_));
    }
  }

  std::vector<std::unique_ptr<noise::Path>> paths_;
  std::vector<std::unique_ptr<noise::ReactivePath>> reactive_;
  std::unique_ptr<Chasing<P>> chasing_;
  std::vector<double> x_;  ///< of one lane
  double scale_ = 1;
  int used_ = 0;
  V values_[n_rounds];
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
