// A lower bound on the least eigenvalue of T + lambda I, T tridiagonal, and a near one, by Laguerre's method for
// det(T + (lambda - w) I): with S_1 and S_2 the sums over the eigenvalues v of 1/(v - w) and 1/(v - w)^2,
//   n/(S_1 + ((n - 1)(n S_2 - S_1^2))^{1/2}) <= v_min - w <= S_1/S_2
// for all w < v_min, so that the bounds rise. Near the end a step is as good as three digits become nine.
#pragma once

#include "tridiagonal.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// w: in, a lower bound. Out: one that lies less than 8 `margin` below and, but for rounding, not less than margin. Says
/// where that was found.
template <int P>
[[gnu::noinline]] Mask approach_least_eigenvalue(const Tridiagonal<P>& T, double lambda, Vec margin, Mask wanted,
                                                 Vec& w) {
  using V = Vec;
  constexpr int most_steps = 40;
  constexpr double n = P;
  Mask found = nowhere();
  for (int step = 0; step < most_steps && any(wanted); ++step) {
    V inverse = 0.0, slope = 0.0, bend = 0.0, S1 = 0.0, S2 = 0.0, smallest = std::numeric_limits<double>::infinity();
    const V shift = lambda - w;
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) {  // pivot, the derivative of -log of it and that of this
      const V product = T.beside(i) * T.beside(i) * inverse;
      const V pivot = (T.diagonal(i) + shift) - product;
      smallest = min(pivot, smallest);
      inverse = 1.0 / pivot;
      const V more = fma(slope, slope, bend);
      slope = fma(product, slope, V(1.0)) * inverse;
      bend = fma(slope, slope, product * inverse * more);
      S1 = S1 + slope;
      S2 = S2 + bend;
    }
    wanted = wanted & (smallest > 0.0);
    const Mask near = wanted & (S1 <= 8.0 * margin * S2);
    found = found | near;
    wanted = wanted & !near;
    const V least = n / (S1 + sqrt((n - 1) * max(fnma(S1, S1, n * S2), V(0.0))));
    w = select(wanted, w + max(least - margin, 0.25 * least), w);
  }
  return found;
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
