// Constrained least squares in the plane, in closed form (MATHEMATICS.md C.6). With adj A = tr(A) I - A, w = (adj Lambda) b
// and b in units of B, the solution of (Lambda + mu I) theta = b is
//   theta(mu) = B (w + mu b)/D(mu),   D(mu) = det Lambda + mu (tr Lambda + mu),
// and ||theta(mu)|| = B means that n(mu) = ||w + mu b||^2 is D(mu)^2. Steps of Newton's method from the mu of the sample
// before lead there. Where Lambda is singular it is completed.
#pragma once

#include "estimator.h"
#include "exact.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// a b - c d to about an ulp, whatever cancels (Kahan).
MIXLAB_INLINE Vec difference_of_products(Vec a, Vec b, Vec c, Vec d) {
  const Vec cd = c * d;
  return fnma(c, d, cd) - fnma(a, b, cd);
}

class PlaneLeastSquares {
 public:
  using V = Vec;
  static constexpr bool asks_for_weights = false;

  /// `sigma`: of the noise. The distances of the sets count in units of it.
  void start(int, double B, double sigma, double) {
    sphere_ = std::clamp(sphere * sigma / B, least_sphere, sphere);
    B_ = B;
    inverse_B_ = 1 / B;
    for (int i = 0; i < 2; ++i) b_[i] = theta_[i] = 0.0;
    mu_ = factor_ = 0.0;
  }

  const V* theta() const { return theta_; }
  V mu() const { return mu_; }

  MIXLAB_INLINE void absorb(const Gram<2>& gram, const V* x, const V* y, int r, Mask, Shift) {
    const V* xr = x + 2 * r;
    add<2>(b_, y[r] * inverse_B_, xr);
    if (r == 0) recent_ = gram.recent();
    recent_.add_products(xr, 1);

    const Symmetric<2> A = Lambda(gram);
    const V l11 = A.get(0, 0), l12 = A.get(0, 1), l22 = A.get(1, 1);
    trace_ = l11 + l22;
    det_ = difference_of_products(l11, l22, l12, l12);
    w_[0] = difference_of_products(l22, b_[0], l12, b_[1]);
    w_[1] = difference_of_products(l11, b_[1], l12, b_[0]);
    copy<2>(c_, b_);
    const Mask singular = det_ <= zero_eigenvalue * (trace_ * trace_);
    if (any(singular)) complete(A, singular);

    ww_ = dot<2>(w_, w_);
    wc_ = dot<2>(w_, c_);
    cc_ = dot<2>(c_, c_);
    const Mask at_zero = mu_ <= 0.0;
    inside_ = all(at_zero & (fnma(det_, det_, ww_) <= 0.0));  // where a step would leave mu at 0
    if (!inside_) approach(at_zero);
  }

  MIXLAB_INLINE void first_sweep() {}
  MIXLAB_INLINE void second_sweep() {}

  /// Needless: the residual is rounding.
  MIXLAB_INLINE void weigh(V) {}

  MIXLAB_INLINE void settle(const Gram<2>& gram, const V*, int) {
    if (!inside_) step();
    const Norm norm = norm_at(mu_);
    if (!inside_) {
      const Mask done = optimal(norm);
      if (!all(done)) return converge(Lambda(gram), done);
    }
    find_theta(norm.D);
  }

  MIXLAB_INLINE void close_block(Gram<2>& gram, const V*, const V*, int) { gram.replace_recent(recent_); }

  /// Needless: nothing is carried along but sums.
  void recentre(const Gram<2>&) {}

 private:
  static constexpr double sphere = 2e-12;           // error of ||theta||^2 relative to B^2, if sigma >= B
  static constexpr double least_sphere = 1e-14;     // and however small sigma is: rounding remains
  static constexpr double zero_eigenvalue = 1e-11;  // relative to the largest
  static constexpr double least_trace = 1e-100;     // of no samples but zeros
  static constexpr int most_steps = 40;

  /// The samples of the block included.
  MIXLAB_INLINE Symmetric<2> Lambda(const Gram<2>& gram) const {
    Symmetric<2> sum;
    for (int i = 0; i < Symmetric<2>::size; ++i) sum.a[i] = recent_.a[i] + gram.past().a[i];
    return sum;
  }

