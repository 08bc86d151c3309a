// The verdict: does each confidence set really contain theta* at all rounds at once with probability 1 - delta?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/store/results_file.h"
#include "mixlab/study/expectation.h"

namespace mixlab::verdict {

enum class State { violated, certified, undecided };
std::string to_text(State state);

/// What the data say about one set in one cell at one delta.
struct Finding {
  std::int64_t cell = 0;
  std::string label;
  std::string set;
  double delta = 0.05;
  std::int64_t n = 0;       ///< trajectories that were run
  std::int64_t misses = 0;  ///< with theta* outside the set at some round
  double lower = 0;         ///< one-sided exact limits of the miss probability, each at 1 - alpha
  double upper = 1;
  double p_violated = 1;   ///< of "miss probability <= delta"; adjusted unless the expectation is any
  double p_certified = 1;  ///< of "miss probability > delta"; adjusted unless the expectation is any
  State state = State::undecided;
  bool guaranteed = false;
  std::string why_not_guaranteed;
  study::Expected expected = study::Expected::any;
  bool contradicted = false;
  std::int64_t n_to_certify = 0;  ///< trajectories that would decide at this miss rate; 0: none would
  double sup_ratio_median = 0;
  double sup_ratio_95 = 0;

  double coverage() const { return n == 0 ? 0 : 1 - static_cast<double>(misses) / static_cast<double>(n); }
};

struct Verdict {
  std::string title;
  double alpha = 0.05;
  std::int64_t n_missing = 0;  ///< rows not run
  std::vector<Finding> findings;

  bool contradicted() const;
  /// One sentence a person can read.
  std::string sentence() const;
};

/// States and contradictions from misses, n, delta and expected of each finding: two Holm families at level alpha over
/// the findings whose expectation is not any.
void judge(std::vector<Finding>& findings, double alpha);

/// `deltas`: empty for the study's own; others are decided by the stored p-values.
Verdict check(const store::ResultsFile& results, double alpha, const std::vector<double>& deltas);

}  // namespace mixlab::verdict
