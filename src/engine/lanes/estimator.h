// What the learner asks of an estimator in the ball. For every sample of a block, in this order: absorb, first_sweep,
// second_sweep, settle, weigh. Then close_block, and recentre when the schedule says so.
#pragma once

#include <concepts>

#include "gram.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// Whether the shift that an estimator works at stays what it was at a sample, or is found anew.
enum class Shift { kept, renewed };

/// Constrained least squares over the ball of radius B, theta = argmin of sum (y_s - <theta, x_s>)^2, sample by sample.
/// `gram`: Lambda up to the last block.
template <class Estimator, int P>
concept EstimatorInBall = requires(Estimator estimator, const Estimator done, Gram<P> gram, const Gram<P> before,
                                   const Vec* x, const Vec* y, const Vec* weight, int p, double B, double sigma,
                                   double lambda, int r, int n, Mask again, Shift shift, Vec error2) {
  /// `sigma`: of the noise; `lambda`: the largest of the sets that are centred here.
  estimator.start(p, B, sigma, lambda);
  /// Sample r of a block: `x` holds its actions, `y` its rewards; where `again`, x is that of the sample before.
  estimator.absorb(before, x, y, r, again, shift);
  estimator.first_sweep();
  estimator.second_sweep();
  /// theta is optimal from here on.
  estimator.settle(before, x, r);
  /// Told ||theta - theta*||^2, on which it depends how good the next theta must be.
  estimator.weigh(error2);
  /// `gram` takes in the block of n samples, with their weights (Gram::add) if it asks for them.
  estimator.close_block(gram, x, weight, n);
  /// The shift anew, after close_block.
  estimator.recentre(before);
  { Estimator::asks_for_weights } -> std::convertible_to<bool>;
  { done.theta() } -> std::same_as<const Vec*>;
  /// The multiplier of the ball.
  { done.mu() } -> std::same_as<Vec>;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
