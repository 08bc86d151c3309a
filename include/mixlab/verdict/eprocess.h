// Evidence that may be looked at at any time: two betting processes on the misses of a sequence of trajectories
// (MATHEMATICS.md D.3). Whatever the number n at which somebody stops to look, P(E ever reaches x) <= 1/x.
#pragma once

#include <cstdint>

namespace mixlab::verdict {

/// log E+ after k misses in trajectories 0..n-1: evidence against "the miss probability is at most delta".
double log_e_violated(std::int64_t k, std::int64_t n, double delta);
/// log E-: evidence against "the miss probability is above delta".
double log_e_certified(std::int64_t k, std::int64_t n, double delta);

}  // namespace mixlab::verdict
