// A block of samples and what they did to the estimates: handed from the estimators to the monitors and the scores.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// What a block of samples did, round after round.
template <int P>
struct Absorbed {
  using V = Vec;
  std::int64_t first = 1;  ///< t of the first sample
  int n = 0;
  int entered = 0;                    ///< the last step brought the samples from here on
  const V* x = nullptr;               ///< n actions
  const V* y = nullptr;               ///< n rewards
  const V* eps = nullptr;             ///< their noise
  const V* again = nullptr;           ///< 1 where x is that of the sample before, else 0
  std::uint8_t begun[largest_block];  ///< lanes in which a run begins, as bits; if there are some,
  V vx[largest_block * P];            ///< V^{-1} x before the run that the sample belongs to, and
  V ended[largest_block];             ///< gain of the run that the sample ended; 0 where none
  V gain[largest_block];              ///< m/(1 + m x' V^{-1} x), V before the run, m samples of it so far
  V run_growth[largest_block];        ///< 1 + m x' V^{-1} x
  V growth_before;                    ///< the same before the block
  V growth[largest_block];            ///< product of 1 + x' V^{-1} x since `logdet_then`
  V theta_hat[largest_block * P];     ///< constrained least squares
  V theta_ridge[largest_block * P];   ///< at the policy's lambda: moved by the sample along V^{-1} x as above,
  V way[largest_block];               ///< this far
  V mu[largest_block];                ///< of theta_hat
  V q_Lambda[largest_block], q_loss[largest_block];  ///< of theta_hat
  V error2[largest_block];                           ///< ||theta_hat - theta*||^2
  V q_ridge[largest_block];                          ///< at the policy's lambda
  V logdet_then;                                     ///< log det some samples before the block, so a lower bound
  V c_before[P];

  V logdet(int r) const { return logdet_then + log_above_one(growth[r]); }
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
