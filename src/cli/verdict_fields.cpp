#include "verdict_fields.h"

#include <algorithm>
#include <cmath>

#include "mixlab/core/text.h"
#include "mixlab/study/expectation.h"

namespace mixlab::cli {
namespace {

using verdict::BoundFinding;
using verdict::Comparison;
using verdict::Finding;
using verdict::Judgement;
using verdict::LemmaFinding;
using verdict::Rate;
using verdict::State;
using verdict::Summary;
using verdict::Verdict;

/// Of the two tests, the one that decided; of neither, the nearer.
double deciding_p(const Judgement& judgement) {
  return judgement.state == State::violated    ? judgement.adjusted_violated
         : judgement.state == State::certified ? judgement.adjusted_certified
                                               : std::fmin(judgement.adjusted_violated, judgement.adjusted_certified);
}

/// A theorem that is vacuous is kept, but empty: nothing is certified by it.
std::string theorem_state(const BoundFinding& finding) {
  return finding.applies && finding.vacuous ? "empty" : name_of(finding.anytime.state);
}

double log10_of(double natural_log) {
  return natural_log / std::log(10.0);
}

using LemmaValue = Datum (*)(const LemmaFinding&);

/// Of a lemma of which the file has both sides; unknown else.
std::function<Datum(const BoundFinding&)> of_lemma(const char* column, LemmaValue value) {
  return [=](const BoundFinding& bound) {
    const LemmaFinding* lemma = bound.lemma(column);
    return lemma ? value(*lemma) : Datum(verdict::unknown);
  };
}

Datum lemma_violations(const LemmaFinding& lemma) {
  return lemma.violations;
}
Datum lemma_first(const LemmaFinding& lemma) {
  return lemma.holds() ? Datum(verdict::unknown) : Datum(lemma.first_violation);
}
Datum lemma_largest(const LemmaFinding& lemma) {
  return lemma.largest;
}
Datum lemma_bound(const LemmaFinding& lemma) {
  return lemma.bound;
}

/// The value of the key in a cell: a number if it is one in all cells, unknown if the cell does not have the key.
Datum swept_value(const Verdict& verdict, std::size_t key, std::int64_t cell) {
  const std::string& value = verdict.cells[static_cast<std::size_t>(cell)].sweep[key];
  if (value.empty()) return verdict::unknown;
  const bool is_number = std::all_of(verdict.cells.begin(), verdict.cells.end(), [&](const auto& each) {
    return each.sweep[key].empty() || parse_real(each.sweep[key]);
  });
  return is_number ? Datum(*parse_real(value)) : Datum(value);
}

template <class Record>
Fields<Record> with_sweep(Fields<Record> fields, const Verdict& verdict, const std::string& suffix,
                          std::int64_t Record::*cell) {
  for (std::size_t key = 0; key < verdict.swept.size(); ++key)
    fields.push_back({verdict.swept[key] + suffix,
                      [&verdict, key, cell](const Record& record) { return swept_value(verdict, key, record.*cell); }});
  return fields;
}

template <class Record>
Fields<Record> with_caveat(Fields<Record> fields, const Verdict& verdict) {
  fields.push_back({"caveat", [&verdict](const Record& record) {
                      return verdict.cells[static_cast<std::size_t>(record.cell)].caveat;
                    }});
  return fields;
}

}  // namespace

std::string met(const Judgement& judgement) {
  return judgement.state == State::none        ? "-"
         : judgement.state == State::undecided ? "?"
         : judgement.contradicted              ? "NO"
                                               : "ok";
}

Fields<Finding> finding_fields(const Verdict& verdict) {
  return with_caveat(with_sweep(finding_fields(), verdict, "", &Finding::cell), verdict);
}

Fields<BoundFinding> bound_fields(const Verdict& verdict) {
  return with_caveat(with_sweep(bound_fields(), verdict, "", &BoundFinding::cell), verdict);
}

Fields<Comparison> comparison_fields(const Verdict& verdict) {
  return with_sweep(with_sweep(comparison_fields(), verdict, "_a", &Comparison::cell_a), verdict, "_b",
                    &Comparison::cell_b);
}

Fields<Rate> rate_fields(const Verdict& verdict) {
  Fields<Rate> fields = rate_fields();
  for (std::size_t key = 0; key < verdict.swept.size(); ++key)
    fields.push_back({verdict.swept[key], [&verdict, key](const Rate& rate) {
                        const Datum first = swept_value(verdict, key, rate.cells.front());
                        const bool is_shared =
                            std::all_of(rate.cells.begin(), rate.cells.end(),
                                        [&](std::int64_t cell) { return swept_value(verdict, key, cell) == first; });
                        return is_shared ? first : Datum(verdict::unknown);
                      }});
  return fields;
}

Fields<Summary> summary_fields(const Verdict& verdict) {
  return with_sweep(summary_fields(), verdict, "", &Summary::cell);
}

const Fields<Finding>& finding_fields() {
  using F = const Finding&;
  static const Fields<Finding> fields = {
      {"cell", [](F f) { return f.cell; }},
      {"label", [](F f) { return f.label; }},
      {"set", [](F f) { return f.set; }, {"12", "set", -11}},
      {"guaranteed", [](F f) { return f.guaranteed; }, {"12", "", 1, "", " ", "*"}},
      {"delta", [](F f) { return f.anytime.delta; }},
      {"n", [](F f) { return f.anytime.n; }},
      {"misses", [](F f) { return f.anytime.misses; }, {"1", "misses", 6}},
      {"coverage", [](F f) { return f.anytime.coverage(); }, {"1", "cover", 6, "%.4f"}},
      {"coverage_low", [](F f) { return 1 - f.anytime.miss_interval.high; }, {"1", "low", 6, "%.4f"}},
      {"coverage_high", [](F f) { return 1 - f.anytime.miss_interval.low; }, {"1", "high", 6, "%.4f"}},
      {"horizon_misses", [](F f) { return f.horizon_misses; }},
      {"horizon_coverage", [](F f) { return f.horizon_coverage(); }, {"1", "at T", 6, "%.4f"}},
      {"horizon_low", [](F f) { return 1 - f.horizon_interval.high; }},
      {"horizon_high", [](F f) { return 1 - f.horizon_interval.low; }},
      {"n_looked", [](F f) { return f.anytime.evidence.n(); }},
      {"n_declared", [](F f) { return f.anytime.evidence.n_declared; }},
      {"log10_e_violated", [](F f) { return log10_of(f.anytime.p.log_e_violated); }},
      {"log10_e_certified", [](F f) { return log10_of(f.anytime.p.log_e_certified); }},
      {"p_violated", [](F f) { return f.anytime.p.violated; }},
      {"p_certified", [](F f) { return f.anytime.p.certified; }},
      {"adjusted_p_violated", [](F f) { return f.anytime.adjusted_violated; }},
      {"adjusted_p_certified", [](F f) { return f.anytime.adjusted_certified; }},
      {"adjusted_p", [](F f) { return deciding_p(f.anytime); }, {"1", "adj. p", 6, "%.1g"}},
      {"state", [](F f) { return name_of(f.anytime.state); }, {"1", "state", -9}},
      {"expected", [](F f) { return name_of(f.anytime.expected); }, {"1", "expect", -6}},
      {"contradicted", [](F f) { return f.anytime.contradicted; }},
      {"met", [](F f) { return met(f.anytime); }, {"1", "", -2}},
      {"exploratory", [](F f) { return f.exploratory; }},
      {"stopped_early", [](F f) { return f.anytime.stopped_early; }},
      {"reason", [](F f) { return f.why_not_guaranteed; }},
      {"c", [](F f) { return f.c; }, {"2", "c", 7, "%.3g"}},
      {"c_low", [](F f) { return f.c_interval.low; }, {"2", "low", 7, "%.3g"}},
      {"c_high", [](F f) { return f.c_interval.high; }, {"2", "high", 7, "%.3g"}},
      {"radius_factor", [](F f) { return std::sqrt(f.c); }, {"2", "sqrt c", 7, "%.3g"}},
      {"ratio_median", [](F f) { return f.ratio_median; }},
      {"ratio_largest", [](F f) { return f.ratio_largest; }},
      {"dkw_statistic", [](F f) { return f.calibration.excess; }},
      {"dkw_p", [](F f) { return f.calibration.dkw; }, {"2", "DKW p", 6, "%.1g"}},
      {"simes_p", [](F f) { return f.calibration.simes; }, {"2", "Simes", 6, "%.1g"}},
      {"all_delta_adjusted_p", [](F f) { return f.all_delta; }},
      {"detectable", [](F f) { return f.anytime.detectable; }, {"2", "detects", 7, "%.3g"}},
      {"n_to_decide", [](F f) { return f.anytime.n_to_decide; }},
  };
  return fields;
}

const Fields<BoundFinding>& bound_fields() {
  using F = const BoundFinding&;
  // Where no theorem speaks there is nothing to judge.
  const auto judged = [](auto value) {
    return [value](F f) { return f.applies ? Datum(value(f.anytime)) : Datum(verdict::unknown); };
  };
  using J = const Judgement&;
  static const Fields<BoundFinding> fields = {
      {"cell", [](F f) { return f.cell; }, {"12", "cell", 4}},
      {"label", [](F f) { return f.label; }},
      {"delta", [](F f) { return f.anytime.delta; }},
      {"applies", [](F f) { return f.applies; }},
      {"vacuous", [](F f) { return f.applies ? Datum(f.vacuous) : Datum(verdict::unknown); }},
      {"n", judged([](J j) { return j.n; })},
      {"violations", judged([](J j) { return j.misses; }), {"1", "above", 6}},
      {"coverage", judged([](J j) { return j.coverage(); })},
      {"coverage_low", judged([](J j) { return 1 - j.miss_interval.high; }), {"1", "low", 6, "%.4f"}},
      {"coverage_high", judged([](J j) { return 1 - j.miss_interval.low; }), {"1", "high", 6, "%.4f"}},
      {"p_violated", judged([](J j) { return j.p.violated; })},
      {"p_certified", judged([](J j) { return j.p.certified; })},
      {"adjusted_p_violated", judged([](J j) { return j.adjusted_violated; })},
      {"adjusted_p_certified", judged([](J j) { return j.adjusted_certified; })},
      {"state", theorem_state, {"1", "theorem", -9}},
      {"contradicted", [](F f) { return f.contradicted(); }},
      {"stopped_early", [](F f) { return f.anytime.stopped_early; }},
      {"detectable", judged([](J j) { return j.detectable; })},
      {"n_to_decide", judged([](J j) { return j.n_to_decide; })},
      {"regret_mean", [](F f) { return f.regret.mean; }, {"1", "mean", 8}},
      {"regret_median", [](F f) { return f.regret.median; }},
      {"regret_q90", [](F f) { return f.regret.q90; }},
      {"regret_q99", [](F f) { return f.regret.q99; }, {"1", "99%", 8}},
      {"regret_largest", [](F f) { return f.regret.largest; }, {"1", "worst", 8}},
      {"bound", [](F f) { return f.bound; }, {"1", "bound", 9}},
      {"potential_violations", of_lemma("potential", lemma_violations), {"2", "above", 6}},
      {"potential_first_violation", of_lemma("potential", lemma_first)},
      {"potential_largest", of_lemma("potential", lemma_largest), {"2", "potent.", 7}},
      {"potential_bound", of_lemma("potential", lemma_bound), {"2", "bound", 7}},
      {"stale_rounds_violations", of_lemma("stale_rounds", lemma_violations), {"2", "above", 6}},
      {"stale_rounds_first_violation", of_lemma("stale_rounds", lemma_first)},
      {"stale_rounds_largest", of_lemma("stale_rounds", lemma_largest), {"2", "stale", 7}},
      {"stale_rounds_bound", of_lemma("stale_rounds", lemma_bound), {"2", "bound", 7}},
      {"fresh_potential_violations", of_lemma("fresh_potential", lemma_violations), {"2", "above", 6}},
      {"fresh_potential_first_violation", of_lemma("fresh_potential", lemma_first)},
      {"fresh_potential_largest", of_lemma("fresh_potential", lemma_largest), {"2", "fresh", 7}},
      {"fresh_potential_bound", of_lemma("fresh_potential", lemma_bound), {"2", "bound", 7}},
  };
  return fields;
}

const Fields<Comparison>& comparison_fields() {
  using C = const Comparison&;
  static const Fields<Comparison> fields = {
      {"cell_a", [](C c) { return c.cell_a; }, {"123", "a", 3}},
      {"cell_b", [](C c) { return c.cell_b; }, {"123", "b", 3}},
      {"label_a", [](C c) { return c.label_a; }},
      {"label_b", [](C c) { return c.label_b; }},
      {"n", [](C c) { return c.n; }},
      {"stopped_early", [](C c) { return c.stopped_early; }},
      {"difference", [](C c) { return c.difference; }, {"1", "a - b", 9}},
      {"difference_low", [](C c) { return c.difference_interval.low; }, {"1", "low", 9}},
      {"difference_high", [](C c) { return c.difference_interval.high; }, {"1", "high", 9}},
      {"wins", [](C c) { return c.wins; }},
      {"ties", [](C c) { return c.ties; }},
      {"win_share", [](C c) { return c.win_share(); }, {"1", "a wins", 7, "%.4f"}},
      {"win_low", [](C c) { return c.win_interval.low; }, {"1", "low", 7, "%.4f"}},
      {"win_high", [](C c) { return c.win_interval.high; }, {"1", "high", 7, "%.4f"}},
      {"mean_a", [](C c) { return c.a.mean; }, {"2", "mean", 9}},
      {"median_a", [](C c) { return c.a.median; }, {"2", "50%", 9}},
      {"q90_a", [](C c) { return c.a.q90; }, {"2", "90%", 9}},
      {"q99_a", [](C c) { return c.a.q99; }, {"2", "99%", 9}},
      {"q99_low_a", [](C c) { return c.a.q99_interval.low; }},
      {"q99_high_a", [](C c) { return c.a.q99_interval.high; }},
      {"largest_a", [](C c) { return c.a.largest; }, {"2", "largest", 9}},
      {"mean_b", [](C c) { return c.b.mean; }, {"3", "mean", 9}},
      {"median_b", [](C c) { return c.b.median; }, {"3", "50%", 9}},
      {"q90_b", [](C c) { return c.b.q90; }, {"3", "90%", 9}},
      {"q99_b", [](C c) { return c.b.q99; }, {"3", "99%", 9}},
      {"q99_low_b", [](C c) { return c.b.q99_interval.low; }},
      {"q99_high_b", [](C c) { return c.b.q99_interval.high; }},
      {"largest_b", [](C c) { return c.b.largest; }, {"3", "largest", 9}},
  };
  return fields;
}

const Fields<Rate>& rate_fields() {
  using R = const Rate&;
  static const Fields<Rate> fields = {
      {"key", [](R r) { return r.key; }, {"1", "along", -13}},
      {"label", [](R r) { return r.label; }, {"2", "cells", 0}},
      {"cells", [](R r) { return r.cells; }},
      {"x", [](R r) { return r.x; }},
      {"mean_regret", [](R r) { return r.mean_regret; }},
      {"n", [](R r) { return r.n; }},
      {"stopped_early", [](R r) { return r.stopped_early; }},
      {"slope", [](R r) { return r.slope.value; }, {"1", "slope", 7, "%.3f"}},
      {"slope_low", [](R r) { return r.slope.interval.low; }, {"1", "low", 7, "%.3f"}},
      {"slope_high", [](R r) { return r.slope.interval.high; }, {"1", "high", 7, "%.3f"}},
      {"predicted", [](R r) { return r.predicted; }, {"1", "predicted", 9, "%.3f"}},
      {"bound_slope", [](R r) { return r.bound_slope; }, {"1", "of bound", 9, "%.3f"}},
  };
  return fields;
}

const Fields<Summary>& summary_fields() {
  using S = const Summary&;
  static const Fields<Summary> fields = {
      {"cell", [](S s) { return s.cell; }, {"1", "cell", 4}},
      {"label", [](S s) { return s.label; }},
      {"column", [](S s) { return s.column; }, {"1", "statistic", -16}},
      {"set", [](S s) { return s.set; }, {"1", "set", -9}},
      {"n", [](S s) { return s.n; }, {"1", "n", 6}},
      {"mean", [](S s) { return s.mean; }, {"1", "mean", 9}},
      {"median", [](S s) { return s.median; }, {"1", "50%", 9}},
      {"q99", [](S s) { return s.q99; }, {"1", "99%", 9}},
      {"smallest", [](S s) { return s.smallest; }},
      {"largest", [](S s) { return s.largest; }, {"1", "largest", 9}},
  };
  return fields;
}

}  // namespace mixlab::cli
