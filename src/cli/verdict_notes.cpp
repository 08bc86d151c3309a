#include "verdict_notes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>

#include "command.h"
#include "mixlab/core/text.h"
#include "sweep_matrix.h"

namespace mixlab::cli {
namespace {

using verdict::Comparison;
using verdict::Finding;
using verdict::LemmaFinding;
using verdict::State;
using verdict::Verdict;

constexpr std::size_t name_width = 11;

/// Numbers under a name, in the order in which the names came.
class Groups {
 public:
  void add(const std::string& name, double value) {
    if (std::isnan(value)) return;
    auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& each) { return each.first == name; });
    if (found == all_.end()) found = all_.insert(all_.end(), {name, {}});
    found->second.push_back(value);
  }
  bool empty() const { return all_.empty(); }
  /// "0.29 (paper), 2.3-2.4 (otc)"; the numbers must not be negative.
  std::string words(const char* format) const {
    return join(all_, ", ",
                [&](const auto& each) { return range_text(each.second, format, "-") + " (" + each.first + ")"; });
  }

 private:
  std::vector<std::pair<std::string, std::vector<double>>> all_;
};

void add_last_round(std::vector<Note>& notes, const Verdict& shown) {
  constexpr double flattery = 0.05;
  Groups at_horizon;
  for (const auto& finding : shown.findings)
    if (finding.horizon_coverage() - finding.anytime.coverage() > flattery)
      at_horizon.add(finding.set, finding.horizon_coverage());
  if (!at_horizon.empty()) notes.push_back({"Last round", "alone would show coverage " + at_horizon.words("%.2f")});
}

void add_sharpness(std::vector<Note>& notes, const Verdict& shown) {
  Groups factors;
  for (const auto& finding : shown.findings) factors.add(finding.set, std::sqrt(finding.c));
  if (!factors.empty()) notes.push_back({"Sharpness", "radius x " + factors.words("%.2g") + " would be exact"});
}

void add_power(std::vector<Note>& notes, const Verdict& shown) {
  std::map<double, double> largest;  // delta -> what every word about it would find
  bool finds_nothing = false;
  for (const auto& finding : shown.findings) {
    if (finding.anytime.state == State::none) continue;
    finds_nothing |= std::isnan(finding.anytime.detectable);
    double& most = largest[finding.anytime.delta];
    most = std::fmax(most, finding.anytime.detectable);
  }
  if (largest.empty()) return;
  if (finds_nothing) {
    notes.push_back({"Power", "too few trajectories to find any miss probability with probability 0.9"});
    return;
  }
  const std::string levels = join(largest, ", ", [&](const auto& each) {
    return text("%.3g", each.second) + (largest.size() == 1 ? "" : text(" (delta %g)", each.first));
  });
  notes.push_back({"Power", "a miss probability from " + levels + " on is found with probability 0.9"});
}

void add_undecided(std::vector<Note>& notes, const Verdict& shown) {
  std::vector<double> enough;
  bool is_open = false, is_hopeless = false;
  const auto look_at = [&](const verdict::Judgement& judgement) {
    if (judgement.state != State::undecided) return;
    is_open = true;
    if (judgement.n_to_decide > 0)
      enough.push_back(static_cast<double>(judgement.n_to_decide));
    else
      is_hopeless = true;
  };
  for (const auto& finding : shown.findings) look_at(finding.anytime);
  for (const auto& bound : shown.bounds) look_at(bound.anytime);
  if (!is_open) return;
  std::vector<std::string> words;
  if (!enough.empty()) words.push_back("about " + range_text(enough, "%.0f") + " trajectories would decide");
  if (is_hopeless) words.emplace_back("at some miss rates not even ten million would decide");
  notes.push_back({"Undecided", join(words, "; ")});
}

void add_stops(std::vector<Note>& notes, const Verdict& shown) {
  std::vector<std::int64_t> cells;
  for (const auto& bound : shown.bounds)
    if (bound.anytime.stopped_early) cells.push_back(bound.cell);
  if (!cells.empty())
    notes.push_back({"Stopped", cell_list(cells) + " at the verdict, which stays right; intervals and means are for a "
                                                   "fixed number of trajectories: for orientation only"});
}

}  // namespace

std::vector<Note> lemma_notes(const Verdict& shown) {
  std::vector<std::string> kept, broken;
  for (const auto& bound : shown.bounds)
    for (const LemmaFinding& lemma : bound.lemmas) {
      if (!lemma.holds())
        broken.push_back(lemma.column + text(" %.6g > %.6g in ", lemma.largest, lemma.bound) +
                         std::to_string(lemma.violations) + " of cell " + std::to_string(bound.cell) +
                         ", the first: trajectory " + std::to_string(lemma.first_violation));
      else if (std::find(kept.begin(), kept.end(), lemma.column) == kept.end())
        kept.push_back(lemma.column);
    }
  if (!broken.empty()) return {{"Lemmas", "VIOLATED: " + join(broken, "; ")}};
  if (!kept.empty()) return {{"Lemmas", "kept on every trajectory: " + join(kept)}};
  return {};
}

