// What the data say about one confidence set, or one theorem, in one cell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/core/text.h"
#include "mixlab/study/expectation.h"
#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/calibration.h"

namespace mixlab::verdict {

enum class State { violated, certified, undecided };
std::string name_of(State state);

/// Two exact tests of one miss probability against delta, and what follows from them.
struct Judgement {
  std::int64_t n = 0;       ///< trajectories that were run
  std::int64_t misses = 0;  ///< of them
  double delta = 0.05;
  study::Expected expected = study::Expected::any;

  Interval miss_interval;    ///< exact, two-sided, of the miss probability at 1 - alpha
  double p_violated = 1;     ///< of "miss probability <= delta"
  double p_certified = 1;    ///< of "miss probability > delta"
  double holm_violated = 1;  ///< adjusted by Holm unless the expectation is any
  double holm_certified = 1;
  State state = State::undecided;
  bool contradicted = false;
  double detectable = unknown;   ///< smallest miss probability that n trajectories find with 90% power
  std::int64_t n_to_decide = 0;  ///< trajectories that would decide at this miss rate; 0: none, or too many

  double miss_rate() const { return n == 0 ? unknown : static_cast<double>(misses) / static_cast<double>(n); }
  double coverage() const { return n == 0 ? unknown : static_cast<double>(n - misses) / static_cast<double>(n); }
};

/// Intervals, p-values, states and contradictions from n, misses, delta and expected: two Holm families at level alpha over those
/// whose expectation is not any.
void judge(const std::vector<Judgement*>& family, double alpha);
/// What a judged family could have seen, and what it would take to decide the rest, at Holm's strictest level.
void look_ahead(const std::vector<Judgement*>& family, double alpha);

/// One set in one cell at one delta.
struct Finding {
  std::int64_t cell = 0;
  std::string label;
  std::string set;
  Judgement anytime;  ///< theta* outside at some round
  bool guaranteed = false;
  std::string why_not_guaranteed;
  std::int64_t horizon_misses = 0;  ///< theta* outside at the last round; optimistic, for comparison only
  Interval horizon_interval;        ///< of that probability
  Calibration calibration;          ///< all deltas at once
  double all_delta = unknown;       ///< the two tests together, adjusted by Holm over all findings expected to hold
  double c = unknown;               ///< factor on the squared radius at which coverage would be 1 - delta
  Interval c_interval;              ///< distribution-free; unknown above: the sample is too small
  double ratio_median = unknown;    ///< of sup_t q_t/beta_t^2
  double ratio_largest = unknown;

  double horizon_coverage() const {
    const std::int64_t n = anytime.n;
    return n == 0 ? unknown : static_cast<double>(n - horizon_misses) / static_cast<double>(n);
  }
};

/// The regret theorem and the potential lemma in one cell.
struct BoundFinding {
  std::int64_t cell = 0;
  std::string label;
  bool applies = false;      ///< a regret theorem speaks about this policy
  bool vacuous = false;      ///< it is not below the trivial 2BT at the horizon
  Judgement anytime;         ///< regret above the theorem at some round; only where it applies
  double bound = unknown;    ///< the theorem at the horizon
  double largest = unknown;  ///< largest regret of a trajectory at the horizon
  double potential_bound = unknown;
  double potential_largest = unknown;
  std::int64_t potential_violations = 0;  ///< trajectories above the lemma, which allows none

  bool contradicted() const { return anytime.contradicted || potential_violations > 0; }
};

}  // namespace mixlab::verdict
