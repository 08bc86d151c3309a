#include "mixlab/verdict/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/store/layout.h"
#include "mixlab/store/results_file.h"
#include "mixlab/study/look.h"
#include "mixlab/study/study_file.h"
#include "mixlab/verdict/declared.h"
#include "mixlab/verdict/quantile.h"
#include "mixlab/verdict/regrets.h"
#include "mixlab/verdict/sample.h"
#include "mixlab/verdict/stopping.h"
#include "mixlab/verdict/sweep.h"

namespace mixlab::verdict {
namespace {

/// Columns that the mathematics bounds on every trajectory, and where a file has the bound.
struct Lemma {
  const char* column;
  const char* bound;
};
constexpr Lemma lemmas[] = {{"potential", "bound_potential"},
                            {"stale_rounds", "bound_stale_rounds"},
                            {"fresh_potential", "bound_fresh_potential"}};
constexpr double rounding = 1e-9;  ///< relative, of what is compared with a lemma

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (auto& line : split(text, '\n'))
    if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

/// The file, cell by cell, into findings.
class Examination {
 public:
  Examination(const store::ResultsFile& results, double alpha, const std::vector<double>& deltas)
      : file_(results.file()),
        results_(results),
        sweep_(results),
        regrets_(results),
        deltas_(deltas),
        sets_(results.sets()),
        own_delta_(file_.read<double>("confidence_delta")),
        guaranteed_(file_.read<std::uint8_t>("guaranteed")),
        expected_(file_.read<std::uint8_t>("expected")),
        why_not_guaranteed_(results.why_not_guaranteed()),
        n_declared_(results.n_declared()),
        completed_(results.completed()) {
    verdict_.file = results.path();
    verdict_.title = one_line(file_.text_attribute("title"));
    verdict_.overrides = lines_of(file_.text_attribute("study_overrides"));
    verdict_.alpha = alpha;
    declared_ = declared_in(results);
    verdict_.n_words = n_words(declared_);
    const auto study =
        study::parse_study_text(results.study_text(), results.path(), {}, results.files(), study::Source::stored);
    const auto* stop = study.find("study.stop");
    stops_ = stop && stop->value == "verdict";
    describe_cells();
  }

  Verdict verdict() {
    for (std::int64_t cell = 0; cell < results_.n_cells(); ++cell) {
      const Question question = question_of(cell);
      const CellSample sample = read_sample(
          results_, cell, question, [&](std::int64_t first, std::int64_t end) { regrets_.keep(cell, first, end); });
      if (stopped_early(cell, sample)) stopped_.insert(cell);
      verdict_.trajectories += stopped_.contains(cell) ? sample.n_run : results_.n_trajectories();
      verdict_.completed += sample.n_run;
      verdict_.cells[static_cast<std::size_t>(cell)].n_run = sample.n_run;
      find_sets(cell, question.deltas, sample);
      find_bound(cell, sample);
    }
    if (verdict_.completed == 0)
      throw InputError("nothing to judge: '" + results_.path() +
                       "' (no trajectory has been run); go on with mixlab run or mixlab merge");
    judge_all();
    for (const auto& [a, b] : sweep_.rivals()) compare_cells(a, b);
    for (const auto& line : sweep_.lines()) find_rate(line);
    verdict_.summaries = summarise(results_, columns_without_finding(results_.version()));
    return std::move(verdict_);
  }

 private:
  void describe_cells() {
    verdict_.swept = results_.swept();
    auto sweep = results_.sweep(), caveats = results_.caveats();
    for (auto* texts : {&sweep, &caveats}) std::transform(texts->begin(), texts->end(), texts->begin(), one_line);
    const std::size_t n_keys = verdict_.swept.size();
    for (std::size_t c = 0; c < caveats.size(); ++c) {
      const auto cell = static_cast<std::int64_t>(c);
      const auto first = sweep.begin() + static_cast<std::ptrdiff_t>(c * n_keys);
      verdict_.cells.push_back({.label = sweep_.label(cell),
                                .sweep = {first, first + static_cast<std::ptrdiff_t>(n_keys)},
                                .caveat = caveats[c],
                                .delta = own_delta(cell),
                                .horizon = static_cast<std::int64_t>(sweep_.number("study.horizon", cell))});
    }
  }

