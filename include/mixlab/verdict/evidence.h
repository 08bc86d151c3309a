// What the trajectories of a cell, looked at again and again, say about one miss probability: p-values that are valid
// whenever somebody looks (MATHEMATICS.md D.3).
#pragma once

#include <cstdint>
#include <vector>

namespace mixlab::verdict {

/// Misses among trajectories 0..n-1.
struct Look {
  std::int64_t n = 0;
  std::int64_t misses = 0;
};

/// Share of the level that is kept for looks at any time; the rest is for the exact test of the declared trajectories.
inline constexpr double anytime_share = 0.1;

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
PValues p_values(const Evidence& evidence, double delta);

/// The largest evidence of all looks that decides at this level on its own, whatever comes later: log(1/(share level)).
double decisive_log_e(double level);
/// Whether the looks alone decide at this level, one way or the other.
bool decided_by_looks(const std::vector<Look>& looks, double delta, double level);

/// The smallest miss probability that is found to be above delta at this level with at least this probability: by the
/// exact test of the declared trajectories, if `n` reaches them, or by a look at n. Unknown if neither can reject.
double smallest_detectable(std::int64_t n, std::int64_t n_declared, double delta, double level, double power);

/// A number of trajectories above the last look that would decide at this level if they went on to miss at this rate;
/// 0 if `largest` would not.
std::int64_t trials_to_decide(const Evidence& evidence, double rate, double delta, double level,
                              std::int64_t largest = 10000000);

}  // namespace mixlab::verdict
