// The verdict in one sentence.
#include <algorithm>

#include "mixlab/core/text.h"
#include "mixlab/verdict/verdict.h"

namespace mixlab::verdict {
namespace {

/// What there is to count.
struct Tally {
  std::int64_t to_hold = 0, certified = 0, violated = 0;
  std::int64_t to_break = 0, broken = 0;
  std::string first_violated, first_unbroken;  ///< where to look
  std::int64_t not_at_all_deltas = 0;          ///< hold at this delta, not at all
  std::int64_t theorems = 0, theorems_violated = 0, lemmas_violated = 0;
};

std::string place_of(const Finding& finding) {
  return finding.set + " in cell " + std::to_string(finding.cell);
}

Tally count(const Verdict& verdict) {
  Tally tally;
  for (const auto& finding : verdict.findings) {
    const Judgement& anytime = finding.anytime;
    const bool violated = anytime.state == State::violated;
    if (anytime.expected == study::Expected::broken) {
      ++tally.to_break;
      tally.broken += violated;
      if (!violated && tally.first_unbroken.empty()) tally.first_unbroken = place_of(finding);
    }
    if (anytime.expected != study::Expected::holds) continue;
    ++tally.to_hold;
    tally.certified += anytime.state == State::certified;
    tally.violated += violated;
    if (violated && tally.first_violated.empty()) tally.first_violated = place_of(finding);
    tally.not_at_all_deltas += anytime.state != State::violated && finding.all_delta <= verdict.alpha;
  }
  for (const auto& bound : verdict.bounds) {
    tally.theorems += bound.applies;
    tally.theorems_violated += bound.anytime.contradicted;
    tally.lemmas_violated += bound.potential_violations > 0;
  }
  return tally;
}

std::string of(std::int64_t part, std::int64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

/// " (paper in cell 3)" or, of several, " (the first: paper in cell 3)"
std::string where(std::int64_t n, const std::string& first) {
  return n == 1 ? " (" + first + ")" : " (the first: " + first + ")";
}

std::string contradiction(const Tally& tally) {
  std::vector<std::string> clauses;
  const std::int64_t unbroken = tally.to_break - tally.broken;
  if (tally.violated > 0)
    clauses.push_back(of(tally.violated, tally.to_hold) + " sets expected to hold miss theta* too often" +
                      where(tally.violated, tally.first_violated));
  if (unbroken > 0)
    clauses.push_back(of(unbroken, tally.to_break) +
                      " sets expected to break cannot be shown to miss theta* too often" +
                      where(unbroken, tally.first_unbroken));
  if (tally.theorems_violated > 0)
    clauses.push_back("regret exceeds the theorem too often in " + of(tally.theorems_violated, tally.theorems) +
                      " cells where it applies");
  if (tally.lemmas_violated > 0)
    clauses.push_back("the potential lemma fails in " + std::to_string(tally.lemmas_violated) + " cells");
  return "CONTRADICTED: " + join(clauses, "; ");
}

std::string agreement(const Tally& tally) {
  std::vector<std::string> clauses;
  if (tally.to_hold > 0)
    clauses.push_back(of(tally.certified, tally.to_hold) + " sets expected to hold are certified" +
                      (tally.certified < tally.to_hold ? ", the rest not contradicted, not certified" : ""));
  if (tally.broken > 0)
    clauses.push_back(std::to_string(tally.broken) + " expected to break " + (tally.broken == 1 ? "is" : "are") +
                      " violated");
  if (clauses.empty()) clauses.push_back("nothing was expected of any set");
  return "As expected: " + join(clauses, "; ");
}

}  // namespace

std::string Verdict::sentence() const {
  const Tally tally = count(*this);
  std::string text = contradicted() ? contradiction(tally) : agreement(tally);
  if (tally.not_at_all_deltas > 0)
    text += "; " + std::to_string(tally.not_at_all_deltas) + " of those that hold would not hold at every delta";
  if (!complete()) text += "; " + of(trajectories - completed, trajectories) + " trajectories have not been run";
  return text + ".";
}

}  // namespace mixlab::verdict
