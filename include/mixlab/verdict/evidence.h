// What the trajectories of a cell, looked at again and again, say about one miss probability: p-values that are valid
// whenever somebody looks (MATHEMATICS.md D.3).
#pragma once

#include <cstdint>
#include <vector>

#include "mixlab/verdict/level_split.h"

namespace mixlab::verdict {

/// Misses among trajectories 0..n-1.
struct Look {
  std::int64_t n = 0;
  std::int64_t misses = 0;
};

/// The looks at one sequence of trajectories, ascending.
struct Evidence {
  std::vector<Look> looks;
  std::int64_t n_declared =
      0;  ///< trajectories when the study was first run; 0: not known, then there is no fixed test

  std::int64_t n() const { return looks.empty() ? 0 : looks.back().n; }
};

struct PValues {
  double violated = 1;         ///< of "miss probability <= delta"
  double certified = 1;        ///< of "miss probability > delta"
  double log_e_violated = 0;   ///< largest log E+ of all looks
  double log_e_certified = 0;  ///< largest log E-
};
/// `split`: how the level at which a word is said is split; p is at most this level exactly where the word is said.
PValues p_values(const Evidence& evidence, double delta, const LevelSplit& split);

/// Whether one of the looks alone decides, one way or the other.
bool decided_by_looks(const std::vector<Look>& looks, double delta, const LevelSplit& split);

/// The smallest miss probability that is found to be above delta with at least this probability: by the exact test of
/// the declared trajectories, if `n` reaches them, or by a look at n. Unknown if neither can reject.
double smallest_detectable(std::int64_t n, std::int64_t n_declared, double delta, const LevelSplit& split,
                           double power);

/// A number of trajectories above the last look that would decide if they went on to miss at this rate; 0 if `largest`
/// would not.
std::int64_t trials_to_decide(const Evidence& evidence, double rate, double delta, const LevelSplit& split,
                              std::int64_t largest = 10000000);

}  // namespace mixlab::verdict
