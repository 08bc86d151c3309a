// Ridge regression at the policy's lambda, sample by sample: V^{-1}, log det and the squared distance of theta*.
// With c = sum of X_s eps_s - lambda theta* = V (theta_ridge - theta*), the distance is q = c' V^{-1} c, and a sample
// (x, eps) changes it by
//   q += eps^2 - (eps - x' V^{-1} c)^2/(1 + x' V^{-1} x).
#pragma once

#include "inversion.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Ridge {
 public:
  using V = Vec;

  void start(int p, double lambda, const V* theta_star) {
    p_ = p;
    lambda_ = lambda;
    for (auto& entry : inverse_.a) entry = 0.0;
    for (int i = 0; i < P; ++i) {
      inverse_.set(i, i, 1.0 / lambda);
      c_[i] = -(V(lambda) * theta_star[i]);
      theta_[i] = 0.0;
    }
    q_ = V(lambda) * dot<P>(theta_star, theta_star);
    begin_growth(0.0);
  }

  const Symmetric<P>& inverse() const { return inverse_; }
  const V* c() const { return c_; }
  const V* theta() const { return theta_; }
  V q() const { return q_; }
  /// log det(V/lambda) = logdet_then + log(growth): a logarithm now and then is enough.
  V logdet_then() const { return logdet_then_; }
  V growth() const { return growth_; }
  double lambda() const { return lambda_; }

  /// x' V^{-1} for the first action of a block.
  MIXLAB_INLINE void open_block(const V* x, V* vx) const { inverse_.multiply(x, vx); }

  /// Sample r of a block of n. In: x and vx_r = V^{-1} x_r. Out: vx of the next sample, gain_r = 1/(1 + x' V^{-1} x)
  /// and its reciprocal.
  MIXLAB_INLINE void absorb(const V* x, V* vx, V eps, int r, int n, V& gain, V& growth) {
    const V* xr = x + r * P;
    V* v = vx + r * P;
    growth = 1.0 + dot<P>(xr, v);
    gain = 1.0 / growth;
    const V surprise = eps - dot<P>(v, c_);
    q_ = fnma(surprise * surprise, gain, fma(eps, eps, q_));
    add<P>(c_, eps, xr);
    if (r + 1 < n)
      inverse_.subtract_and_multiply(v, gain, xr + P, v + P);
    else
      inverse_.subtract(v, gain);
  }

  /// The estimate itself takes in a sample.
  MIXLAB_INLINE void estimate(const V* x, const V* vx, V y, V gain) {
    add<P>(theta_, (y - dot<P>(x, theta_)) * gain, vx);
  }

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
    inverse_ = Lambda;
    invert<P>(inverse_, V(lambda_), V(0.0), p_, pivots);
    V Vc[P];
    inverse_.multiply(c_, Vc);
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

  Symmetric<P> inverse_;
  V c_[P];
  V theta_[P];
  V q_;
  V logdet_then_, growth_;  ///< growth: product of 1 + x' V^{-1} x since then
  int n_grown_ = 0;         ///< samples since then
  double lambda_ = 1;
  int p_ = P;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
