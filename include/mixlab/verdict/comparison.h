// Two policies on the same noise, trajectory by trajectory (MATHEMATICS.md D.6).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/regrets.h"
#include "mixlab/verdict/spread.h"

namespace mixlab::verdict {

/// Regret of `a` against `b`; both ran the same trajectories.
struct Comparison {
  std::int64_t cell_a = 0;
  std::int64_t cell_b = 0;
  std::string label_a;
  std::string label_b;
  std::int64_t n = 0;            ///< trajectories that both ran
  bool stopped_early = false;    ///< a cell stopped at its verdict: means and
                                 ///< intervals are not those of a fixed n
  double difference = unknown;   ///< mean of a - b
  Interval difference_interval;  ///< Student's t on the differences, at 1 - alpha
  std::int64_t wins = 0;         ///< trajectories with a strictly below b
  std::int64_t ties = 0;
  Interval win_interval;  ///< exact, of the probability of a win
  Spread a;
  Spread b;

  double win_share() const { return n == 0 ? unknown : static_cast<double>(wins) / static_cast<double>(n); }
};

/// `rows`: regret of (a, b). Of a long table at most about `room` numbers are held in memory.
Comparison compare(const RegretTable& rows, double alpha, std::size_t room = verdict_room);

}  // namespace mixlab::verdict
