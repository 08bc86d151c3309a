// How regret at the horizon is spread over trajectories. A mean hides the tail.
#pragma once

#include <vector>

#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/regrets.h"
#include "mixlab/verdict/sieve.h"

namespace mixlab::verdict {

struct Spread {
  double mean = unknown;
  double median = unknown;
  double q90 = unknown;
  double q99 = unknown;
  Interval q99_interval;
  double largest = unknown;
};

/// What a sieve has to find for a spread.
Sieve::Wanted wanted_by_spread(double alpha);
/// `runs`: what such a sieve has found.
Spread spread_of(double mean, const std::vector<ValueRun>& runs, double alpha);

/// Of a table with one column; unknown without a row. Of a long one at most about `room` numbers are held in memory.
Spread spread_of(const RegretTable& rows, double alpha, std::size_t room = verdict_room);

}  // namespace mixlab::verdict
