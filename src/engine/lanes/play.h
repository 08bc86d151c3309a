// The environment of a pack: instances, noise, rewards, regret, and the samples that wait for the policy to see them.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// The noise of all lanes: fetched in long blocks, or asked round by round if it looks at what is played.
class Noise {
 public:
  using V = Vec;
  void start(const Experiment& e, std::int64_t first) {
    scale_ = e.scale;
    x_.resize(static_cast<std::size_t>(e.p));
    for (int lane = 0; lane < V::width; ++lane) {
      const random::Stream stream(e.stream(first + lane, random::Purpose::noise));
      if (e.noise->reactive())
        reactive_.push_back(e.noise->start_reactive(stream, e.p));
      else
        paths_.push_back(e.noise->start(stream));
    }
    used_ = n_rounds;
  }
  /// Of the round in which x is played.
  V next(const V* x) {
    if (used_ == n_rounds) reactive_.empty() ? refill() : ask(x);
    return values_[used_++];
  }

 private:
  static constexpr int n_rounds = 128;

  [[gnu::noinline]] void refill() {
    double path[n_rounds];
    for (int lane = 0; lane < V::width; ++lane) {
      paths_[static_cast<std::size_t>(lane)]->next(path);
      double* to = reinterpret_cast<double*>(values_) + lane;
      for (int i = 0; i < n_rounds; ++i) to[i * V::width] = scale_ * path[i];
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
  std::vector<double> x_;  ///< of one lane
  double scale_ = 1;
  int used_ = 0;
  V values_[n_rounds];
};

/// Cumulative regret, its checkpoints, and the worst-case theorem it must stay below.
class Regret {
 public:
  using V = Vec;
  Regret() {}
  void start(const Experiment& e) {
    e_ = &e;
    kept_.reserve(e.checkpoints.size());
  }
  /// The losses of rounds t, t + 1, ..., t + n - 1.
  MIXLAB_INLINE void add(std::int64_t t, int n, const V* loss) {
    const V before = total_;
    for (int r = 0; r < n; ++r) total_ = total_ + loss[r];
    const bool watched = e_->regret_theorem_applies && any((total_ > bound_) & (first_violation_ <= 0.0));
    const bool kept = kept_.size() < e_->checkpoints.size() && e_->checkpoints[kept_.size()] < t + n;
    if (watched || kept) look_at_rounds(t, n, before, loss);
  }
  void write(int lane, Row& row) const {
    row.regret.reserve(kept_.size());
    for (const V& regret : kept_) row.regret.push_back(regret[lane]);
    row.first_bound_violation = static_cast<std::int32_t>(first_violation_[lane]);
  }

 private:
  // Regret does not fall, nor does the bound, which is needed again only when regret passes it.
  [[gnu::noinline]] void look_at_rounds(std::int64_t t, int n, V regret, const V* loss) {
    for (int r = 0; r < n; ++r, ++t) {
      regret = regret + loss[r];
      if (e_->regret_theorem_applies) compare_with_bound(t, regret);
      if (kept_.size() < e_->checkpoints.size() && e_->checkpoints[kept_.size()] == t) kept_.push_back(regret);
    }
  }

  void compare_with_bound(std::int64_t t, V regret) {
    if (!any((regret > bound_) & (first_violation_ <= 0.0))) return;
    const double bound = e_->worst_case_bound(t);
    for (int lane = 0; lane < V::width; ++lane) {
      if (!(regret[lane] > bound_[lane]) || first_violation_[lane] > 0) continue;
      bound_.set(lane, bound);
      if (regret[lane] > bound) first_violation_.set(lane, static_cast<double>(t));
    }
  }

  const Experiment* e_ = nullptr;
  V total_ = 0.0;
  V bound_ = 0.0;
  V first_violation_ = 0.0;
  std::vector<V> kept_;
};

/// Samples that were played and not yet seen: at least the last `lag` ones, those of a block side by side.
template <int P>
class Waiting {
 public:
  using V = Vec;
  void start(std::int64_t lag, int block) {
    n_ = (lag + block - 1) / block * block;
    x_.resize(static_cast<std::size_t>(n_ * P));
    y_.resize(static_cast<std::size_t>(n_));
    eps_.resize(static_cast<std::size_t>(n_));
  }
  /// Where the sample of round t is kept; those of a block that enters lie one after the other.
  std::int64_t place(std::int64_t t) const { return (t - 1) % n_; }
  std::int64_t after(std::int64_t place) const { return place + 1 == n_ ? 0 : place + 1; }
  V* x(std::int64_t place) { return x_.data() + place * P; }
  V* y(std::int64_t place) { return y_.data() + place; }
  V* eps(std::int64_t place) { return eps_.data() + place; }

 private:
  std::int64_t n_ = 1;
  std::vector<V> x_, y_, eps_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
