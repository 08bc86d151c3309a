#include "mixlab/verdict/verdict.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "mixlab/error.h"
#include "mixlab/verdict/holm.h"
#include "mixlab/verdict/quantile.h"
#include "mixlab/verdict/sample.h"
#include "mixlab/verdict/sweep.h"

namespace mixlab::verdict {
namespace {

/// "0 paper: reason" lines -> the reason for (cell, set).
std::string reason_for(const std::string& reasons, std::int64_t cell, const std::string& set) {
  std::istringstream lines(reasons);
  const std::string start = std::to_string(cell) + " " + set + ": ";
  std::string line;
  while (std::getline(lines, line))
    if (line.starts_with(start)) return line.substr(start.size());
  return {};
}

std::int64_t count_below(const std::vector<double>& sample, double limit) {
  return std::count_if(sample.begin(), sample.end(), [&](double value) { return value < limit; });
}

std::vector<double> sorted(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  return sample;
}

std::vector<double> sorted_p_values(const std::vector<double>& log10_p) {
  std::vector<double> p;
  for (const double exponent : log10_p) p.push_back(std::pow(10.0, exponent));
  return sorted(p);
}

/// Trajectories run in all of these cells: their regret, cell by cell, in the same order.
std::vector<std::vector<double>> common_rows(const std::vector<const std::vector<double>*>& regrets) {
  std::vector<std::vector<double>> rows(regrets.size());
  for (std::size_t i = 0; i < regrets.front()->size(); ++i) {
    if (std::any_of(regrets.begin(), regrets.end(), [&](const auto* regret) { return std::isnan((*regret)[i]); }))
      continue;
    for (std::size_t cell = 0; cell < regrets.size(); ++cell) rows[cell].push_back((*regrets[cell])[i]);
  }
  return rows;
}

/// The file, cell by cell, into findings.
class Examination {
 public:
  Examination(const store::ResultsFile& results, double alpha, const std::vector<double>& deltas)
      : file_(results.file()),
        results_(results),
        sweep_(results),
        deltas_(deltas),
        sets_(results.sets()),
        own_delta_(file_.read<double>("confidence_delta")),
        guaranteed_(file_.read<std::uint8_t>("guaranteed")),
        expected_(file_.read<std::uint8_t>("expected")),
        reasons_(file_.text_attribute("guaranteed", "reasons")) {
    verdict_.file = results.path();
    verdict_.title = file_.text_attribute("title");
    verdict_.alpha = alpha;
  }

  Verdict verdict() {
    for (std::int64_t cell = 0; cell < results_.n_cells(); ++cell) {
      CellSample sample = read_sample(results_, cell);
      verdict_.trajectories += results_.n_trajectories();
      verdict_.completed += sample.n_run;
      find_sets(cell, sample);
      find_bound(cell, sample);
      regret_.push_back(std::move(sample.regret));
    }
    if (verdict_.completed == 0)
      throw InputError("nothing to judge: '" + results_.path() +
                       "' (no trajectory has been run); go on with mixlab run or mixlab merge");
    judge_all();
    for (const auto& [a, b] : sweep_.rivals()) compare_cells(a, b);
    for (const auto& line : sweep_.lines()) find_rate(line);
    return std::move(verdict_);
  }

 private:
  std::size_t at(std::int64_t cell, std::size_t set) const {
    return static_cast<std::size_t>(cell) * sets_.size() + set;
  }

  void find_sets(std::int64_t cell, const CellSample& sample) {
    const double own = own_delta_[static_cast<std::size_t>(cell)];
    std::vector<Finding> once(sets_.size());  // what does not depend on delta
    std::vector<std::vector<double>> ratios(sets_.size());
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      ratios[s] = sorted(sample.sets[s].sup_ratio);
      once[s] = common_to_all_deltas(cell, s, sample.sets[s], ratios[s]);
    }
    for (const double delta : deltas_.empty() ? std::vector<double>{own} : deltas_)
      for (std::size_t s = 0; s < sets_.size(); ++s) {
        if (once[s].anytime.n == 0) continue;
        Finding finding = once[s];
        decide(finding, sample.sets[s], delta, delta == own, expected_[at(cell, s)]);
        finding.c = quantile(ratios[s], 1 - delta);
        finding.c_interval = quantile_interval(ratios[s], 1 - delta, verdict_.alpha);
        verdict_.findings.push_back(std::move(finding));
      }
  }

