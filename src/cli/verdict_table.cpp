#include "verdict_table.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <set>

#include "command.h"
#include "mixlab/core/text.h"
#include "sweep_matrix.h"
#include "text_table.h"
#include "verdict_fields.h"
#include "verdict_notes.h"

namespace mixlab::cli {
namespace {

using verdict::BoundFinding;
using verdict::Finding;
using verdict::Rate;
using verdict::State;
using verdict::Verdict;

constexpr std::size_t few_findings = 12;  ///< are seen at a glance, line by line
constexpr std::size_t few_cells = 6;
constexpr std::size_t few_rates = 8;

using Findings = std::vector<const Finding*>;

/// "2000", or "64 to 2000"
template <class Value>
std::string cells_range(const Verdict& verdict, Value value) {
  std::vector<double> all;
  for (const auto& cell : verdict.cells) all.push_back(static_cast<double>(value(cell)));
  return range_text(all, "%.10g");
}

std::string size_words(const Verdict& verdict) {
  const std::size_t n = verdict.cells.size();
  return std::to_string(n) + (n == 1 ? " cell x " : " cells x ") +
         cells_range(verdict, [](const auto& cell) { return cell.n_run; }) + " trajectories x " +
         cells_range(verdict, [](const auto& cell) { return cell.horizon; }) + " rounds, delta " +
         cells_range(verdict, [](const auto& cell) { return cell.delta; });
}

/// How a finding is marked: what is contradicted, then what has a caveat.
const char* mark_of(const Verdict& verdict, const Finding& finding) {
  if (finding.anytime.contradicted) return "!";
  return verdict.cells[static_cast<std::size_t>(finding.cell)].caveat.empty() ? " " : "~";
}

// Cell by cell and set by set

std::string state_words(const Verdict& verdict, const Finding& finding) {
  if (finding.anytime.state == State::none) return "-";
  const bool has_caveat = !verdict.cells[static_cast<std::size_t>(finding.cell)].caveat.empty();
  return name_of(finding.anytime.state) + (has_caveat ? "~" : "");
}

std::vector<std::string> finding_words(const Verdict& verdict, const Finding& finding) {
  const auto& anytime = finding.anytime;
  return {finding.set + (finding.guaranteed ? "" : "*"),
          text("%.4f", anytime.coverage()),
          text("%.4f-%.4f", 1 - anytime.miss_interval.high, 1 - anytime.miss_interval.low),
          std::to_string(anytime.misses) + "/" + std::to_string(anytime.n),
          state_words(verdict, finding),
          name_of(anytime.expected),
          met(anytime)};
}

enum class CellNames { beside, above };

TextTable rows_of(const Verdict& verdict, const Findings& findings, CellNames names) {
  std::vector<Heading> headings = {{"set", Align::left},
                                   {"covers"},
                                   {text("%g%% interval", 100 * (1 - verdict.alpha))},
                                   {"misses"},
                                   {"verdict", Align::left},
                                   {"expected", Align::left},
                                   {"", Align::left}};
  if (names == CellNames::beside) headings.insert(headings.begin(), {"cell", Align::left});
  TextTable table(headings);
  const Finding* last = nullptr;
  for (const Finding* finding : findings) {
    const std::string name = std::to_string(finding->cell) + " " + finding->label;
    const bool is_new = !last || last->cell != finding->cell;
    auto words = finding_words(verdict, *finding);
    if (names == CellNames::beside)
      words.insert(words.begin(), is_new ? name : "");
    else if (is_new)
      table.add_line("cell " + name);
    table.add(std::move(words));
    last = finding;
  }
  return table;
}

void print_rows(const Verdict& verdict, const Findings& findings) {
  const TextTable table = rows_of(verdict, findings, CellNames::beside);
  std::cout << (table.width() <= terminal_width ? table : rows_of(verdict, findings, CellNames::above)).text();
}

// The matrix of a sweep

std::string matrix_entry(const Verdict& verdict, const Finding& finding) {
  static const std::map<State, const char*> symbols = {
      {State::certified, "v"}, {State::violated, "X"}, {State::undecided, "?"}, {State::none, "-"}};
  return symbols.at(finding.anytime.state) + std::string(mark_of(verdict, finding)) +
         text("%.3f", finding.anytime.coverage());
}

std::vector<std::int64_t> cells_of(const Findings& findings) {
  std::set<std::int64_t> cells;
  for (const Finding* finding : findings) cells.insert(finding->cell);
  return {cells.begin(), cells.end()};
}

void print_finding_matrix(const Verdict& verdict, const Findings& findings, const SweepLayout& layout) {
  std::map<std::pair<std::string, std::int64_t>, const Finding*> of;
  std::vector<std::string> sets;
  for (const Finding* finding : findings) {
    of[{finding->set, finding->cell}] = finding;
    if (std::find(sets.begin(), sets.end(), finding->set) == sets.end()) sets.push_back(finding->set);
  }
  std::vector<MatrixEntries> entries;
  for (const auto& set : sets)
    entries.push_back({set, [&, set](std::int64_t cell) {
                         const auto found = of.find({set, cell});
                         return found == of.end() ? "" : matrix_entry(verdict, *found->second);
                       }});
  std::cout << matrix_text(verdict, layout, entries)
            << "v certified, X violated, ? undecided, - nothing expected; ! against expectation\n";
}

bool needs_a_look(const Finding& finding) {
  return finding.anytime.contradicted || finding.anytime.state == State::undecided;
}

/// Below a matrix: only what is contradicted or undecided.
void print_exceptions(const Verdict& verdict, const Findings& findings) {
  Findings open;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(open),
               [](const Finding* finding) { return needs_a_look(*finding); });
  std::stable_partition(open.begin(), open.end(), [](const Finding* finding) { return finding->anytime.contradicted; });
  if (open.empty()) return;
  const std::size_t n_more = open.size() - std::min(open.size(), few_findings);
  open.resize(open.size() - n_more);
  std::cout << "\nContradicted or undecided\n";
  print_rows(verdict, open);
  if (n_more > 0) std::cout << "and " << n_more << " more: --contradicted, --cell C, --only SET, --full\n";
}

/// What the figures are, and from where on they mean a valid set.
std::string caption(const Findings& findings) {
  const Finding& one = *findings.front();
  const bool same = std::all_of(findings.begin(), findings.end(),
                                [&](const Finding* finding) { return finding->anytime.delta == one.anytime.delta; });
  return "theta* inside at every round: valid from " + (same ? text("%g", 1 - one.anytime.delta) : "1 - delta") +
         " on" + (one.exploratory ? " (exploratory)" : "");
}

/// At one delta, or each cell at its own.
void print_findings(const Verdict& verdict, const Findings& findings, bool line_by_line) {
  const auto cells = cells_of(findings);
  std::cout << "\n" << caption(findings);
  if (line_by_line || verdict.swept.empty() || cells.size() == 1 || findings.size() <= few_findings) {
    std::cout << "\n";
    print_rows(verdict, findings);
    return;
  }
  const SweepLayout layout = lay_out(verdict, cells);
  std::cout << "; across: " << verdict.swept[layout.across] << "\n";
  print_finding_matrix(verdict, findings, layout);
  print_exceptions(verdict, findings);
}

void print_all_findings(const Verdict& verdict, const Verdict& shown, bool line_by_line) {
  std::map<double, Findings> at_delta;  // 0: each cell at its own
  for (const auto& finding : shown.findings)
    at_delta[verdict.exploratory() ? finding.anytime.delta : 0].push_back(&finding);
  for (const auto& [delta, findings] : at_delta) print_findings(verdict, findings, line_by_line);
}

void print_footnotes(const Verdict& verdict, const Verdict& shown) {
  std::map<std::string, std::vector<std::string>> reasons;  // reason -> sets
  for (const auto& finding : shown.findings) {
    if (finding.guaranteed) continue;
    auto& sets = reasons[finding.why_not_guaranteed];
    if (std::find(sets.begin(), sets.end(), finding.set) == sets.end()) sets.push_back(finding.set);
  }
  constexpr std::size_t few_reasons = 2;
  const bool told = reasons.size() <= few_reasons && shown.findings.size() <= few_findings;
  const std::string words =
      told ? ": " + join(reasons, "; ", [](const auto& each) { return join(each.second) + " (" + each.first + ")"; })
           : "; --full says why";
  if (!reasons.empty()) std::cout << wrapped("* not covered by the theory on these data" + words, 2, 0) << "\n";
  for (const auto& [caveat, cells] : verdict.caveats())
    std::cout << wrapped("~ caveat, " + cell_list(cells) + ": " + caveat, 2, 0) << "\n";
}

// Regret

TextTable regret_rows(const Verdict& shown, CellNames names) {
  TextTable table({{"Regret at T", Align::left}, {"mean"}, {"median"}, {"99%"}, {"worst"}, {"theorem", Align::left}});
  const auto number = [](double value) { return text("%.4g", value); };
  for (const auto& bound : shown.bounds) {
    const std::string name = std::to_string(bound.cell) + " " + bound.label;
    if (names == CellNames::above) table.add_line("cell " + name);
    table.add({names == CellNames::above ? "" : name, number(bound.regret.mean), number(bound.regret.median),
               number(bound.regret.q99), number(bound.regret.largest), theorem_words(bound)});
  }
  return table;
}

void print_regret_rows(const Verdict& shown) {
  const TextTable table = regret_rows(shown, CellNames::beside);
  std::cout << (table.width() <= terminal_width ? table : regret_rows(shown, CellNames::above)).text();
}

void print_regret_matrix(const Verdict& verdict, const Verdict& shown) {
  std::map<std::int64_t, const BoundFinding*> of;
  std::vector<std::int64_t> cells;
  for (const auto& bound : shown.bounds) {
    of[bound.cell] = &bound;
    cells.push_back(bound.cell);
  }
  const auto mean = [&](std::int64_t cell) { return text("%.4g", of.at(cell)->regret.mean); };
  const SweepLayout layout = lay_out(verdict, cells);
  std::cout << "Mean regret at T; across: " << verdict.swept[layout.across] << "\n"
            << matrix_text(verdict, layout, {{"", mean}});
}

/// The longest lines; all of them where they are few.
std::vector<const Rate*> told_rates(const Verdict& shown) {
  std::size_t most_points = 0;
  for (const Rate& rate : shown.rates) most_points = std::max(most_points, rate.cells.size());
  std::vector<const Rate*> told;
  for (const Rate& rate : shown.rates)
    if (told.size() < few_rates && (shown.rates.size() <= few_rates || rate.cells.size() == most_points))
      told.push_back(&rate);
  return told;
}

TextTable rate_rows(const std::vector<const Rate*>& rates, CellNames names) {
  TextTable table(
      {{"Regret grows along", Align::left}, {"", Align::left}, {"slope"}, {"interval"}, {"corollary"}, {"theorem"}});
  const auto number = [](double value) { return std::isnan(value) ? std::string("-") : text("%.3f", value); };
  for (const Rate* rate : rates) {
    if (names == CellNames::above) table.add_line(rate->label);
    table.add({rate->key, names == CellNames::above ? "" : rate->label, number(rate->slope.value),
               number(rate->slope.interval.low) + "-" + number(rate->slope.interval.high), number(rate->predicted),
               number(rate->bound_slope)});
  }
  return table;
}

void print_rates(const Verdict& shown) {
  const auto told = told_rates(shown);
  if (told.empty()) return;
  const TextTable table = rate_rows(told, CellNames::beside);
  std::cout << (table.width() <= terminal_width ? table : rate_rows(told, CellNames::above)).text();
  if (told.size() < shown.rates.size()) std::cout << "and " << shown.rates.size() - told.size() << " more: --full\n";
}

void print_regret(const Verdict& verdict, const Verdict& shown) {
  if (shown.bounds.empty()) return;
  std::cout << "\n";
  const bool line_by_line = shown.bounds.size() <= few_cells || verdict.swept.empty();
  if (line_by_line)
    print_regret_rows(shown);
  else
    print_regret_matrix(verdict, shown);
  print_notes(regret_notes(verdict, shown, line_by_line ? Theorems::not_told : Theorems::told));
  print_rates(shown);
}

void print_hints(const Verdict& verdict) {
  std::cout << "\n--full: p-values, c, all deltas, promise; --cell C, --only SET, --contradicted\n"
            << "next: mixlab report " << verdict.file << "\n";
}

}  // namespace

