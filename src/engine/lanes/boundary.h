// The longest and the shortest point of an ellipsoid {theta : ||theta - c||_V <= beta} (MATHEMATICS.md C.7), V = T + lambda I
// with T tridiagonal. Both are
//   theta = c + w y,   y = (V - w I)^{-1} c,   w^2 y' V y = beta^2,
// the longest with 0 < w < the least eigenvalue of V, the shortest with w < 0. With m = 1/w and z = w V^{1/2} y the
// function 1/||z|| of m is concave on both branches, and nearly linear: Newton's method from the w of the round before
// takes a step or two,
//   m += ||z||^2 (||z||/beta - 1)/D,   D = w^3 (y'c + 2 w y'y + w^2 y' (V - w I)^{-1} y).
// The last step moves theta along its derivative.
#pragma once

#include "least_eigenvalue.h"
#include "tridiagonal_ldl.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// Newton's method at a w.
template <int P>
struct BoundaryStep {
  using V = Vec;
  V w;
  V y[P], slope[P];
  V spent2;  ///< ||z||^2
  V change;  ///< of w, by first order in that of 1/w
  V moved;   ///< of w, that of 1/w as it is

  MIXLAB_INLINE void take(const Tridiagonal<P>& T, double lambda, const V* c, V beta, V at) {
    w = at;
    TridiagonalLdl<P> factor;
    factor.factor(T, lambda - w);
    factor.solve(c, y);
    factor.solve(y, slope);
    const V yc = dot<P>(y, c), yy = dot<P>(y, y);
    spent2 = w * w * fma(w, yy, yc);
    const V D = w * w * w * fma(w * w, dot<P>(y, slope), fma(2.0 * w, yy, yc));
    change = w * w * spent2 * (1.0 - sqrt(abs(spent2)) / beta) / D;
    moved = change / (1.0 - change / w);
  }
  V next() const { return w + moved; }
};

/// The step from theta, inside the boundary by `rest` of beta^2, along a unit vector e: `half` is e' V (theta - c), and
/// e' V e = weight. The one that is nearer if half >= 0.
MIXLAB_INLINE Vec step_to_boundary(Vec half, Vec weight, Vec rest) {
  return rest / (half + sqrt(fma(weight, rest, half * half)));
}

/// Of ellipsoids that grow ever narrower.
template <int P>
class LongestPoint {
 public:
  using V = Vec;

  void start(double lambda) {
    lambda_ = lambda;
    w_ = lambda;
    least_ = 0.0;
  }

  /// Says where theta was found; elsewhere it takes an eigendecomposition. Lanes out of `wanted` are left alone.
  [[gnu::noinline]] Mask find(const Tridiagonal<P>& T, const V* c, V beta, Mask wanted, V* theta) {
    const V margin = fma(V(1e-14), T.trace() + lambda_, V(1e-12 * lambda_));
    V end = max(least_, lambda_ - margin);
    Mask open = approach_least_eigenvalue<P>(T, lambda_, margin, wanted, end);
    open = open & (end > 0.0);
    Mask found = nowhere(), short_of = nowhere();
    least_ = select(open, end, select(wanted, V(0.0), least_));
    V w = min(w_, end);
    for (int step = 0; step < most_steps && any(open); ++step) {
      BoundaryStep<P> newton;
      newton.take(T, lambda_, c, beta, w);
      const Mask goes_on = (newton.change < w) & (newton.next() < end);
      const Mask near = open & end_along_slope(newton, c, beta, open, theta);
      w_ = select(near, min(newton.next(), end), w_);
      found = found | near;
      short_of = short_of | (open & !near & !goes_on & (w >= end));
      open = open & !(near | short_of);
      w = select(goes_on, newton.next(), end);
    }
    if (any(short_of)) found = found | find_beyond(T, c, beta, short_of, theta);
    return found;
  }

 private:
  static constexpr int most_steps = 25;

  // If theta = c + w y + a e is on the boundary, e a unit vector, its ||theta||^2 is a^2 e' (V - w I) e/w below the largest
  // at most. (So nothing depends on the digits of V - w I that are lost next to the end.)