  Finding common_to_all_deltas(std::int64_t cell, std::size_t s, const SetSample& sample,
                               const std::vector<double>& ratios) const {
    Finding finding;
    finding.cell = cell;
    finding.label = sweep_.label(cell);
    finding.set = sets_[s];
    finding.anytime.n = static_cast<std::int64_t>(ratios.size());
    finding.guaranteed = guaranteed_[at(cell, s)] == 1;
    finding.why_not_guaranteed = reason_for(reasons_, cell, sets_[s]);
    finding.calibration = calibrate(sorted_p_values(sample.log10_p));
    finding.ratio_median = quantile(ratios, 0.5);
    finding.ratio_largest = quantile(ratios, 1);
    return finding;
  }

  /// A study's own delta is decided by first_violation, another by the p-value.
  void decide(Finding& finding, const SetSample& sample, double delta, bool own_delta, std::uint8_t expected) const {
    const auto& first = sample.first_violation;
    Judgement& anytime = finding.anytime;
    anytime.delta = delta;
    anytime.misses = own_delta ? std::count_if(first.begin(), first.end(), [](auto t) { return t > 0; })
                               : count_below(sample.log10_p, std::log10(delta));
    // What the study says is about its own delta; a guarantee holds at every delta.
    anytime.expected = own_delta            ? static_cast<study::Expected>(expected)
                       : finding.guaranteed ? study::Expected::holds
                                            : study::Expected::any;
    finding.horizon_misses = count_below(sample.horizon_log10_p, std::log10(delta));
    finding.horizon_interval = clopper_pearson(finding.horizon_misses, anytime.n, verdict_.alpha);
  }

  void find_bound(std::int64_t cell, const CellSample& sample) {
    if (sample.n_run == 0) return;
    BoundFinding finding;
    finding.cell = cell;
    finding.label = sweep_.label(cell);
    finding.bound = at_horizon("bound_worst_case", cell);
    finding.applies = !std::isnan(finding.bound);
    finding.vacuous = file_.read<std::uint8_t>("bound_vacuous")[static_cast<std::size_t>(cell)] == 1;
    finding.potential_bound = at_horizon("bound_potential", cell);
    finding.potential_largest = *std::max_element(sample.potential.begin(), sample.potential.end());
    const double above = finding.potential_bound * (1 + 1e-9);  // rounding
    finding.potential_violations =
        std::count_if(sample.potential.begin(), sample.potential.end(), [&](double value) { return value > above; });
    for (const double regret : sample.regret)  // fmax passes over rows that were not run
      finding.largest = std::fmax(finding.largest, regret);
    finding.anytime.delta = own_delta_[static_cast<std::size_t>(cell)];
    if (finding.applies) {
      finding.anytime.n = sample.n_run;
      finding.anytime.misses = std::count_if(sample.first_bound_violation.begin(), sample.first_bound_violation.end(),
                                             [](auto t) { return t > 0; });
      finding.anytime.expected = study::Expected::holds;
    }
    verdict_.bounds.push_back(std::move(finding));
  }

  double at_horizon(const std::string& variable, std::int64_t cell) const {
    const auto rounds = file_.read<std::int64_t>("round");
    const auto values = file_.read<double>(variable, {static_cast<hsize_t>(cell), 0}, {1, rounds.size()});
    const auto horizon = static_cast<std::int64_t>(sweep_.number("study.horizon", cell));
    return values[static_cast<std::size_t>(std::find(rounds.begin(), rounds.end(), horizon) - rounds.begin())];
  }

  void judge_all() {
    std::vector<Judgement*> sets, theorems;
    for (auto& finding : verdict_.findings) sets.push_back(&finding.anytime);
    for (auto& finding : verdict_.bounds)
      if (finding.applies) theorems.push_back(&finding.anytime);
    for (const auto& family : {sets, theorems}) {
      judge(family, verdict_.alpha);
      look_ahead(family, verdict_.alpha);
    }
    judge_all_deltas();
    std::set<double> deltas;
    for (const auto& finding : verdict_.findings) deltas.insert(finding.anytime.delta);
    verdict_.deltas.assign(deltas.begin(), deltas.end());
  }

