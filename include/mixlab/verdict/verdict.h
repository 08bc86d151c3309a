// The verdict: does each confidence set really contain theta* at all rounds at once with probability 1 - delta? And
// what the same trajectories say about regret.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "mixlab/verdict/comparison.h"
#include "mixlab/verdict/finding.h"
#include "mixlab/verdict/rate.h"
#include "mixlab/verdict/summary.h"

namespace mixlab::store {
class ResultsFile;
}

namespace mixlab::verdict {

/// contradicted: something is the opposite of what was expected, or a lemma fails. undecided: nothing is, but the
/// trajectories do not decide everything.
enum class Outcome { as_expected, contradicted, undecided };
/// "AS EXPECTED", ...
std::string name_of(Outcome outcome);

/// A cell of the study, whether it was run or not.
struct Cell {
  std::string label;
  std::vector<std::string>
      sweep;           ///< values of the swept keys as the study wrote them; empty: the cell has no such key
  std::string caveat;  ///< what a reader of the verdict must know about its noise; mostly empty
  double delta = unknown;
  std::int64_t horizon = 0;
  std::int64_t n_run = 0;
};

struct Verdict {
  std::string file;
  std::string title;
  std::vector<std::string> overrides;  ///< what was changed in the study file: "noise.rho=0.5"
  std::vector<std::string> swept;      ///< keys
  std::vector<Cell> cells;             ///< all of them, by number
  double alpha = 0.05;
  std::int64_t n_words = 1;          ///< M: comparisons that the study declares, each at alpha/M
  std::vector<double> deltas;        ///< all levels judged
  std::int64_t trajectories = 0;     ///< of all cells together
  std::int64_t completed = 0;        ///< of them, those that were run
  std::vector<Finding> findings;     ///< cell by cell, delta by delta, set by set
  std::vector<BoundFinding> bounds;  ///< one per cell
  std::vector<Comparison> comparisons;
  std::vector<Rate> rates;
  std::vector<Summary> summaries;  ///< of statistics that nothing above speaks of

  bool complete() const { return completed == trajectories; }
  Outcome outcome() const;
  bool contradicted() const { return outcome() == Outcome::contradicted; }
  bool exploratory() const;
  /// What alpha means, in one sentence.
  std::string promise() const;
  /// What was found, in one sentence that begins with the outcome.
  std::string sentence() const;
  /// Each caveat with the cells it is about.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> caveats() const;
};

/// `deltas`: empty for the study's own; others are exploratory, and decided by the stored p-values. Throws InputError if no trajectory
/// has been run.
Verdict check(const store::ResultsFile& results, double alpha, const std::vector<double>& deltas);

}  // namespace mixlab::verdict