  /// Along the derivative of c + w y, (V - w I)^{-1} (c + w y). Says where that was near enough.
  MIXLAB_INLINE static Mask end_along_slope(const BoundaryStep<P>& newton, const V* c, V beta, Mask wanted, V* theta) {
    constexpr double near_enough = 1e-14;  // to ||theta||^2: what the derivative leaves out is less
    const V w = newton.w;
    V base[P], slope[P];
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) {
      base[i] = fma(w, newton.y[i], c[i]);
      slope[i] = fma(w, newton.slope[i], newton.y[i]);
    }
    const V size2 = dot<P>(slope, slope), along = dot<P>(base, slope), inverse_size = 1.0 / sqrt(size2);
    const V excess = along / size2;
    const V a = step_to_boundary(w * inverse_size * along, w + excess, fma(beta, beta, -newton.spent2));
    const Mask near = wanted & (a * a * excess <= near_enough * w * dot<P>(base, base));
    const V step = a * inverse_size;
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) theta[i] = select(near, fma(step, slope[i], base[i]), theta[i]);
    return near;
  }

  /// Where even the end of the branch leaves some of beta^2: along an e of the least eigenvalue.
  [[gnu::noinline]] Mask find_beyond(const Tridiagonal<P>& T, const V* c, V beta, Mask wanted, V* theta) {
    constexpr double near_enough = 2e-10;  // to ||theta||^2
    constexpr double rounding = 1e-9;
    const V w = select(wanted, least_, V(0.5 * lambda_));
    V e[P], far[P];
    const V excess = find_axis(T, w, e);
    TridiagonalLdl<P> factor;
    factor.factor(T, lambda_ - w);
    factor.solve(c, far);
    const V rest = max(fnma(w * w, fma(w, dot<P>(far, far), dot<P>(far, c)), beta * beta), V(0.0));
    for (int i = 0; i < P; ++i) far[i] = fma(w, far[i], c[i]);
    const V half = w * dot<P>(far, e), size = step_to_boundary(abs(half), w + excess, rest);
    // e and -e are as good where c has no part along them but rounding: always the same then
    const V a = select(half < -rounding * beta * sqrt(w), -size, size);
    add<P>(far, a, e);
    for (int i = 0; i < P; ++i) theta[i] = select(wanted, far[i], theta[i]);
    w_ = select(wanted, w, w_);
    return wanted & (a * a * excess <= near_enough * w * dot<P>(far, far));
  }

  /// A unit vector e of the least eigenvalue, by inverse iteration; of many the one next to the unit vector that V is least
  /// for, which stays the same until it is played. Returns e' (V - w I) e.
  MIXLAB_INLINE V find_axis(const Tridiagonal<P>& T, V w, V* e) const {
    constexpr double away = 1e-6;  // so far from w that rounding does not choose among many
    T.least_unit_vector(e);
    T.turn(e);
    TridiagonalLdl<P> factor;
    factor.factor(T, fma(V(away - 1), w, V(lambda_)));
    V before[P], inverse_length;
    for (int step = 0; step < 4; ++step) {
      copy<P>(before, e);
      factor.solve(before, e);
      inverse_length = 1.0 / sqrt(dot<P>(e, e));
      for (int i = 0; i < P; ++i) e[i] = e[i] * inverse_length;
    }
    return max(fnma(V(away), w, dot<P>(e, before) * inverse_length), V(0.0));
  }

  V w_, least_;  ///< of the round before; a lower bound on the least eigenvalue
  double lambda_ = 1;
};

template <int P>
class ShortestPoint {
 public:
  using V = Vec;

  void start(double lambda) {
    lambda_ = lambda;
    w_ = -lambda;
  }

  /// Says where theta was found. Lanes out of `wanted` are left alone.
  [[gnu::noinline]] Mask find(const Tridiagonal<P>& T, const V* c, V beta, Mask wanted, V* theta) {
    V w = w_, low = 0.0, high = std::numeric_limits<double>::infinity();  // of -w
    Mask open = wanted & (dot<P>(c, c) > 0.0), found = nowhere();
    for (int step = 0; step < most_steps && any(open); ++step) {
      BoundaryStep<P> newton;
      newton.take(T, lambda_, c, beta, w);
      // what the derivative leaves out is of second order; far out, where it is lost in rounding, ||z|| tells
      const V change2 = newton.moved * newton.moved * dot<P>(newton.slope, newton.slope);
      const Mask near = open & (change2 <= near_enough * near_enough * dot<P>(newton.y, newton.y)) &
                        (abs(newton.spent2 - beta * beta) <= on_boundary * beta * beta);
      const V next = newton.next();
      for (int i = 0; i < P; ++i)
        theta[i] = select(near, fma(next, fma(newton.moved, newton.slope[i], newton.y[i]), c[i]), theta[i]);
      w_ = select(near, next, w_);
      found = found | near;
      open = open & !near;
      const Mask short_of = newton.spent2 < beta * beta;
      low = select(short_of, max(-w, low), low);
      high = select(short_of, high, min(-w, high));
      const Mask fits = (-next > low) & (-next < high);
      const V middle = select(high < std::numeric_limits<double>::infinity(), 0.5 * (low + high), 8.0 * low);
      w = select(fits, next, -middle);
    }
    return found;
  }

 private:
  static constexpr int most_steps = 25;
  static constexpr double near_enough = 1e-7;  // relative change of y
  static constexpr double on_boundary = 1e-6;  // ||z||^2 from beta^2, relative

  V w_;
  double lambda_ = 1;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
