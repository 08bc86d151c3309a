#include "verdict_details.h"

#include <algorithm>
#include <iostream>
#include <map>

#include "command.h"
#include "verdict_fields.h"
#include "verdict_notes.h"
#include "verdict_table.h"

#include "mixlab/core/text.h"

namespace mixlab::cli {
namespace {

using verdict::Finding;
using verdict::State;
using verdict::Verdict;

long long whole(std::int64_t number) {
  return static_cast<long long>(number);
}

template <class Record>
void print_table(const Fields<Record>& fields, char table, const std::vector<Record>& records) {
  print_table_heading(fields, table);
  for (const auto& record : records) print_table_line(fields, table, record);
}

/// Findings of one cell at one delta.
void print_findings(const std::vector<Finding>& findings) {
  const Finding& one = findings.front();
  std::string numbers = text("   (delta %g, %lld trajectories", one.anytime.delta, whole(one.anytime.n));
  if (one.anytime.stopped_early) numbers += ", stopped at its verdict";
  numbers += one.exploratory ? "; exploratory, no error control)" : ")";
  std::cout << "\n" << wrapped(text("cell %lld: ", whole(one.cell)) + one.label + numbers, 2, 0) << "\n";
  print_table(finding_fields(), '1', findings);
  print_table(finding_fields(), '2', findings);
  for (const auto& finding : findings) {
    const auto& anytime = finding.anytime;
    if (anytime.state != State::undecided) continue;
    std::cout << "  " << finding.set << ": undecided; "
              << (anytime.n_to_decide > 0
                      ? "about " + std::to_string(anytime.n_to_decide) + " trajectories would decide"
                      : "at this miss rate not even ten million would decide")
              << "\n";
  }
}

void print_all_findings(const Verdict& verdict) {
  for (auto begin = verdict.findings.begin(); begin != verdict.findings.end();) {
    const auto end = std::find_if(begin, verdict.findings.end(), [&](const Finding& finding) {
      return finding.cell != begin->cell || finding.anytime.delta != begin->anytime.delta;
    });
    print_findings({begin, end});
    begin = end;
  }
}

void print_footnotes(const Verdict& verdict) {
  std::map<std::pair<std::string, std::string>, std::vector<std::int64_t>> cells;  // (set, reason) -> where
  for (const auto& finding : verdict.findings) {
    if (finding.guaranteed) continue;
    auto& where = cells[{finding.set, finding.why_not_guaranteed}];
    if (where.empty() || where.back() != finding.cell) where.push_back(finding.cell);
  }
  if (!cells.empty()) std::cout << "\n* not guaranteed by the theory on these data:\n";
  for (const auto& [what, where] : cells)
    std::cout << "  " << wrapped(what.first + ", " + cell_list(where) + ": " + what.second, 4, 2) << "\n";
}

void print_caveats(const Verdict& verdict) {
  for (const auto& [caveat, cells] : verdict.caveats())
    std::cout << "\n" << wrapped("caveat, " + cell_list(cells) + ": " + caveat, 2, 0) << "\n";
}

void print_legend(const Verdict& verdict) {
  const double percent = 100 * (1 - verdict.alpha);
  std::cout << "\n"
            << fit_terminal(text(
                   "cover: share of trajectories with theta* inside at every round; low, high: exact %g%% interval; at "
                   "T: at the last round alone. adj. p: p-value of the test that decided, times the number of "
                   "comparisons that the study declares. c: factor on the squared radius at which coverage would be "
                   "exactly 1 - "
                   "delta, with a distribution-free %g%% interval; sqrt c: that factor on the radius. DKW, Simes: "
                   "p-values of validity at every delta at once, on the trajectories first declared. detects: the "
                   "smallest miss probability that is found with probability 0.9.",
                   percent, percent))
            << "\n"
            << fit_terminal(verdict.promise());
  if (verdict.exploratory())
    std::cout << "\n"
              << fit_terminal(
                     "exploratory: the promise is about the study's own delta. What is said about another is as good "
                     "only if it is the one delta that was named before anybody looked.");
}

/// Cells that stopped at their verdict: what is said of them beside it.
void print_stops(const Verdict& verdict) {
  std::vector<std::int64_t> cells;
  for (const auto& bound : verdict.bounds)
    if (bound.anytime.stopped_early) cells.push_back(bound.cell);
  if (cells.empty()) return;
  std::cout << "\n"
            << fit_terminal(
                   cell_list(cells) +
                   " stopped when all was decided at alpha 0.05. The promise holds there as elsewhere; but intervals "
                   "of coverage, mean regret, quantiles, t intervals, bootstrap and slopes are for a fixed "
                   "number of trajectories: for orientation only.");
}

void print_lemmas(const Verdict& verdict) {
  if (verdict.bounds.empty()) return;
  std::cout << "\nlemmas: statistics that are bounded on every trajectory\n";
  print_table(bound_fields(), '2', verdict.bounds);
  for (const auto& note : lemma_notes(verdict)) std::cout << wrapped(note.words, 0, 0) << "\n";
  std::cout << fit_terminal(
      "above: trajectories above the bound, of which a lemma allows none; potent., stale, fresh: the largest "
      "potential, "
      "stale_rounds and fresh_potential (mixlab describe format).");
}

void print_bounds(const Verdict& verdict) {
  if (verdict.bounds.empty()) return;
  std::cout << "\nregret and its theorem\n";
  print_table(bound_fields(), '1', verdict.bounds);
  std::cout << fit_terminal(
      "above: trajectories with regret above the theorem at some round; low, high: exact interval of the share that "
      "stays below; empty: not below the trivial 2BT, so that keeping it says nothing; then mean, 99% quantile and "
      "worst of the regret at the horizon, and the theorem there.");
}

void print_comparisons(const Verdict& verdict) {
  if (verdict.comparisons.empty()) return;
  std::cout << "\nregret at the horizon, cell a against cell b on the same noise\n";
  print_table(comparison_fields(), '1', verdict.comparisons);
  std::cout << "regret of a\n";
  print_table(comparison_fields(), '2', verdict.comparisons);
  std::cout << "regret of b\n";
  print_table(comparison_fields(), '3', verdict.comparisons);
  std::cout << fit_terminal(
      "a - b: mean difference with its interval; a wins: share of trajectories in which a has the lower regret, with "
      "its exact interval; then mean, quantiles and largest of each: the tail matters.");
}

void print_rates_in_full(const Verdict& verdict) {
  if (verdict.rates.empty()) return;
  std::cout << "\nhow mean regret grows: slope of log regret over log x\n";
  print_table_heading(rate_fields(), '1');
  for (const auto& rate : verdict.rates) {
    print_table_line(rate_fields(), '1', rate);
    std::cout << "    " << wrapped(rate.label, 4, 4) << "\n";
  }
  std::cout << fit_terminal(
      "low, high: bootstrap interval over trajectories; predicted: the exponent of the corollary, logarithms aside; of "
      "bound: slope of the theorem's right-hand side over the same cells, logarithms included.");
}

void print_summaries(const Verdict& verdict) {
  if (verdict.summaries.empty()) return;
  std::cout << "\nother statistics of the trajectories (mixlab describe format)\n";
  print_table(summary_fields(), '1', verdict.summaries);
}

}  // namespace

void print_verdict_details(const Verdict& verdict, const Verdict& shown) {
  print_verdict_head(verdict);
  print_all_findings(shown);
  print_footnotes(shown);
  print_caveats(verdict);
  print_legend(verdict);
  print_bounds(shown);
  print_lemmas(shown);
  print_comparisons(shown);
  print_rates_in_full(shown);
  print_stops(shown);
  print_summaries(shown);
}

}  // namespace mixlab::cli
