// What the lanes engine hands over to the reference mathematics, one lane at a time.
#pragma once

namespace mixlab::engine::lanes {

/// Constrained least squares of one lane. `Lambda`: p x p; `theta`: p numbers. Returns mu.
double solve_exactly(const double* Lambda, const double* b, int p, double B, double* theta);

}  // namespace mixlab::engine::lanes
