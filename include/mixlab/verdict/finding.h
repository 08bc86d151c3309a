// What the data say about one confidence set, or one theorem, in one cell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/core/text.h"
#include "mixlab/study/expectation.h"
#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/calibration.h"
#include "mixlab/verdict/evidence.h"
#include "mixlab/verdict/spread.h"

namespace mixlab::verdict {

/// none: nothing is expected, so no word is said.
enum class State { violated, certified, undecided, none };
std::string name_of(State state);

/// Two tests of one miss probability against delta, and what follows from them.
struct Judgement {
  std::int64_t n = 0;       ///< trajectories that were run
  std::int64_t misses = 0;  ///< of them
  Evidence evidence;        ///< the looks at those that were run without a gap, from the first on
  double delta = 0.05;
  study::Expected expected = study::Expected::any;
  bool stopped_early = false;  ///< the cell stopped at its verdict, before all trajectories were run

  Interval miss_interval;  ///< two-sided, of the miss probability, exact at 1 - alpha for a fixed n
  PValues p;
  double adjusted_violated = unknown;  ///< min(1, M p); unknown where no word is said
  double adjusted_certified = unknown;
  State state = State::none;
  bool contradicted = false;
  double detectable = unknown;   ///< smallest miss probability that is found with probability 0.9
  std::int64_t n_to_decide = 0;  ///< trajectories that would decide at this miss rate; 0: none, or too many

  double miss_rate() const { return n == 0 ? unknown : static_cast<double>(misses) / static_cast<double>(n); }
  double coverage() const { return n == 0 ? unknown : static_cast<double>(n - misses) / static_cast<double>(n); }
};

/// Interval, p-values, state and contradiction from the counts, delta and expectation, as one of n_words comparisons
/// that together have the level alpha; then what it could have seen, and what it would take to decide.
void judge(Judgement& judgement, double alpha, std::int64_t n_words, LevelSplits& splits);

/// One set in one cell at one delta.
struct Finding {
  std::int64_t cell = 0;
  std::string label;
  std::string set;
  Judgement anytime;         ///< theta* outside at some round
  bool exploratory = false;  ///< at a delta that the study did not declare: outside its promise
  bool guaranteed = false;
  std::string why_not_guaranteed;
  std::int64_t horizon_misses = 0;  ///< theta* outside at the last round; optimistic, for comparison only
  Interval horizon_interval;        ///< of that probability
  Calibration calibration;          ///< all deltas at once, on the declared trajectories; unknown before all are there
  double all_delta = unknown;       ///< the two tests together, min(1, M p); unknown unless expected to hold
  double c = unknown;               ///< factor on the squared radius at which coverage would be 1 - delta
  Interval c_interval;              ///< distribution-free; unknown above: the sample is too small
  double ratio_median = unknown;    ///< of sup_t q_t/beta_t^2
  double ratio_largest = unknown;

  double horizon_coverage() const {
    const std::int64_t n = anytime.n;
    return n == 0 ? unknown : static_cast<double>(n - horizon_misses) / static_cast<double>(n);
  }
};

/// A statistic that the mathematics bounds on every trajectory, whatever the noise: one exception refutes it.
struct LemmaFinding {
  std::string column;        ///< of the rows
  double bound = unknown;    ///< at the horizon
  double largest = unknown;  ///< of all trajectories
  std::int64_t violations = 0;
  std::int64_t first_violation = -1;  ///< the first trajectory above the bound

  bool holds() const { return violations == 0; }
};

/// The regret theorem and the deterministic lemmas in one cell.
struct BoundFinding {
  std::int64_t cell = 0;
  std::string label;
  bool applies = false;    ///< a regret theorem speaks about this policy
  bool vacuous = false;    ///< it is not below the trivial 2BT at the horizon
  Judgement anytime;       ///< regret above the theorem at some round; only where it applies, judged unless vacuous
  double bound = unknown;  ///< the theorem at the horizon
  Spread regret;           ///< at the horizon
  std::vector<LemmaFinding> lemmas;  ///< those of which the file has both sides

  /// Nothing where the file does not have it.
  const LemmaFinding* lemma(const std::string& column) const;
  bool contradicted() const;
};

}  // namespace mixlab::verdict