  std::size_t at(std::int64_t cell, std::size_t set) const {
    return static_cast<std::size_t>(cell) * sets_.size() + set;
  }

  double own_delta(std::int64_t cell) const { return own_delta_[static_cast<std::size_t>(cell)]; }
  std::int64_t n_declared(std::int64_t cell) const { return n_declared_[static_cast<std::size_t>(cell)]; }

  /// Trajectories that were run without a gap, from the first on.
  std::int64_t n_without_gap(std::int64_t cell) const {
    const auto holes = completed_.missing(static_cast<int>(cell), 0, results_.n_trajectories());
    return holes.empty() ? results_.n_trajectories() : holes.front().first;
  }

  /// Whether rows are absent because all was decided before their turn came.
  bool stopped_early(std::int64_t cell, const CellSample& sample) {
    if (!stops_ || sample.n_run == results_.n_trajectories()) return false;
    const DeclaredCell& declared = declared_[static_cast<std::size_t>(cell)];
    std::vector<std::vector<Look>> comparisons;
    for (const auto& set : declared.sets) comparisons.push_back(sample.sets[set_index(set)].looks);
    if (declared.theorem) comparisons.push_back(sample.bound_looks);
    const double level = stopping_alpha / static_cast<double>(verdict_.n_words);
    return first_decided(comparisons, declared.delta, splits_.of(n_declared(cell), declared.delta, level)) > 0;
  }

  Question question_of(std::int64_t cell) const {
    Question question;
    question.deltas = deltas_.empty() ? std::vector<double>{own_delta(cell)} : deltas_;
    question.alpha = verdict_.alpha;
    for (const Lemma& lemma : lemmas)
      if (is_stored(lemma)) question.limits.push_back({lemma.column, at_horizon(lemma.bound, cell) * (1 + rounding)});
    const std::int64_t n = n_without_gap(cell);
    std::set<std::int64_t> looks = {n, std::min(n, n_declared(cell))};
    looks.erase(0);
    for (const std::int64_t look : study::looks_until(n)) looks.insert(look);
    question.looks.assign(looks.begin(), looks.end());
    question.n_calibrated = n >= n_declared(cell) ? n_declared(cell) : 0;
    return question;
  }

  void find_sets(std::int64_t cell, const std::vector<double>& deltas, const CellSample& sample) {
    std::vector<Finding> once(sets_.size());  // what does not depend on delta
    for (std::size_t s = 0; s < sets_.size(); ++s) once[s] = common_to_all_deltas(cell, s, sample.sets[s]);
    for (std::size_t level = 0; level < deltas.size(); ++level)
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        if (once[s].anytime.n == 0) continue;
        Finding finding = once[s];
        decide(finding, sample.sets[s], level, deltas[level], expected_[at(cell, s)]);
        verdict_.findings.push_back(std::move(finding));
      }
  }

  Finding common_to_all_deltas(std::int64_t cell, std::size_t s, const SetSample& sample) const {
    Finding finding;
    finding.cell = cell;
    finding.label = sweep_.label(cell);
    finding.set = sets_[s];
    finding.anytime.n = sample.n;
    finding.anytime.evidence.n_declared = n_declared(cell);
    finding.anytime.stopped_early = stopped_.contains(cell);
    finding.guaranteed = guaranteed_[at(cell, s)] == 1;
    finding.why_not_guaranteed = one_line(why_not_guaranteed_[at(cell, s)]);
    finding.calibration = sample.p_values.empty() ? Calibration{unknown, unknown, unknown} : calibrate(sample.p_values);
    finding.ratio_median = quantile(sample.ratios, 0.5);
    finding.ratio_largest = quantile(sample.ratios, 1);
    return finding;
  }

