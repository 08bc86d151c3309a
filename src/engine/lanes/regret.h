// The regret of a group of trajectories.
#pragma once

#include "vector.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// Cumulative regret, its checkpoints, and the worst-case theorem it must stay below.
class Regret {
 public:
  using V = Vec;
  Regret() {}
  void start(const Tables& tables) {
    tables_ = &tables;
    kept_.reserve(tables.checkpoints.size());
  }
  /// The losses of rounds t, t + 1, ..., t + n - 1.
  MIXLAB_INLINE void add(std::int64_t t, int n, const V* loss) {
    const V before = total_;
    each_round(n, [&](int r) { total_ = total_ + loss[r]; });
    const bool watched = tables_->regret_theorem_applies && any((total_ > bound_) & (first_violation_ <= 0.0));
    const bool kept = kept_.size() < tables_->checkpoints.size() && tables_->checkpoints[kept_.size()] < t + n;
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
      if (tables_->regret_theorem_applies) compare_with_bound(t, regret);
      if (kept_.size() < tables_->checkpoints.size() && tables_->checkpoints[kept_.size()] == t)
        kept_.push_back(regret);
    }
  }

  void compare_with_bound(std::int64_t t, V regret) {
    if (!any((regret > bound_) & (first_violation_ <= 0.0))) return;
    const double bound = tables_->worst_case_bound(t);
    for (int lane = 0; lane < V::width; ++lane) {
      if (!(regret[lane] > bound_[lane]) || first_violation_[lane] > 0) continue;
      bound_.set(lane, bound);
      if (regret[lane] > bound) first_violation_.set(lane, static_cast<double>(t));
    }
  }

  const Tables* tables_ = nullptr;
  V total_ = 0.0;
  V bound_ = 0.0;
  V first_violation_ = 0.0;
  std::vector<V> kept_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
