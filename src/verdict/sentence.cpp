// The verdict in one sentence.
#include <algorithm>

#include "mixlab/core/text.h"
#include "mixlab/verdict/verdict.h"

namespace mixlab::verdict {
namespace {

/// What there is to count.
struct Counts {
  std::int64_t to_hold = 0, certified = 0, violated = 0;
  std::int64_t to_break = 0, broken = 0;
  std::string first_violated, first_unbroken;  ///< where to look
  std::int64_t not_at_all_deltas = 0;          ///< hold at this delta, not at all
  std::int64_t theorems = 0, theorems_violated = 0, lemmas_violated = 0;
};

std::string place_of(const Finding& finding) {
  return finding.set + " in cell " + std::to_string(finding.cell);
}

Counts count(const Verdict& verdict) {
  Counts counts;
  for (const auto& finding : verdict.findings) {
    const Judgement& anytime = finding.anytime;
    const bool violated = anytime.state == State::violated;
    if (anytime.expected == study::Expected::broken) {
      ++counts.to_break;
      counts.broken += violated;
      if (!violated && counts.first_unbroken.empty()) counts.first_unbroken = place_of(finding);
    }
    if (anytime.expected != study::Expected::holds) continue;
    ++counts.to_hold;
    counts.certified += anytime.state == State::certified;
    counts.violated += violated;
    if (violated && counts.first_violated.empty()) counts.first_violated = place_of(finding);
    counts.not_at_all_deltas += anytime.state != State::violated && finding.all_delta <= verdict.alpha;
  }
  for (const auto& bound : verdict.bounds) {
    counts.theorems += bound.applies;
    counts.theorems_violated += bound.anytime.contradicted;
    counts.lemmas_violated += bound.potential_violations > 0;
  }
  return counts;
}

std::string of(std::int64_t part, std::int64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

/// " (paper in cell 3)" or, of several, " (the first: paper in cell 3)"
std::string where(std::int64_t n, const std::string& first) {
  return n == 1 ? " (" + first + ")" : " (the first: " + first + ")";
}

std::string contradiction(const Counts& counts) {
  std::vector<std::string> clauses;
  const std::int64_t unbroken = counts.to_break - counts.broken;
  if (counts.violated > 0)
    clauses.push_back(of(counts.violated, counts.to_hold) + " sets expected to hold miss theta* too often" +
                      where(counts.violated, counts.first_violated));
  if (unbroken > 0)
    clauses.push_back(of(unbroken, counts.to_break) +
                      " sets expected to break cannot be shown to miss theta* too often" +
                      where(unbroken, counts.first_unbroken));
  if (counts.theorems_violated > 0)
    clauses.push_back("regret exceeds the theorem too often in " + of(counts.theorems_violated, counts.theorems) +
                      " cells where it applies");
  if (counts.lemmas_violated > 0)
    clauses.push_back("the potential lemma fails in " + std::to_string(counts.lemmas_violated) + " cells");
  return "CONTRADICTED: " + join(clauses, "; ");
}

std::string agreement(const Counts& counts) {
  std::vector<std::string> clauses;
  if (counts.to_hold > 0)
    clauses.push_back(of(counts.certified, counts.to_hold) + " sets expected to hold are certified" +
                      (counts.certified < counts.to_hold ? ", the rest not contradicted, not certified" : ""));
  if (counts.broken > 0)
    clauses.push_back(std::to_string(counts.broken) + " expected to break " + (counts.broken == 1 ? "is" : "are") +
                      " violated");
  if (clauses.empty()) clauses.push_back("nothing was expected of any set");
  return "As expected: " + join(clauses, "; ");
}

}  // namespace

std::string Verdict::sentence() const {
  const Counts counts = count(*this);
  std::string text = contradicted() ? contradiction(counts) : agreement(counts);
  if (counts.not_at_all_deltas > 0)
    text += "; " + std::to_string(counts.not_at_all_deltas) + " of those that hold would not hold at every delta";
  if (!complete()) text += "; " + of(trajectories - completed, trajectories) + " trajectories have not been run";
  return text + ".";
}

}  // namespace mixlab::verdict
