// The verdict in one sentence, and in another what it promises.
#include <algorithm>
#include <cmath>
#include <map>

#include "mixlab/core/text.h"
#include "mixlab/verdict/sweep.h"
#include "mixlab/verdict/verdict.h"

namespace mixlab::verdict {
namespace {

using Names = std::vector<std::string>;

constexpr std::size_t most_groups = 4;       ///< of sets that are told apart in one clause each
constexpr std::size_t most_characters = 12;  ///< of a list of cells

/// Pairs of set and cell in one state: each set with its cells.
struct Group {
  std::vector<std::pair<std::string, Cells>> sets;

  void add(const std::string& set, std::int64_t cell) {
    auto found = std::find_if(sets.begin(), sets.end(), [&](const auto& each) { return each.first == set; });
    if (found == sets.end()) found = sets.insert(sets.end(), {set, {}});
    Cells& cells = found->second;
    if (cells.empty() || cells.back() != cell) cells.push_back(cell);
  }
};

std::string listed(const Names& names) {
  if (names.size() < 2) return join(names);
  return join(Names(names.begin(), names.end() - 1)) + " and " + names.back();
}

std::string of(std::int64_t part, std::int64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

std::string cell_words(const Cells& cells) {
  return (cells.size() == 1 ? "cell " : "cells ") + ranges_text(cells, " ");
}

/// " in cells 0-2", or of many " in 24 of 30 cells (the first: 1)"; nothing if there is only one cell.
std::string place(const Cells& cells, std::size_t n_cells) {
  if (n_cells == 1) return "";
  const std::string words = cell_words(cells);
  if (words.size() <= most_characters) return " in " + words;
  if (cells.size() == n_cells) return " in all " + std::to_string(n_cells) + " cells";
  return " in " + of(static_cast<std::int64_t>(cells.size()), static_cast<std::int64_t>(n_cells)) +
         " cells (the first: " + std::to_string(cells.front()) + ")";
}

/// Sets that are in a state in the same cells share a clause: "oful and otc violated in cells 0-1".
Names clauses_about(const Group& group, const std::string& expectation, const std::string& state, std::size_t n_cells) {
  std::vector<std::pair<Cells, Names>> together;
  std::int64_t n_pairs = 0;
  for (const auto& [set, cells] : group.sets) {
    n_pairs += static_cast<std::int64_t>(cells.size());
    auto found = std::find_if(together.begin(), together.end(),
                              [&cells = cells](const auto& each) { return each.first == cells; });
    if (found == together.end()) found = together.insert(together.end(), {cells, {}});
    found->second.push_back(set);
  }
  if (together.size() > most_groups) {
    const auto& [cells, sets] = together.front();
    return {std::to_string(n_pairs) + " pairs of set and cell" + expectation + " " + state +
            " (the first: " + sets.front() + " in cell " + std::to_string(cells.front()) + ")"};
  }
  Names clauses;
  for (const auto& [cells, sets] : together)
    clauses.push_back(listed(sets) + expectation + " " + state + place(cells, n_cells));
  return clauses;
}

/// What is said about the sets, by state and contradiction.
struct Tally {
  Group unexpectedly_violated, unexpectedly_certified, certified, violated, undecided;
  std::int64_t n_as_expected = 0;
  std::int64_t n_not_at_all_deltas = 0;  ///< hold at this delta, not at all
};

Tally tally_of(const Verdict& verdict) {
  Tally tally;
  for (const auto& finding : verdict.findings) {
    const Judgement& anytime = finding.anytime;
    if (anytime.state == State::none) continue;
    const bool violated = anytime.state == State::violated, certified = anytime.state == State::certified;
    Group& group = violated    ? (anytime.contradicted ? tally.unexpectedly_violated : tally.violated)
                   : certified ? (anytime.contradicted ? tally.unexpectedly_certified : tally.certified)
                               : tally.undecided;
    group.add(finding.set, finding.cell);
    tally.n_as_expected += (violated || certified) && !anytime.contradicted;
    tally.n_not_at_all_deltas +=
        anytime.expected == study::Expected::holds && !violated && finding.all_delta <= verdict.alpha;
  }
  return tally;
}

/// The theorems in one state, and the first lemma that fails.
void add_bounds(Names& clauses, const Verdict& verdict, const std::vector<State>& states) {
  for (const State state : states) {
    Cells cells;
    for (const auto& bound : verdict.bounds)
      if (bound.anytime.state == state) cells.push_back(bound.cell);
    if (!cells.empty()) clauses.push_back("regret theorem " + name_of(state) + place(cells, verdict.cells.size()));
  }
}

void add_broken_lemmas(Names& clauses, const Verdict& verdict) {
  std::map<std::string, std::pair<std::int64_t, std::string>> broken;  // column -> how many, and the first
  for (const auto& bound : verdict.bounds)
    for (const auto& lemma : bound.lemmas) {
      if (lemma.holds()) continue;
      auto& [n, first] = broken[lemma.column];
      if (n == 0)
        first = "trajectory " + std::to_string(lemma.first_violation) + " of cell " + std::to_string(bound.cell);
      n += lemma.violations;
    }
  for (const auto& [column, where] : broken)
    clauses.push_back(column + " exceeds what its lemma allows in " + std::to_string(where.first) +
                      (where.first == 1 ? " trajectory (" : " trajectories (the first: ") + where.second + ")");
}

/// "mean regret grows like T^0.54 to T^0.6": the slopes of all lines along a key.
void add_rates(Names& clauses, const Verdict& verdict) {
  Names growth;
  for (const auto& [key, symbol] :
       {std::pair<std::string, std::string>{"study.horizon", "T^"}, {"noise.tau", "tau^"}}) {
    std::vector<double> slopes;
    for (const auto& rate : verdict.rates)
      if (rate.key == key && !std::isnan(rate.slope.value)) slopes.push_back(std::round(100 * rate.slope.value) / 100);
    if (slopes.empty()) continue;
    const auto [least, most] = std::minmax_element(slopes.begin(), slopes.end());
    growth.push_back(symbol + to_text(*least) + (*least < *most ? " to " + symbol + to_text(*most) : ""));
  }
  if (!growth.empty()) clauses.push_back("mean regret grows like " + listed(growth));
}

void add(Names& clauses, Names more) {
  clauses.insert(clauses.end(), more.begin(), more.end());
}

}  // namespace

std::string Verdict::sentence() const {
  const Tally tally = tally_of(*this);
  const std::size_t n = cells.size();
  Names clauses = clauses_about(tally.unexpectedly_violated, ", expected to hold,", "violated", n);
  add(clauses, clauses_about(tally.unexpectedly_certified, ", expected to break,", "certified", n));
  add_broken_lemmas(clauses, *this);
  if (contradicted()) {
    add_bounds(clauses, *this, {State::violated, State::undecided});
    add(clauses, clauses_about(tally.undecided, "", "undecided", n));
    if (tally.n_as_expected > 0)
      clauses.push_back(std::to_string(tally.n_as_expected) +
                        (tally.n_as_expected == 1 ? " verdict as expected" : " verdicts as expected"));
  } else {
    add(clauses, clauses_about(tally.undecided, "", "undecided", n));
    add(clauses, clauses_about(tally.certified, "", "certified", n));
    add(clauses, clauses_about(tally.violated, "", "violated", n));
    add_bounds(clauses, *this, {State::undecided, State::certified});
    if (clauses.empty()) clauses.push_back("nothing was expected of any set");
    add_rates(clauses, *this);
  }
  if (tally.n_not_at_all_deltas > 0)
    clauses.push_back(std::to_string(tally.n_not_at_all_deltas) + " of those that hold would not hold at every delta");
  if (!complete()) clauses.push_back(of(trajectories - completed, trajectories) + " trajectories have not been run");
  if (!caveats().empty()) clauses.push_back("the noise has a caveat");
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