  /// A study's own delta is decided by first_violation, another by the p-value.
  void decide(Finding& finding, const SetSample& sample, std::size_t level, double delta, std::uint8_t expected) const {
    const bool is_own = delta == own_delta(finding.cell);
    Judgement& anytime = finding.anytime;
    anytime.delta = delta;
    anytime.misses = is_own ? sample.violations : sample.misses[level];
    anytime.evidence.looks = is_own ? sample.looks : sample.looks_at[level];
    finding.exploratory = !is_own;
    // What the study says is about its own delta; a guarantee holds at every delta.
    anytime.expected = is_own               ? static_cast<study::Expected>(expected)
                       : finding.guaranteed ? study::Expected::holds
                                            : study::Expected::any;
    finding.horizon_misses = sample.horizon_misses[level];
    finding.horizon_interval = clopper_pearson(finding.horizon_misses, anytime.n, verdict_.alpha);
    finding.c = quantile(sample.ratios, 1 - delta);
    finding.c_interval = quantile_interval(sample.ratios, 1 - delta, verdict_.alpha);
  }

  void find_bound(std::int64_t cell, const CellSample& sample) {
    if (sample.n_run == 0) return;
    BoundFinding finding;
    finding.cell = cell;
    finding.label = sweep_.label(cell);
    finding.bound = at_horizon("bound_worst_case", cell);
    finding.applies = !std::isnan(finding.bound);
    finding.vacuous = file_.read<std::uint8_t>("bound_vacuous")[static_cast<std::size_t>(cell)] == 1;
    finding.regret = spread_of(regrets_.common_rows({cell}), verdict_.alpha);
    find_lemmas(finding, sample);
    finding.anytime.delta = own_delta(cell);
    finding.anytime.stopped_early = stopped_.contains(cell);
    if (finding.applies) {
      finding.anytime.n = sample.n_run;
      finding.anytime.misses = sample.bound_violations;
      finding.anytime.evidence = {sample.bound_looks, n_declared(cell)};
      finding.anytime.expected = finding.vacuous ? study::Expected::any : study::Expected::holds;
    }
    verdict_.bounds.push_back(std::move(finding));
  }

  bool is_stored(const Lemma& lemma) const { return store::layout_of(lemma.bound).since <= results_.version(); }

  void find_lemmas(BoundFinding& finding, const CellSample& sample) const {
    auto found = sample.limits.begin();
    for (const Lemma& lemma : lemmas) {
      if (!is_stored(lemma)) continue;
      finding.lemmas.push_back({lemma.column, at_horizon(lemma.bound, finding.cell), found->largest, found->violations,
                                found->first_violation});
      ++found;
    }
  }

  double at_horizon(const std::string& variable, std::int64_t cell) const {
    const auto rounds = file_.read<std::int64_t>("round");
    const auto values = file_.read<double>(variable, {static_cast<hsize_t>(cell), 0}, {1, rounds.size()});
    const auto horizon = static_cast<std::int64_t>(sweep_.number("study.horizon", cell));
    return values[static_cast<std::size_t>(std::find(rounds.begin(), rounds.end(), horizon) - rounds.begin())];
  }

  void judge_all() {
    std::map<double, std::int64_t> n_exploratory;  // words about deltas that the study did not declare
    for (const auto& finding : verdict_.findings)
      n_exploratory[finding.anytime.delta] += finding.exploratory && finding.anytime.expected != study::Expected::any;
    for (auto& finding : verdict_.findings) {
      judge(finding.anytime, verdict_.alpha,
            finding.exploratory ? std::max<std::int64_t>(1, n_exploratory[finding.anytime.delta]) : verdict_.n_words,
            splits_);
      judge_all_deltas(finding);
    }
    for (const auto& [delta, n] : n_exploratory) verdict_.deltas.push_back(delta);
    for (auto& bound : verdict_.bounds)
      if (bound.applies) judge(bound.anytime, verdict_.alpha, verdict_.n_words, splits_);
  }

  void judge_all_deltas(Finding& finding) const {
    const auto expected = static_cast<study::Expected>(expected_[at(finding.cell, set_index(finding.set))]);
    if (expected != study::Expected::holds || std::isnan(finding.calibration.dkw)) return;
    const double p = 2 * std::min(finding.calibration.dkw, finding.calibration.simes);
    finding.all_delta = std::min(1.0, static_cast<double>(verdict_.n_words) * p);
  }

  std::size_t set_index(const std::string& set) const {
    return static_cast<std::size_t>(std::find(sets_.begin(), sets_.end(), set) - sets_.begin());
  }

