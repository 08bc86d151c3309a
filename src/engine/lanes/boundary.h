// The longest and the shortest point of an ellipsoid {theta : ||theta - c||_V <= beta} (MATHEMATICS.md C.5). Both are
//   theta = c + w y,   y = (V - w I)^{-1} c,   w^2 y' V y = beta^2,
// the longest with 0 < w < the smallest eigenvalue of V, the shortest with w < 0. With m = 1/w and z = w V^{1/2} y the
// function 1/||z|| of m is concave on both branches, and nearly linear: Newton's method from the w of the round before
// takes a step or two,
//   m += ||z||^2 (||z||/beta - 1)/D,   D = w^3 (y'c + 2 w y'y + w^2 y' (V - w I)^{-1} y).
// The last step moves y along its derivative, instead of factorising once more.
#pragma once

#include "ldl.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

enum class Extreme { longest, shortest };

template <int P, Extreme extreme>
class BoundaryPoint {
 public:
  using V = Vec;

  void start(int p, double lambda) {
    p_ = p;
    lambda_ = lambda;
    w_ = extreme == Extreme::longest ? 0.5 * lambda : -lambda;
  }

  /// V = Lambda + lambda I. Says where theta was found; elsewhere the point is next to a branch's end, which takes an
  /// eigendecomposition. Lanes out of `wanted` are left alone. `factor`: room.
  [[gnu::noinline]] Mask find(const Symmetric<P>& Lambda, const V* c, V beta, Mask wanted, Ldl<P>& factor, V* theta) {
    V trace = 0.0;
    for (int i = 0; i < p_; ++i) trace = trace + Lambda.get(i, i);
    const V smallest_pivot = 1e-14 * (trace + lambda_);
    V w = w_, low = 0.0, high = std::numeric_limits<double>::infinity();  // of |w|
    Mask open = wanted & (dot<P>(c, c) > 0.0), found = nowhere();
    for (int step = 0; step < most_steps && any(open); ++step) {
      const Mask inside = factor.factor(Lambda, lambda_ - w, smallest_pivot, p_);
      V half[P], y[P], slope[P];
      factor.forward(c, half);
      factor.backward(half, y);
      factor.forward(y, half);
      factor.backward(half, slope);
      const V yc = dot<P>(y, c), yy = dot<P>(y, y);
      const V spent2 = w * w * fma(w, yy, yc);
      const V ratio = sqrt(abs(spent2)) / beta;
      const V D = w * w * w * fma(w * w, dot<P>(y, slope), fma(2.0 * w, yy, yc));
      const V change = w * w * spent2 * (1.0 - ratio) / D;  // of w, by first order in that of 1/w
      const V next = w / (1.0 - change / w);
      const V change2 = (next - w) * (next - w) * dot<P>(slope, slope);
      const Mask near = open & inside & (change2 <= near_enough * near_enough * yy);
      // the end of the branch
      const Mask lost = open & inside & (w * w * dot<P>(slope, slope) > closest * closest * yy);
      MIXLAB_UNROLL(32)
      for (int i = 0; i < P; ++i) {
        const V moved = fma(next - w, slope[i], y[i]);
        theta[i] = select(near, fma(next, moved, c[i]), theta[i]);
      }
      w_ = select(near, next, w_);
      found = found | near;
      open = open & !(near | lost);
      w = bracketed(w, next, inside, ratio, low, high);
    }
    return found;
  }

 private:
  static constexpr int most_steps = 25;
  static constexpr double near_enough = 1e-7;  // relative change of y: its square is left
  static constexpr double closest = 1e6;       // 1/(1 - w/v), where rounding would tell

  /// The next w: Newton's unless it leaves the bracket.
  MIXLAB_INLINE static V bracketed(V w, V next, Mask inside, V ratio, V& low, V& high) {
    constexpr double sign = extreme == Extreme::longest ? 1 : -1;
    const V at = sign * w, aim = sign * next;
    const Mask short_of = inside & (ratio < 1.0);
    low = select(short_of, max(at, low), low);
    high = select(short_of, high, min(at, high));
    const Mask fits = inside & (aim > low) & (aim < high);
    const V middle = select(high < std::numeric_limits<double>::infinity(), 0.5 * (low + high), 8.0 * low);
    return sign * select(fits, aim, middle);
  }

  V w_;
  double lambda_ = 1;
  int p_ = P;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