std::string theorem_words(const BoundFinding& bound) {
  if (!bound.applies) return "none for this policy";
  const std::string above =
      std::to_string(bound.anytime.misses) + " of " + std::to_string(bound.anytime.n) + " above it";
  if (bound.vacuous)
    return (bound.anytime.misses == 0 ? "kept, but empty (" : "empty, " + above + " (") +
           text("%.3g > 2BT)", bound.bound);
  return name_of(bound.anytime.state) + text(" (%.4g)", bound.bound) + (bound.anytime.misses == 0 ? "" : ", " + above);
}

void print_verdict_head(const Verdict& verdict) {
  std::cout << wrapped(verdict.sentence(), 0, 0) << "\n";
  std::string title = verdict.title;
  if (!verdict.overrides.empty()) title += " [with " + join(verdict.overrides) + "]";
  std::cout << wrapped(title, 0, 0) << "\n";
  if (!verdict.complete())
    std::cout << "PARTIAL: " << verdict.trajectories - verdict.completed << " of " << verdict.trajectories
              << " trajectories have not been run.\n";
}

void print_verdict_table(const Verdict& verdict, const Verdict& shown) {
  print_verdict_head(verdict);
  std::cout << size_words(verdict) << "\n";
  const bool is_part = shown.findings.size() < verdict.findings.size();
  if (is_part)
    std::cout << "shown: " << shown.findings.size() << " of " << verdict.findings.size() << " pairs of cell and set\n";
  print_all_findings(verdict, shown, is_part);
  print_footnotes(verdict, shown);
  std::cout << "\n";
  print_notes(finding_notes(shown));
  print_regret(verdict, shown);
  print_hints(verdict);
}

}  // namespace mixlab::cli
