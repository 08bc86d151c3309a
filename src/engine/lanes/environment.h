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
    means_.resize(static_cast<std::size_t>(room), V(0.0));
    for (int lane = 0; lane < V::width; ++lane) set_lane(lane, tables.instance(first + lane));
    if (tables.decisions == Decisions::fresh_arms) fresh_.start(tables, first);
    noise_.start(tables, first);
    regret_.start(tables);
    waiting_.start(tables.lag, tables.block, tables.look);
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
    play_side_by_side(t, n, [&](int r, const V* last_x, V* x, V& mean) {
      const V again = same(choice[r], last_);
      if (all(again > 0.0))
        copy<P>(x, last_x);
      else
        mean = take(choice[r], x);
      return again;
    });
  }
  /// Plays the vectors x.
  void play(std::int64_t t, int n, const V* action) {
    play_side_by_side(t, n, [&](int r, const V*, V* x, V& mean) {
      copy<P>(x, action + r * P);
      mean = dot<P>(theta_star_, x);
      return V(0.0);
    });
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

  /// Returns the mean of x.
  MIXLAB_INLINE V take(const Choice& choice, V* x) {
    choice.template take<P>(arms(), x);
    last_ = choice;
    if constexpr (P < first_with_known_means)
      return dot<P>(theta_star_, x);  // the same bits, and cheaper than to fetch
    V mean;
    choice.template take<1>(means_.data(), &mean);
    return mean;
  }

  /// `act`(r, last_x, x, mean): the action x of the r-th round and its mean, last_x and its mean those of the round before;
  /// returns 1 where they are the same.
  template <class Act>
  MIXLAB_INLINE void play_side_by_side(std::int64_t t, int n, Act act) {
    V loss[largest_block], mean = last_mean_;
    const V best = best_;
    for (int first = 0; first < n;) {
      const std::int64_t place = waiting_.place(t + first);
      const int m = std::min(n - first, waiting_.n_from(place));
      V *x = waiting_.x(place), *y = waiting_.y(place), *eps = waiting_.eps(place), *again = waiting_.again(place);
      const V* last_x = waiting_.x(waiting_.before(place));
      for (int r = 0; r < m; ++r) {
        again[r] = act(first + r, last_x, x + r * P, mean);
        y[r] = mean;
        loss[first + r] = best - mean;
        last_x = x + r * P;
      }
      noise_.next(m, x, eps);
      each_round(m, [&](int r) { y[r] = y[r] + eps[r]; });
      first += m;
    }
    last_mean_ = mean;
    regret_.add(t, n, loss);
  }

  int p_, n_arms_;
  V theta_star_[P];
  std::vector<V> arms_, means_;
  V best_;
  Choice last_;  ///< arms that were played
  V last_mean_;  ///< theirs
  FreshArms<P> fresh_;
  Noise<P> noise_;
  Regret regret_;
  WaitingSamples<P> waiting_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