  void compare_cells(std::int64_t a, std::int64_t b) {
    Comparison comparison = compare(regrets_.common_rows({a, b}), verdict_.alpha);
    if (comparison.n == 0) return;
    comparison.cell_a = a;
    comparison.cell_b = b;
    comparison.label_a = sweep_.label(a);
    comparison.label_b = sweep_.label(b);
    comparison.stopped_early = stopped_.contains(a) || stopped_.contains(b);
    verdict_.comparisons.push_back(std::move(comparison));
  }

  void find_rate(const SweepLine& line) {
    const RegretTable rows = regrets_.common_rows(line.cells);
    Means means = means_of(rows, line.cells.size());
    if (means.n == 0) return;
    Rate rate;
    rate.key = line.key;
    rate.label = line.label;
    rate.cells = line.cells;
    rate.x = line.x;
    rate.n = means.n;
    rate.mean_regret = std::move(means.values);
    rate.slope = rate_of(line.x, rows, line.same_noise ? Pairing::by_trajectory : Pairing::independent, verdict_.alpha);
    std::vector<double> bounds;
    for (const std::int64_t cell : line.cells) bounds.push_back(at_horizon("bound_worst_case", cell));
    rate.bound_slope = log_log_slope(line.x, bounds);
    rate.predicted = predicted_exponent(line);
    rate.stopped_early =
        std::any_of(line.cells.begin(), line.cells.end(), [&](std::int64_t cell) { return stopped_.contains(cell); });
    verdict_.rates.push_back(std::move(rate));
  }

  /// The largest exponent along the line, as the theorem is about them all; unknown where it does not speak of one.
  double predicted_exponent(const SweepLine& line) const {
    const auto exponents = line.key == "noise.tau" ? results_.exponent_in_memory() : results_.exponent_in_horizon();
    double largest = -std::numeric_limits<double>::infinity();
    for (const std::int64_t cell : line.cells) {
      const double exponent = exponents[static_cast<std::size_t>(cell)];
      if (std::isnan(exponent)) return unknown;
      largest = std::max(largest, exponent);
    }
    return largest;
  }

  const store::Reader& file_;
  const store::ResultsFile& results_;
  Sweep sweep_;
  Regrets regrets_;
  std::vector<double> deltas_;
  std::vector<std::string> sets_;
  std::vector<double> own_delta_;
  std::vector<std::uint8_t> guaranteed_;
  std::vector<std::uint8_t> expected_;
  std::vector<std::string> why_not_guaranteed_;
  std::vector<std::int64_t> n_declared_;
  study::RowRanges completed_;
  std::vector<DeclaredCell> declared_;
  LevelSplits splits_;
  bool stops_ = false;              ///< cells may stop at their verdict
  std::set<std::int64_t> stopped_;  ///< those that did
  Verdict verdict_;
};

}  // namespace

Verdict check(const store::ResultsFile& results, double alpha, const std::vector<double>& deltas) {
  return Examination(results, alpha, deltas).verdict();
}

std::string name_of(Outcome outcome) {
  return outcome == Outcome::contradicted ? "CONTRADICTED"
         : outcome == Outcome::undecided  ? "UNDECIDED"
                                          : "AS EXPECTED";
}

Outcome Verdict::outcome() const {
  const auto any = [](const auto& all, const auto& is) { return std::any_of(all.begin(), all.end(), is); };
  if (any(findings, [](const Finding& finding) { return finding.anytime.contradicted; }) ||
      any(bounds, [](const BoundFinding& bound) { return bound.contradicted(); }))
    return Outcome::contradicted;
  const auto is_open = [](const auto& each) { return each.anytime.state == State::undecided; };
  return any(findings, is_open) || any(bounds, is_open) ? Outcome::undecided : Outcome::as_expected;
}

std::vector<std::pair<std::string, std::vector<std::int64_t>>> Verdict::caveats() const {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> all;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (cells[c].caveat.empty() || cells[c].n_run == 0) continue;
    auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == cells[c].caveat; });
    if (found == all.end()) found = all.insert(all.end(), {cells[c].caveat, {}});
    found->second.push_back(static_cast<std::int64_t>(c));
  }
  return all;
}

bool Verdict::exploratory() const {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.exploratory; });
}

}  // namespace mixlab::verdict
