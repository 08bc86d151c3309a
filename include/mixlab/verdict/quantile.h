// Quantiles of a sample, with intervals that hold for every continuous distribution (MATHEMATICS.md D.4).
#pragma once

#include <vector>

#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/sieve.h"

namespace mixlab::verdict {

/// The smallest value with at least share q of the sample at or below it; unknown if empty.
double quantile(const std::vector<ValueRun>& runs, double q);

/// Ranks l < u, from 1, of the order statistics between which the q-quantile lies: P(l <= Bin(n, q) < u) >= 1 - alpha
/// with at most alpha/2 on each side. l = 0 or u = n + 1: the sample is too small to bound that side.
struct Ranks {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
};
Ranks quantile_ranks(std::int64_t n, double q, double alpha);

/// The two order statistics; unknown on a side that the sample cannot bound.
Interval quantile_interval(const std::vector<ValueRun>& runs, double q, double alpha);

/// What a sieve has to find for these quantiles and their intervals.
Sieve::Wanted wanted_quantiles(std::vector<double> shares, double alpha);

}  // namespace mixlab::verdict