  /// A (cell, set) counts once, however many deltas were asked for.
  void judge_all_deltas() {
    std::vector<std::pair<std::int64_t, std::string>> family;
    std::vector<double> p;
    for (const auto& finding : verdict_.findings) {
      const auto key = std::make_pair(finding.cell, finding.set);
      if (finding.anytime.expected != study::Expected::holds) continue;
      if (std::find(family.begin(), family.end(), key) != family.end()) continue;
      family.push_back(key);
      p.push_back(std::min(1.0, 2 * std::min(finding.calibration.dkw, finding.calibration.simes)));
    }
    p = holm(p);
    for (auto& finding : verdict_.findings) {
      const auto found = std::find(family.begin(), family.end(), std::make_pair(finding.cell, finding.set));
      if (found != family.end()) finding.all_delta = p[static_cast<std::size_t>(found - family.begin())];
    }
  }

  const std::vector<double>& regret(std::int64_t cell) const { return regret_[static_cast<std::size_t>(cell)]; }

  void compare_cells(std::int64_t a, std::int64_t b) {
    const auto rows = common_rows({&regret(a), &regret(b)});
    if (rows[0].empty()) return;
    Comparison comparison = compare(rows[0], rows[1], verdict_.alpha);
    comparison.cell_a = a;
    comparison.cell_b = b;
    comparison.label_a = sweep_.label(a);
    comparison.label_b = sweep_.label(b);
    verdict_.comparisons.push_back(std::move(comparison));
  }

  void find_rate(const Line& line) {
    std::vector<const std::vector<double>*> regrets;
    for (const std::int64_t cell : line.cells) regrets.push_back(&regret(cell));
    const auto rows = common_rows(regrets);
    if (rows[0].empty()) return;
    Rate rate;
    rate.key = line.key;
    rate.label = line.label;
    rate.cells = line.cells;
    rate.x = line.x;
    rate.n = static_cast<std::int64_t>(rows[0].size());
    for (const auto& sample : rows) rate.mean_regret.push_back(spread_of(sample, verdict_.alpha).mean);
    rate.slope = rate_of(line.x, rows, line.same_noise ? Pairing::by_trajectory : Pairing::independent, verdict_.alpha);
    std::vector<double> bounds;
    for (const std::int64_t cell : line.cells) bounds.push_back(at_horizon("bound_worst_case", cell));
    rate.bound_slope = log_log_slope(line.x, bounds);
    rate.predicted = predicted_exponent(line);
    verdict_.rates.push_back(std::move(rate));
  }

  /// The exponent of the paper's corollaries, logarithms aside (MATHEMATICS.md D.7); unknown where none speaks.
  double predicted_exponent(const Line& line) const {
    bool no_bias = true, delay_grows = false;
    double r = unknown;
    for (const std::int64_t cell : line.cells) {
      if (std::isnan(at_horizon("bound_worst_case", cell))) return unknown;
      const double T = sweep_.number("study.horizon", cell), B = sweep_.number("problem.norm_bound", cell);
      const double sigma = sweep_.number("noise.subgaussian", cell), p = sweep_.number("problem.dimension", cell);
      no_bias &= sweep_.number("confidence.phi", cell) * T * B <= sigma * sigma * p * (1 + 1e-9);
      delay_grows |= sweep_.number("confidence.delay", cell) != sweep_.number("confidence.delay", line.cells.front());
      r = sweep_.number("noise.r", cell);
    }
    if (line.key == "noise.tau") return no_bias && delay_grows ? 1 : unknown;
    if (no_bias) return 0.5;
    if (!delay_grows) return 1;
    return sweep_.text("policy.set", line.cells.front()) == "selfnorm" ? (3 + 2 * r) / (2 * (1 + 2 * r))
                                                                       : (3 + r) / (2 * (1 + r));
  }

  const store::Reader& file_;
  const store::ResultsFile& results_;
  Sweep sweep_;
  std::vector<double> deltas_;
  std::vector<std::string> sets_;
  std::vector<double> own_delta_;
  std::vector<std::uint8_t> guaranteed_;
  std::vector<std::uint8_t> expected_;
  std::string reasons_;
  std::vector<std::vector<double>> regret_;  ///< at the horizon, a cell each
  Verdict verdict_;
};

}  // namespace

Verdict check(const store::ResultsFile& results, double alpha, const std::vector<double>& deltas) {
  return Examination(results, alpha, deltas).verdict();
}

bool Verdict::contradicted() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const auto& finding) { return finding.anytime.contradicted; }) ||
         std::any_of(bounds.begin(), bounds.end(), [](const auto& bound) { return bound.contradicted(); });
}

}  // namespace mixlab::verdict
