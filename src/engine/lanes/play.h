// The environment of a pack: instances, noise, rewards, regret, and the samples that wait for the policy to see them.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// The noise of all lanes, fetched in long blocks.
template <int N>
class Noise {
 public:
  using V = Vec<N>;
  void start(const Experiment& e, std::int64_t first) {
    scale_ = e.scale;
    for (int lane = 0; lane < V::width; ++lane)
      paths_.push_back(e.noise->start(random::Stream(e.stream(first + lane, random::Purpose::noise))));
    used_ = n_rounds;
  }
  V next() {
    if (used_ == n_rounds) refill();
    return values_[used_++];
  }

 private:
  static constexpr int n_rounds = 64;

  [[gnu::noinline]] void refill() {
    double path[n_rounds];
    for (int lane = 0; lane < V::width; ++lane) {
      paths_[static_cast<std::size_t>(lane)]->next(path);
      double* to = reinterpret_cast<double*>(values_) + lane;
      for (int i = 0; i < n_rounds; ++i) to[i * V::width] = scale_ * path[i];
    }
    used_ = 0;
  }

  std::vector<std::unique_ptr<noise::Path>> paths_;
  double scale_ = 1;
  int used_ = 0;
  V values_[n_rounds];
};

/// Cumulative regret, its checkpoints, and the worst-case theorem it must stay below.
template <int N>
class Regret {
 public:
  using V = Vec<N>;
  Regret() {}
  void start(const Experiment& e) {
    e_ = &e;
    kept_.reserve(e.checkpoints.size());
  }
  MIXLAB_INLINE void add(std::int64_t t, V loss) {
    total_ = total_ + loss;
    if (e_->regret_theorem_applies && any((total_ > bound_) & (first_violation_ <= 0.0))) compare_with_bound(t);
    if (kept_.size() < e_->checkpoints.size() && e_->checkpoints[kept_.size()] == t) kept_.push_back(total_);
  }
  void write(int lane, Row& row) const {
    for (const V& regret : kept_) row.regret.push_back(regret[lane]);
    row.first_bound_violation = static_cast<std::int32_t>(first_violation_[lane]);
  }

 private:
  // The bound does not fall with t: it is needed again only when regret passes it.
  [[gnu::noinline]] void compare_with_bound(std::int64_t t) {
    const double bound = e_->worst_case_bound(t);
    for (int lane = 0; lane < V::width; ++lane) {
      if (!(total_[lane] > bound_[lane]) || first_violation_[lane] > 0) continue;
      bound_.set(lane, bound);
      if (total_[lane] > bound) first_violation_.set(lane, static_cast<double>(t));
    }
  }

  const Experiment* e_ = nullptr;
  V total_ = 0.0;
  V bound_ = 0.0;
  V first_violation_ = 0.0;
  std::vector<V> kept_;
};

/// Samples that were played and not yet seen: at least the last `lag` ones, those of a block side by side.
template <int P, int N>
class Waiting {
 public:
  using V = Vec<N>;
  void start(std::int64_t lag, int block) {
    n_ = (lag + block - 1) / block * block;
    x_.resize(static_cast<std::size_t>(n_ * P));
    y_.resize(static_cast<std::size_t>(n_));
    eps_.resize(static_cast<std::size_t>(n_));
  }
  V* x(std::int64_t t) { return x_.data() + (t - 1) % n_ * P; }
  V* y(std::int64_t t) { return y_.data() + (t - 1) % n_; }
  V* eps(std::int64_t t) { return eps_.data() + (t - 1) % n_; }

 private:
  std::int64_t n_ = 1;
  std::vector<V> x_, y_, eps_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
