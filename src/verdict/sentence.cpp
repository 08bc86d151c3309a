// The verdict in one sentence, and in another what it promises.
#include <algorithm>

#include "mixlab/core/text.h"
#include "mixlab/verdict/verdict.h"

namespace mixlab::verdict {
namespace {

/// Some of the findings, and the first of them, where to look.
struct Some {
  std::int64_t n = 0;
  std::string first;

  void add(bool is_one, const std::string& place) {
    if (is_one && n++ == 0) first = place;
  }
  /// " (paper in cell 3)" or, of several, " (the first: paper in cell 3)"
  std::string where() const { return n == 1 ? " (" + first + ")" : " (the first: " + first + ")"; }
};

/// What there is to count.
struct Tally {
  std::int64_t to_hold = 0, certified = 0;
  std::int64_t to_break = 0, broken = 0;
  std::int64_t theorems = 0, theorems_kept = 0;
  std::int64_t not_at_all_deltas = 0;  ///< hold at this delta, not at all
  Some violated, unbroken, undecided, theorems_violated, lemmas_violated;
};

void count(Tally& tally, const Finding& finding, double alpha) {
  const Judgement& anytime = finding.anytime;
  const std::string place = finding.set + " in cell " + std::to_string(finding.cell);
  const bool holds = anytime.expected == study::Expected::holds, breaks = anytime.expected == study::Expected::broken;
  const bool violated = anytime.state == State::violated, certified = anytime.state == State::certified;
  tally.to_hold += holds;
  tally.to_break += breaks;
  tally.certified += holds && certified;
  tally.broken += breaks && violated;
  tally.violated.add(holds && violated, place);
  tally.unbroken.add(breaks && certified, place);
  tally.undecided.add(anytime.state == State::undecided, place);
  tally.not_at_all_deltas += holds && !violated && finding.all_delta <= alpha;
}

void count(Tally& tally, const BoundFinding& bound) {
  const State state = bound.anytime.state;
  const std::string cell = "cell " + std::to_string(bound.cell);
  tally.theorems += state != State::none;
  tally.theorems_kept += state == State::certified;
  tally.theorems_violated.add(state == State::violated, cell);
  tally.lemmas_violated.add(bound.potential_violations > 0, cell);
  tally.undecided.add(state == State::undecided, "the regret theorem in " + cell);
}

std::string of(std::int64_t part, std::int64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

std::vector<std::string> contradictions(const Tally& tally) {
  std::vector<std::string> clauses;
  if (tally.violated.n > 0)
    clauses.push_back(of(tally.violated.n, tally.to_hold) + " sets expected to hold miss theta* too often" +
                      tally.violated.where());
  if (tally.unbroken.n > 0)
    clauses.push_back(of(tally.unbroken.n, tally.to_break) + " sets expected to break are certified" +
                      tally.unbroken.where());
  if (tally.theorems_violated.n > 0)
    clauses.push_back("regret exceeds the theorem too often in " + of(tally.theorems_violated.n, tally.theorems) +
                      " cells where it says something" + tally.theorems_violated.where());
  if (tally.lemmas_violated.n > 0)
    clauses.push_back("the potential lemma fails in " + std::to_string(tally.lemmas_violated.n) + " cells" +
                      tally.lemmas_violated.where());
  return clauses;
}

std::vector<std::string> agreements(const Tally& tally) {
  std::vector<std::string> clauses;
  if (tally.to_hold > 0) clauses.push_back(of(tally.certified, tally.to_hold) + " sets expected to hold are certified");
  if (tally.to_break > 0) clauses.push_back(of(tally.broken, tally.to_break) + " expected to break are violated");
  if (tally.theorems > 0)
    clauses.push_back("the regret theorem is certified in " + of(tally.theorems_kept, tally.theorems) +
                      " cells where it says something");
  if (clauses.empty()) clauses.push_back("nothing was expected of any set");
  return clauses;
}

}  // namespace

std::string Verdict::sentence() const {
  Tally tally;
  for (const auto& finding : findings) count(tally, finding, alpha);
  for (const auto& bound : bounds) count(tally, bound);
  auto clauses = contradicted() ? contradictions(tally) : agreements(tally);
  if (tally.undecided.n > 0)
    clauses.push_back(std::to_string(tally.undecided.n) + " undecided" + tally.undecided.where());
  if (tally.not_at_all_deltas > 0)
    clauses.push_back(std::to_string(tally.not_at_all_deltas) + " of those that hold would not hold at every delta");
  if (!complete()) clauses.push_back(of(trajectories - completed, trajectories) + " trajectories have not been run");
  if (exploratory()) clauses.push_back("exploratory: this delta is not the study's own");
  return name_of(outcome()) + ": " + join(clauses, "; ") + ".";
}

std::string Verdict::promise() const {
  return "Except with probability at most " + to_text(100 * alpha) +
         "% over the seeds, every violated and every certified said about the " + std::to_string(n_words) +
         (n_words == 1 ? " comparison" : " comparisons") +
         " declared in the study is right, whatever their dependence, whenever one looked and however early a cell "
         "stopped; certified means: the probability that theta* leaves the set in some round 1..T, for trajectories "
         "drawn as this cell draws them, is at most delta.";
}

}  // namespace mixlab::verdict