  /// n and D at mu; half the derivative of n, and that of D.
  struct Norm {
    V n, D, half_dn, dD;
    MIXLAB_INLINE V excess() const { return fnma(D, D, n); }
    /// <v, (adj A) v> for v = w + mu b, A = Lambda + mu I: because <v, A v> = D <v, b>.
    MIXLAB_INLINE V slope() const { return fnma(D, half_dn, dD * n); }
  };
  MIXLAB_INLINE Norm norm_at(V mu) const {
    const V half_dn = fma(mu, cc_, wc_);
    const V sum = trace_ + mu;
    return {fma(mu, wc_ + half_dn, ww_), fma(mu, sum, det_), half_dn, sum + mu};
  }

  /// A step with the factor of the sample before, which has hardly changed: without a division it gains as many digits.
  MIXLAB_INLINE void approach(Mask at_zero) {
    const V mu = max(fma(norm_at(mu_).excess(), factor_, mu_), V(0.0));
    mu_ = select(at_zero, mu_, mu);
  }

  /// Newton's method for D/sqrt(n) = 1, with 2 (r - 1)/(r + 3) in place of sqrt(r) - 1, r = n/D^2: never further, and
  /// near 1 almost the same.
  MIXLAB_INLINE void step() {
    const Norm norm = norm_at(mu_);
    const V D2 = norm.D * norm.D;
    factor_ = 2.0 * (norm.D * norm.n) / (fma(V(3.0), D2, norm.n) * norm.slope());
    mu_ = max(fma(norm.excess(), factor_, mu_), V(0.0));
  }

  MIXLAB_INLINE Mask optimal(const Norm& norm) const {
    const V excess = norm.excess(), allowed = sphere_ * (norm.D * norm.D);
    return (excess <= allowed) & ((excess >= -allowed) | (mu_ <= 0.0));
  }

  MIXLAB_INLINE void find_theta(V D) {
    const V scale = B_ / D;
    MIXLAB_UNROLL(2)
    for (int i = 0; i < 2; ++i) theta_[i] = fma(mu_, c_[i], w_[i]) * scale;
  }

  /// Where Lambda has rank one (p = 1 included), b is in its range but for rounding, and any number may stand for the
  /// eigenvalue 0. With the other one in its place Lambda is tr(Lambda) I.
  [[gnu::noinline]] void complete(const Symmetric<2>& A, Mask singular) {
    const V l = max(trace_, V(least_trace));
    trace_ = select(singular, l + l, trace_);
    det_ = select(singular, l * l, det_);
    V Ab[2];
    A.multiply(b_, Ab);
    MIXLAB_UNROLL(2)
    for (int i = 0; i < 2; ++i) {
      w_[i] = select(singular, Ab[i], w_[i]);
      c_[i] = select(singular, Ab[i] / l, b_[i]);
    }
  }

  /// More steps where needed, from the left of the root on, where they are monotone (C.1).
  [[gnu::noinline]] void converge(const Symmetric<2>& A, Mask done) {
    const V lowest = max(sqrt(cc_) - trace_, V(0.0));
    for (int n = 0; n < most_steps && !all(done); ++n) {
      const Norm norm = norm_at(mu_);
      const V change = (sqrt(norm.n) - norm.D) * norm.n / norm.slope();
      mu_ = select(done, mu_, max(mu_ + change, lowest));
      done = done | optimal(norm_at(mu_));
    }
    find_theta(norm_at(mu_).D);
    if (!all(done)) solve_one_by_one(A, done);
  }

  void solve_one_by_one(const Symmetric<2>& A, Mask done) {
    const V open = select(done, V(0.0), V(1.0));
    for (int lane = 0; lane < V::width; ++lane) {
      if (open[lane] == 0) continue;
      const double l12 = A.get(0, 1)[lane];
      const double Lambda[4] = {A.get(0, 0)[lane], l12, l12, A.get(1, 1)[lane]};
      const double b[2] = {B_ * b_[0][lane], B_ * b_[1][lane]};
      double theta[2];
      mu_.set(lane, solve_exactly(Lambda, b, 2, B_, theta));
      for (int i = 0; i < 2; ++i) theta_[i].set(lane, theta[i]);
    }
  }

  Symmetric<2> recent_;  ///< of Lambda, the samples of the block included
  V b_[2];               ///< in units of B
  V theta_[2];
  V mu_;
  V factor_;  ///< of the last step, on the excess
  // of the sample that is being taken in
  V trace_, det_;       ///< of Lambda
  V c_[2], w_[2];       ///< b in the range of Lambda; (adj Lambda) b
  V ww_, wc_, cc_;      ///< ||w||^2, <w, c>, ||c||^2
  bool inside_ = true;  ///< the ball, all lanes
  double B_ = 1, inverse_B_ = 1, sphere_ = sphere;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
