// What is learned from the samples of a group of trajectories: Lambda, ridge regression at the policy's lambda and, where
// somebody asks for it, constrained least squares. What reference.cpp does for one trajectory, in blocks of samples.
#pragma once

#include "absorbed.h"
#include "least_squares.h"
#include "ridge.h"
#include "schedule.h"
#include "waiting_samples.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// Whether an estimate is carried along from sample to sample.
enum class Estimate { skipped, followed };

template <int P>
class Learner {
 public:
  using V = Vec;

  /// `ridge`: whether somebody other than the policy's set needs the ridge estimate itself, not only its distance from
  /// theta*.
  Learner(const Tables& tables, const V* theta_star, Estimate ridge)
      : n_spanned_(tables.n_spanned),
        lambda_(tables.lambda),
        centre_(tables.policy.centre()),
        keeps_inverse_(tables.decisions != Decisions::fixed_arms),
        ridge_estimate_(ridge) {
    copy<P>(theta_star_, theta_star);
    if (centre_ == bandit::Centre::ridge) ridge_estimate_ = Estimate::followed;
    if (centre_ == bandit::Centre::least_squares) ball_estimate_ = Estimate::followed;
    double largest_lambda = 0;
    for (const auto& table : tables.sets) {
      if (table.centre() != bandit::Centre::least_squares) continue;
      ball_estimate_ = Estimate::followed;
      largest_lambda = std::max(largest_lambda, table.lambda());
    }
    ridge_.start(tables.p, lambda_, theta_star_);
    least_squares_.start(n_spanned_, tables.B, tables.sigma, largest_lambda);
  }

  const Absorbed<P>& block() const { return block_; }
  /// Up to the last block.
  const Gram<P>& gram() const { return gram_; }
  const Ridge<P>& ridge() const { return ridge_; }
  /// Of the policy's set, for the rounds of the last step, one after the other.
  const V* centre() const {
    return (centre_ == bandit::Centre::least_squares ? block_.theta_hat : block_.theta_ridge) + block_.entered * P;
  }
  /// If that is the ridge estimate: how far it moved, round after round; else nothing.
  const V* way() const { return centre_ == bandit::Centre::ridge ? block_.way + block_.entered : nullptr; }
  /// Whether V^{-1} was made anew at the end of the last block.
  bool has_new_inverse() const { return refreshed_ == block_.first + block_.n - 1; }

  /// Samples first..first+n-1 enter: `enter`, then absorb, first_sweep, second_sweep and settle for each. If they complete
  /// a block, close_block.
  void enter(std::int64_t first, int n, WaitingSamples<P>& waiting) {
    if (is_closed_) open_block(first, waiting);
    block_.entered = block_.n;
    block_.n += n;
  }

  MIXLAB_INLINE void absorb(int r) {
    const V* x = block_.x + r * P;
    const Mask again = block_.again[r] > 0.0;
    const auto step = ridge_.absorb(x, block_.eps[r], again);
    block_.begun[r] = step.begins ? static_cast<std::uint8_t>(lanes_of(step.begun)) : 0;
    if (step.begins) {
      copy<P>(block_.vx + r * P, ridge_.runs().u());
      block_.ended[r] = step.ended;
    }
    block_.gain[r] = ridge_.runs().gain();
    block_.run_growth[r] = step.growth;
    block_.growth[r] = (r == 0 ? block_.growth_before : block_.growth[r - 1]) * (step.growth * step.inverse_before);
    block_.q_ridge[r] = ridge_.q();
    if (ridge_estimate_ == Estimate::followed) {
      block_.way[r] = ridge_.estimate(x, block_.y[r], step);
      copy<P>(block_.theta_ridge + r * P, ridge_.theta());
    }
    if (ball_estimate_ == Estimate::followed)
      least_squares_.absorb(gram_, block_.x, block_.y, r, again, Schedule::shift(block_.first + r, n_spanned_));
  }
  MIXLAB_INLINE void first_sweep() {
    if (ball_estimate_ == Estimate::followed) least_squares_.first_sweep();
  }
  MIXLAB_INLINE void second_sweep() {
    if (ball_estimate_ == Estimate::followed) least_squares_.second_sweep();
  }
  MIXLAB_INLINE void settle(int r) {
    if (ball_estimate_ == Estimate::skipped) return;
    least_squares_.settle(gram_, block_.x, r);
    measure(r);
  }

