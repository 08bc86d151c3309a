// What the lanes engine hands over to the reference mathematics, one lane at a time.
#pragma once

#include "mixlab/random/stream.h"

namespace mixlab::engine::lanes {

/// Constrained least squares of one lane. `Lambda`: p x p; `theta`: p numbers. Returns mu.
double solve_exactly(const double* Lambda, const double* b, int p, double B, double* theta);

/// What the policy of one lane is optimistic over: {theta : ||theta - centre||_V^2 <= radius2}, V = Lambda + lambda I,
/// cut with the ball of radius B, which may be infinite.
struct Belief {
  int p;
  const double* Lambda;  ///< p x p
  double lambda;
  const double* centre;
  double radius2;
  double B;
};

/// x: the direction of a longest theta, which is what the optimist plays in the unit ball (MATHEMATICS.md C.5).
void choose_longest(const Belief& belief, double* x);

/// The arm of largest upper confidence bound (MATHEMATICS.md C.4). `arms`: p x K.
int choose_arm(const Belief& belief, const double* arms, int K);

/// x: a uniformly distributed unit vector.
void draw_direction(int p, random::Stream& stream, double* x);

}  // namespace mixlab::engine::lanes