namespace {

// Policies on the same noise

/// Pairs of cells whose policies are called the same.
struct Rivalry {
  std::string a, b;
  std::vector<const Comparison*> pairs;
};

std::vector<Rivalry> rivalries(const Verdict& verdict, const Verdict& shown) {
  std::vector<Rivalry> all;
  for (const auto& pair : shown.comparisons) {
    const auto& sweep_a = verdict.cells[static_cast<std::size_t>(pair.cell_a)].sweep;
    const auto& sweep_b = verdict.cells[static_cast<std::size_t>(pair.cell_b)].sweep;
    const auto differs = [&](const std::string& key) {
      const auto at = std::find(verdict.swept.begin(), verdict.swept.end(), key) - verdict.swept.begin();
      return sweep_a[static_cast<std::size_t>(at)] != sweep_b[static_cast<std::size_t>(at)];
    };
    const std::string a = sweep_words(verdict, sweep_a, differs), b = sweep_words(verdict, sweep_b, differs);
    auto found = std::find_if(all.begin(), all.end(), [&](const Rivalry& each) { return each.a == a && each.b == b; });
    if (found == all.end()) found = all.insert(all.end(), {a, b, {}});
    found->pairs.push_back(&pair);
  }
  return all;
}

/// The policy that mostly has the lower regret is told of.
Note rivalry_note(const Rivalry& rivalry) {
  std::vector<double> a_below, b_below, differences;
  double balance = 0;
  for (const Comparison* pair : rivalry.pairs) {
    const double n = static_cast<double>(pair->n);
    a_below.push_back(100 * static_cast<double>(pair->wins) / n);
    b_below.push_back(100 * static_cast<double>(pair->n - pair->wins - pair->ties) / n);
    balance += a_below.back() - b_below.back();
  }
  const bool tells_a = balance > 0;
  std::size_t n_worse_tails = 0;
  for (const Comparison* pair : rivalry.pairs) {
    differences.push_back(tells_a ? -pair->difference : pair->difference);
    n_worse_tails += tells_a ? pair->a.q99 > pair->b.q99 : pair->b.q99 > pair->a.q99;
  }
  const std::size_t n = rivalry.pairs.size();
  const double largest = *std::max_element(differences.begin(), differences.end());
  std::string words = (tells_a ? rivalry.a : rivalry.b) + " below " + (tells_a ? rivalry.b : rivalry.a) + " in " +
                      range_text(tells_a ? a_below : b_below, "%.0f") + "% of trajectories, mean by " +
                      range_text(differences, largest < 1000 ? "%.3g" : "%.0f");
  if (n_worse_tails > 0) words += "; 99% tail worse";
  if (n_worse_tails > 0 && n > 1)
    words += " in " + std::to_string(n_worse_tails) + " of " + std::to_string(n) + " pairs";
  return {"", words};
}

void add_theorems(std::vector<Note>& notes, const Verdict& shown) {
  std::map<std::string, std::vector<std::int64_t>> cells;
  for (const auto& bound : shown.bounds)
    cells[!bound.applies              ? "none for the policy of "
          : !bound.vacuous            ? name_of(bound.anytime.state) + " in "
          : bound.anytime.misses == 0 ? "kept, but empty in "
                                      : "empty, and exceeded in "]
        .push_back(bound.cell);
  notes.push_back({"Theorem", join(cells, "; ", [](const auto& each) { return each.first + cell_list(each.second); })});
}

}  // namespace

void print_notes(const std::vector<Note>& notes) {
  for (const auto& [name, words] : notes) {
    const std::string start = name.empty() ? "" : name + std::string(name_width - name.size(), ' ');
    std::cout << start << wrapped(words, start.size(), start.size()) << "\n";
  }
}

std::vector<Note> finding_notes(const Verdict& shown) {
  std::vector<Note> notes;
  add_last_round(notes, shown);
  add_sharpness(notes, shown);
  add_power(notes, shown);
  add_undecided(notes, shown);
  add_stops(notes, shown);
  for (auto& note : lemma_notes(shown)) notes.push_back(std::move(note));
  return notes;
}

std::vector<Note> regret_notes(const Verdict& verdict, const Verdict& shown, Theorems theorems) {
  std::vector<Note> notes;
  if (theorems == Theorems::told) add_theorems(notes, shown);
  constexpr std::size_t few_rivalries = 6;
  const auto all = rivalries(verdict, shown);
  for (const auto& rivalry : all)
    if (all.size() <= few_rivalries) notes.push_back(rivalry_note(rivalry));
  return notes;
}

std::string range_text(const std::vector<double>& values, const char* format, const char* to) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const auto written = [&](double value) {
    char buffer[400];  // the longest double in %f
    std::snprintf(buffer, sizeof buffer, format, value);
    return std::string(buffer);
  };
  const std::string low = written(*least), high = written(*most);
  return low == high ? low : low + to + high;
}

std::string cell_list(const std::vector<std::int64_t>& cells) {
  return (cells.size() == 1 ? "cell " : "cells ") + ranges_text(cells, " ");
}

}  // namespace mixlab::cli