  void close_block() {
    is_closed_ = true;
    const int n = block_.n;
    ridge_.close_block(block_.growth[n - 1], n);
    if (keeps_inverse_) ridge_.end_runs();
    V weight[largest_block];
    if (LeastSquares<P>::asks_for_weights || ball_estimate_ == Estimate::skipped) find_weights(weight);
    if (ball_estimate_ == Estimate::followed)
      least_squares_.close_block(gram_, block_.x, weight, n);
    else
      gram_.add(block_.x, weight, n);
    renew(block_.first + n - 1);
  }

 private:
  void open_block(std::int64_t first, WaitingSamples<P>& waiting) {
    is_closed_ = false;
    block_.first = first;
    block_.n = 0;
    const std::int64_t place = waiting.place(first);
    block_.x = waiting.x(place);
    block_.y = waiting.y(place);
    block_.eps = waiting.eps(place);
    block_.again = waiting.again(place);
    block_.logdet_then = ridge_.logdet_then();
    block_.growth_before = ridge_.growth();
    copy<P>(block_.c_before, ridge_.c());
  }

  /// m where m samples of one x end, else 0: they sum up to n per lane.
  MIXLAB_INLINE void find_weights(V* weight) const {
    weight[0] = 1.0;
    for (int r = 1; r < block_.n; ++r) {
      const Mask again = block_.again[r] > 0.0;
      weight[r] = select(again, weight[r - 1] + 1.0, V(1.0));
      weight[r - 1] = select(again, V(0.0), weight[r - 1]);
    }
  }

  // With e = theta_hat - theta* and a = sum of X_s eps_s: Lambda e = a - mu theta_hat, so
  //   ||e||_Lambda^2 = <e, a> - mu <e, theta_hat>   and   2 (L_t(theta*) - L_t(theta_hat)) = <e, a> + mu <e, theta_hat>.
  MIXLAB_INLINE void measure(int r) {
    const V* theta = least_squares_.theta();
    copy<P>(block_.theta_hat + r * P, theta);
    V error[P];
    MIXLAB_UNROLL(32)
    for (int i = 0; i < P; ++i) error[i] = theta[i] - theta_star_[i];
    const V with_star = dot<P>(error, theta_star_), with_hat = dot<P>(error, theta);
    const V with_a = fma(V(lambda_), with_star, dot<P>(error, ridge_.c()));
    const V mu = least_squares_.mu();
    block_.mu[r] = mu;
    block_.error2[r] = with_hat - with_star;
    least_squares_.weigh(block_.error2[r]);
    block_.q_Lambda[r] = fnma(mu, with_hat, with_a);
    block_.q_loss[r] = fma(mu, with_hat, with_a);
  }

  /// After sample t, the last one of the block.
  void renew(std::int64_t t) {
    if (ball_estimate_ == Estimate::followed && t >= Schedule::early && t - last_recentred_ >= Schedule::interval(t)) {
      least_squares_.recentre(gram_);
      last_recentred_ = t;
    }
    if (t / Schedule::refresh == (t - block_.n) / Schedule::refresh) return;
    refreshed_ = t;
    gram_.sum_up();
    ridge_.refresh(gram_.matrix(), theta_star_);
  }

  int n_spanned_;
  double lambda_;
  bandit::Centre centre_;  ///< of the policy's set
  bool keeps_inverse_;     ///< up to date at the end of every block
  Estimate ridge_estimate_;
  Estimate ball_estimate_ = Estimate::skipped;
  bool is_closed_ = true;
  std::int64_t last_recentred_ = 0, refreshed_ = -1;  ///< samples after which
  V theta_star_[P];
  Gram<P> gram_;
  Ridge<P> ridge_;
  LeastSquares<P> least_squares_;
  Absorbed<P> block_;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
