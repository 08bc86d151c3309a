// The environment of a group of trajectories: instances, noise, rewards, regret, and the samples that wait for the policy
// to see them.
#pragma once

#include "choice.h"
#include "fresh_arms.h"
#include "noise.h"
#include "regret.h"
#include "waiting_samples.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Environment {
 public:
  using V = Vec;

  /// `first`: trajectory of lane 0.
  Environment(const Tables& tables, std::int64_t first) : p_(tables.p), n_arms_(tables.n_arms) {
    forget_last();
    const int room = tables.decisions == Decisions::fresh_arms ? FreshArms<P>::room_for(n_arms_) : n_arms_;
    arms_.resize(static_cast<std::size_t>(room * P), V(0.0));
    means_.resize(static_cast<std::size_t>(n_arms_), V(0.0));
    for (int lane = 0; lane < V::width; ++lane) set_lane(lane, tables.instance(first + lane));
    if (tables.decisions == Decisions::fresh_arms) fresh_.start(tables, first);
    noise_.start(tables, first);
    regret_.start(tables);
    waiting_.start(tables.lag, tables.block);
  }

  const V* theta_star() const { return theta_star_; }
  int n_arms() const { return n_arms_; }
  /// n_arms vectors, those of the current round.
  const V* arms() const { return arms_.data(); }

  /// Of arms that are new every round: those of the next one.
  void draw_arms() {
    fresh_.draw(theta_star_, arms_.data(), means_.data(), best_);
    forget_last();
  }

  /// Plays arms in the rounds t..t+n-1.
  void play(std::int64_t t, int n, const Choice* choice) {
    V loss[largest_block], mean;
    std::int64_t place = waiting_.place(t);
    for (int r = 0; r < n; ++r, place = waiting_.after(place)) {
      choice[r].template take<P>(arms(), waiting_.x(place));
      if constexpr (P < 4)  // the same bits, and cheaper than to fetch them
        mean = dot<P>(theta_star_, waiting_.x(place));
      else
        choice[r].template take<1>(means_.data(), &mean);
      *waiting_.again(place) = same(choice[r], last_);
      last_ = choice[r];
      loss[r] = reward(place, mean);
    }
    regret_.add(t, n, loss);
  }
  /// Plays the vectors x.
  void play(std::int64_t t, int n, const V* x) {
    V loss[largest_block];
    std::int64_t place = waiting_.place(t);
    for (int r = 0; r < n; ++r, place = waiting_.after(place)) {
      copy<P>(waiting_.x(place), x + r * P);
      *waiting_.again(place) = 0.0;
      loss[r] = reward(place, dot<P>(theta_star_, x + r * P));
    }
    regret_.add(t, n, loss);
  }

  WaitingSamples<P>& waiting() { return waiting_; }
  void write(int lane, Row& row) const { regret_.write(lane, row); }

 private:
  void set_lane(int lane, const Instance& instance) {
    for (int i = 0; i < P; ++i) theta_star_[i].set(lane, i < p_ ? instance.theta[static_cast<std::size_t>(i)] : 0.0);
    for (int k = 0; k < n_arms_; ++k) {
      means_[k].set(lane, instance.means[static_cast<std::size_t>(k)]);
      for (int i = 0; i < p_; ++i) arms_[k * P + i].set(lane, instance.arms[static_cast<std::size_t>(k * p_ + i)]);
    }
    best_.set(lane, instance.best);
  }

  void forget_last() {
    for (std::int64_t& arm : last_.arm) arm = -1;
  }

  /// Of the action in this place, with this mean. Returns its regret.
  MIXLAB_INLINE V reward(std::int64_t place, V mean) {
    const V eps = noise_.next(waiting_.x(place));
    *waiting_.eps(place) = eps;
    *waiting_.y(place) = mean + eps;
    return best_ - mean;
  }

  int p_, n_arms_;
  V theta_star_[P];
  std::vector<V> arms_, means_;
  V best_;
  Choice last_;  ///< arms that were played
  FreshArms<P> fresh_;
  Noise<P> noise_;
  Regret regret_;
  WaitingSamples<P> waiting_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
