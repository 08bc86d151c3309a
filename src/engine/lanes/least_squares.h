// Constrained least squares sample by sample, without factorising (MATHEMATICS.md C.6). With a fixed shift mu0,
//   M = (Lambda + mu0 I)^{-1}   and   theta0 = M b
// follow every sample by a rank-one step, and the solution of (Lambda + mu I) theta = b for mu = mu0 + delta is the fixed
// point of
//   theta = theta0 - delta M theta.
// A sweep is one such step, with delta moved so that ||theta0 - delta M theta|| = B. Its residual is exactly
// delta (theta_new - theta_old). By a schedule M is made anew at the current mu.
#pragma once

#include "estimator.h"
#include "exact.h"
#include "inverse_in_runs.h"
#include "inversion.h"
#include "plane.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class SweptLeastSquares {
 public:
  using V = Vec;
  static constexpr bool asks_for_weights = true;

  SweptLeastSquares() {}

  /// `sigma`: of the noise. The distances of the sets count in units of it, so small noise needs a better theta.
  /// `lambda`: the largest of those sets that are centred here.
  void start(int p, double B, double sigma, double lambda) {
    const double residual = largest_residual * std::min(1.0, sigma);
    residual2_ = residual * residual;
    const double effect = largest_effect * sigma * sigma;
    effect2_ = effect * effect;
    lambda_ = lambda;
    p_ = p;
    B2_ = B * B;
    B_ = B;
    for (auto& entry : M_.before().a) entry = 0.0;
    M_.restart();
    for (int i = 0; i < P; ++i) {
      M_.before().set(i, i, 1.0);
      b_[i] = theta0_[i] = e_[i] = theta_[i] = 0.0;
    }
    mu0_ = 1.0;
    delta_ = -1.0;
    tolerance2_ = residual2_;
    weight_ = 0.0;
    amplification2_ = 1.0;
  }

  const V* theta() const { return theta_; }
  V mu() const { return mu0_ + delta_; }

  MIXLAB_INLINE void absorb(const Gram<P>& gram, const V* x, const V* y, int r, Mask again, Shift shift) {
    const V* xr = x + r * P;
    add<P>(b_, y[r], xr);
    tolerance2_ = residual2_ * max(dot<P>(b_, b_), V(1.0));
    optimal_ = shift == Shift::renewed;
    if (__builtin_expect(optimal_, 0)) return recentre_all(gram, x, r + 1);
    // Sherman-Morrison for M, theta0 = M b and e = M theta
    const V shrinkage = M_.take(xr, again).shrinkage;
    add<P>(theta0_, (y[r] - dot<P>(xr, theta0_)) * shrinkage, M_.u());
    add<P>(e_, -(dot<P>(xr, e_) * shrinkage), M_.u());

    const Quadratic norm{dot<P>(theta0_, theta0_) - B2_, dot<P>(theta0_, e_), dot<P>(e_, e_)};
    c0_ = norm.c0;
    slope_ = slope_of(norm.c1, norm.c2);
    inside_ = (mu0_ <= 0.0) & (delta_ <= 0.0) & (norm.c0 <= 0.0);
    optimal_ = all(inside_);
    if (optimal_)
      copy<P>(theta_, theta0_);
    else
      delta_ = max(fma(norm.at(delta_), slope_, delta_), -mu0_);
  }

  MIXLAB_INLINE void first_sweep() {
    if (optimal_) return;
    V e[P];
    predict();
    M_.multiply(theta_, e);
    finish_sweep(e, c0_, slope_, -mu0_);
  }

  /// Mostly the last one. A lane inside the ball stays at delta = 0, theta = theta0, whatever its neighbours do; only its e
  /// must be kept.
  MIXLAB_INLINE void second_sweep() {
    if (optimal_) return;
    V e[P];
    M_.multiply(theta_, e);
    done_ = finish_sweep(e, c0_, slope_, -mu0_);
    MIXLAB_UNROLL(32)
    for (int i = 0; i < P; ++i) e_[i] = select(inside_, e_[i], e[i]);
  }

  /// A residual r changes the squared distance of a set by at most
  /// 2 ||theta - theta*|| (1 + lambda tr M) ||r||.
  MIXLAB_INLINE void weigh(V error2) { weight_ = error2 * amplification2_; }

  MIXLAB_INLINE void settle(const Gram<P>& gram, const V* x, int r) {
    if (!optimal_ && !all(done_)) converge(gram, x, r);
  }

  MIXLAB_INLINE void close_block(Gram<P>& gram, const V* x, const V* weight, int n) { gram.add(x, weight, n); }

  void recentre(const Gram<P>& gram) { recentre_all(gram, nullptr, 0); }

 private:
  static constexpr double largest_residual = 6e-11;  // relative to max(1, ||b||)
  static constexpr double largest_effect = 5e-9;     // on half a squared distance, in sigma^2
  static constexpr double sphere = 5e-11;            // error of ||theta||^2 relative to B^2
  static constexpr double settled = 1e-3;            // norm for which sweeps take over from Newton's method
  static constexpr double well_conditioned = 1e-7;   // smallest pivot, relative to the trace
  static constexpr double least_shift = 5e-4;        // where it is not: relative to trace/p
  static constexpr int most_sweeps = 8;
  static constexpr int most_sweeps_anew = 40;
  static constexpr int most_newton_steps = 40;

  /// ||theta0 - delta e||^2 - B^2 as a polynomial in delta.
  struct Quadratic {
    V c0, c1, c2;
    MIXLAB_INLINE V at(V delta) const { return fma(delta, fma(delta, c2, -2.0 * c1), c0); }
  };

  /// Of Newton's method for the norm: 1/(2 <theta, e>), theta = theta0 - delta e. <theta, M theta> is positive, but e is
  /// that of a theta before, which a sample may have turned round.
  MIXLAB_INLINE V slope_of(V theta0_e, V e_e) const { return 0.5 / abs(fnma(delta_, e_e, theta0_e)); }

  MIXLAB_INLINE void predict() {
    MIXLAB_UNROLL(32)
    for (int i = 0; i < P; ++i) theta_[i] = fnma(delta_, e_[i], theta0_[i]);
  }

  /// The rest of a sweep, after e = M theta: delta by a step of Newton's method, then theta. `c0`, `slope`: of the norm.
  /// Says where theta is now optimal.
  MIXLAB_INLINE Mask finish_sweep(const V* e, V c0, V slope, V lowest, Mask fixed = nowhere()) {
    const Quadratic norm{c0, dot<P>(theta0_, e), dot<P>(e, e)};
    const V next = select(fixed, delta_, max(fma(norm.at(delta_), slope, delta_), lowest));
    const V excess = norm.at(next);
    V change[P];
    MIXLAB_UNROLL(32)
    for (int i = 0; i < P; ++i) {
      const V theta = fnma(next, e[i], theta0_[i]);
      change[i] = theta - theta_[i];
      theta_[i] = theta;
    }
    delta_ = next;
    const Mask feasible = (excess <= sphere * B2_) & ((excess >= -sphere * B2_) | (next <= lowest));
    const V residual2 = next * next * dot<P>(change, change);
    return feasible & (residual2 <= tolerance2_) & (residual2 * weight_ <= effect2_);
  }

  /// More sweeps where needed, and if they do not end, M anew.
  [[gnu::noinline]] void converge(const Gram<P>& gram, const V* x, int r) {
    done_ = sweep(done_, most_sweeps);
    if (!all(done_)) recentre(gram, x, r + 1, !done_);
  }

  /// By the number of the sample alone.
  [[gnu::noinline]] void recentre_all(const Gram<P>& gram, const V* x, int n) {
    M_.restart();
    recentre(gram, x, n, everywhere());
  }

  /// A lane that is done keeps e and delta, so the sweep gives it the same theta again.
  Mask sweep(Mask done, int most) {
    const V lowest = -mu0_;
    const V c0 = dot<P>(theta0_, theta0_) - B2_;
    for (int n = 0; n < most && !all(done); ++n) {
      V e[P];
      M_.multiply(theta_, e);
      MIXLAB_UNROLL(32)
      for (int i = 0; i < P; ++i) e_[i] = e[i] = select(done, e_[i], e[i]);
      const V slope = slope_of(dot<P>(theta0_, e), dot<P>(e, e));
      done = done | finish_sweep(e, c0, slope, lowest, done);
    }
    return done;
  }

  /// M, theta0 and theta from Lambda, the first n samples of the block and b, in the lanes of `mask`: Newton's method
  /// for 1/||theta(s)|| = 1/B to the neighbourhood of the solution, sweeps from there.
  [[gnu::noinline]] void recentre(const Gram<P>& gram, const V* x, int n, Mask mask) {
    const Symmetric<P> A = n > 0 ? gram.with(x, n) : gram.matrix();
    V trace = 0.0;
    for (int i = 0; i < p_; ++i) trace = trace + A.get(i, i);
    const V floor = least_shift / p_ * trace;
    const V smallest_pivot = well_conditioned * trace;

    Symmetric<P> M;
    V shift = max(mu(), V(0.0)), lowest = 0.0, theta[P], e[P], pivots[P];
    for (int step = 0;; ++step) {
      M = A;
      const Mask good = invert<P>(M, shift, smallest_pivot, p_, pivots);
      const Mask singular = (!good) & (shift < floor);
      M.multiply(b_, theta);
      refine(A, shift, M, b_, theta);
      M.multiply(theta, e);
      const V length2 = dot<P>(theta, theta);
      const V excess = sqrt(length2) / B_ - 1.0;
      const Mask near = (abs(excess) <= settled) | ((excess <= 0.0) & (shift <= lowest));
      const Mask ready = near & !singular;
      if (all(ready | !mask) || step == most_newton_steps) break;
      const V next = max(fma(length2 / dot<P>(theta, e), excess, shift), lowest);
      lowest = select(singular, floor, lowest);
      shift = select(singular, floor, select(ready, shift, next));
    }
    for (int i = 0; i < Symmetric<P>::size; ++i) M_.before().a[i] = select(mask, M.a[i], M_.before().a[i]);
    M_.restart(mask);
    V trace_M = 0.0;
    for (int i = 0; i < p_; ++i) trace_M = trace_M + M.get(i, i);
    const V amplification = fma(V(lambda_), trace_M, V(1.0));
    const V amplification2 = amplification * amplification;
    weight_ = select(mask, weight_ / amplification2_ * amplification2, weight_);
    amplification2_ = select(mask, amplification2, amplification2_);
    mu0_ = select(mask, shift, mu0_);
    delta_ = select(mask, V(0.0), delta_);
    for (int i = 0; i < P; ++i) {
      theta0_[i] = select(mask, theta[i], theta0_[i]);
      theta_[i] = select(mask, theta[i], theta_[i]);
      e_[i] = select(mask, e[i], e_[i]);
    }
    const Mask inside = (mu0_ <= 0.0) & (dot<P>(theta0_, theta0_) <= B2_);
    const Mask done = sweep(inside | !mask, most_sweeps_anew);
    if (!all(done)) solve_one_by_one(A, done);
  }

  /// theta += M (b - (A + shift I) theta): takes the rounding of M out of theta = M b.
  static void refine(const Symmetric<P>& A, V shift, const Symmetric<P>& M, const V* b, V* theta) {
    V residual[P], step[P];
    A.multiply(theta, residual);
    for (int i = 0; i < P; ++i) residual[i] = fnma(shift, theta[i], b[i] - residual[i]);
    M.multiply(residual, step);
    for (int i = 0; i < P; ++i) theta[i] = theta[i] + step[i];
  }

  void solve_one_by_one(const Symmetric<P>& A, Mask done) {
    const V open = select(done, V(0.0), V(1.0));
    for (int lane = 0; lane < V::width; ++lane) {
      if (open[lane] == 0) continue;
      double Lambda[P * P], right[P], theta[P];
      for (int i = 0; i < p_; ++i) {
        right[i] = b_[i][lane];
        for (int j = 0; j < p_; ++j) Lambda[i * p_ + j] = A.get(i, j)[lane];
      }
      const double mu = solve_exactly(Lambda, right, p_, B_, theta);
      for (int i = 0; i < p_; ++i) theta_[i].set(lane, theta[i]);
      delta_.set(lane, mu - mu0_[lane]);
    }
    V e[P];
    M_.multiply(theta_, e);
    for (int i = 0; i < P; ++i) e_[i] = select(done, e_[i], e[i]);
  }

  InverseInRuns<P> M_;  ///< (Lambda + mu0 I)^{-1}, the samples of the block included
  V b_[P];
  V theta0_[P];  ///< M b
  V e_[P];       ///< M theta
  V theta_[P];
  V mu0_, delta_, tolerance2_;
  V weight_, amplification2_;
  // of the sample that is being taken in
  V c0_, slope_;         ///< of the norm
  Mask inside_;          ///< the ball, without a shift
  bool optimal_ = true;  ///< theta, before any sweep
  Mask done_;            ///< where two sweeps were enough
  double B_ = 1, B2_ = 1, residual2_ = 0, effect2_ = 0, lambda_ = 0;
  int p_ = P;
};

template <int P>
using LeastSquares = std::conditional_t<P == 2, PlaneLeastSquares, SweptLeastSquares<P>>;

static_assert(EstimatorInBall<LeastSquares<2>, 2>);
static_assert(EstimatorInBall<LeastSquares<3>, 3>);

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
