// Ridge regression at the policy's lambda, sample by sample: V^{-1}, log det and the squared distance of theta*.
// With c = sum of X_s eps_s - lambda theta* = V (theta_ridge - theta*), the distance is q = c' V^{-1} c, and a sample
// (x, eps) changes it by
//   q += eps^2 - (eps - x' V^{-1} c)^2/(1 + x' V^{-1} x).
// In a run of one x all of this is numbers: x' V^{-1} c is u'c/(1 + (n-1) x'u) before the n-th sample of the run, u as it was
// before the first, and u'c grows by eps x'u.
#pragma once

#include "inverse_in_runs.h"
#include "inversion.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Ridge {
 public:
  using V = Vec;

  Ridge() {}

  void start(int p, double lambda, const V* theta_star) {
    p_ = p;
    lambda_ = lambda;
    for (auto& entry : runs_.before().a) entry = 0.0;
    runs_.restart();
    for (int i = 0; i < P; ++i) {
      runs_.before().set(i, i, 1.0 / lambda);
      c_[i] = -(V(lambda) * theta_star[i]);
      theta_[i] = 0.0;
    }
    q_ = V(lambda) * dot<P>(theta_star, theta_star);
    begin_growth(0.0);
  }

  /// Up to the runs that have not ended.
  const Symmetric<P>& inverse() const { return runs_.before(); }
  const InverseInRuns<P>& runs() const { return runs_; }
  const V* c() const { return c_; }
  const V* theta() const { return theta_; }
  V q() const { return q_; }
  /// log det(V/lambda) = logdet_then + log(growth): a logarithm now and then is enough.
  V logdet_then() const { return logdet_then_; }
  V growth() const { return growth_; }
  double lambda() const { return lambda_; }

  using Step = typename InverseInRuns<P>::Step;

  /// The sample (x, eps); where `again`, x is that of the sample before.
  MIXLAB_INLINE Step absorb(const V* x, V eps, Mask again) {
    const Step step = runs_.take(x, again);
    if (step.begins) uc_ = select(step.begun, dot<P>(runs_.u(), c_), uc_);
    const V surprise = fnma(uc_, step.inverse_before, eps);
    q_ = fnma(surprise * surprise, step.growth_before * step.shrinkage, fma(eps, eps, q_));
    add<P>(c_, eps, x);
    uc_ = fma(eps, runs_.xu(), uc_);
    return step;
  }

  /// The estimate itself takes in the sample; returns how far it moves along u of the run.
  MIXLAB_INLINE V estimate(const V* x, V y, const Step& step) {
    const V way = (y - dot<P>(x, theta_)) * step.shrinkage;
    add<P>(theta_, way, runs_.u());
    return way;
  }

  /// Brings the inverse up to date, by the number of the sample alone.
  void end_runs() { runs_.end(); }

  /// After a block of n samples, which brought about this growth.
  MIXLAB_INLINE void close_block(V growth, int n) {
    growth_ = growth;
    n_grown_ += n;
    if (n_grown_ + n > largest_block)
      begin_growth(logdet_then_ + log_above_one(growth_));
    else if (const Mask large = growth_ > most_growth; any(large))
      cut_growth(large);
  }

  /// Everything anew from Lambda and c, so that rounding does not add up.
  [[gnu::noinline]] void refresh(const Symmetric<P>& Lambda, const V* theta_star) {
    V pivots[P];
    runs_.before() = Lambda;
    runs_.restart();
    invert<P>(runs_.before(), V(lambda_), V(0.0), p_, pivots);
    V Vc[P];
    runs_.before().multiply(c_, Vc);
    q_ = dot<P>(c_, Vc);
    // A component that is 0 is one that no sample has touched; it must stay so, or a greedy policy in the ball, which
    // plays theta/||theta||, would feed on the rounding.
    for (int i = 0; i < P; ++i) theta_[i] = select(abs(theta_[i]) > V(0.0), theta_star[i] + Vc[i], V(0.0));
    V logdet = 0.0;
    for (int i = 0; i < p_; ++i) logdet = logdet + log_above_one(max(pivots[i] / lambda_, V(1.0)));
    begin_growth(logdet);
  }

 private:
  static constexpr double most_growth = 1e100;

  [[gnu::noinline]] void cut_growth(Mask large) {
    logdet_then_ = select(large, logdet_then_ + log_above_one(growth_), logdet_then_);
    growth_ = select(large, V(1.0), growth_);
  }

  MIXLAB_INLINE void begin_growth(V logdet) {
    logdet_then_ = logdet;
    growth_ = 1.0;
    n_grown_ = 0;
  }

  InverseInRuns<P> runs_;
  V uc_ = 0.0;  ///< u'c of the runs
  V c_[P];
  V theta_[P];
  V q_;
  V logdet_then_, growth_;  ///< growth: product of 1 + x' V^{-1} x since then
  int n_grown_ = 0;         ///< samples since then
  double lambda_ = 1;
  int p_ = P;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
