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
using verdict::Rate;
using verdict::State;
using verdict::Summary;

/// Of the two tests, the one that decided; of neither, the nearer.
double deciding_p(const Judgement& judgement) {
  return judgement.state == State::violated    ? judgement.adjusted_violated
         : judgement.state == State::certified ? judgement.adjusted_certified
                                               : std::fmin(judgement.adjusted_violated, judgement.adjusted_certified);
}

/// Whether what was expected is so: "ok", "NO", "?", or "-" where nothing was expected.
std::string met(const Judgement& judgement) {
  return judgement.state == State::none        ? "-"
         : judgement.state == State::undecided ? "?"
         : judgement.contradicted              ? "NO"
                                               : "ok";
}

/// A theorem that is vacuous is kept, but empty: nothing is certified by it.
std::string theorem_state(const BoundFinding& finding) {
  return finding.applies && finding.vacuous ? "empty" : name_of(finding.anytime.state);
}

double log10_of(double natural_log) {
  return natural_log / std::log(10.0);
}

}  // namespace

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
      {"cell", [](F f) { return f.cell; }, {"1", "cell", 4}},
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
      {"regret_largest", [](F f) { return f.largest; }, {"1", "regret", 8}},
      {"bound", [](F f) { return f.bound; }, {"1", "bound", 8}},
      {"potential_violations", [](F f) { return f.potential_violations; }, {"1", "lemma", 6}},
      {"potential_largest", [](F f) { return f.potential_largest; }, {"1", "potent.", 7}},
      {"potential_bound", [](F f) { return f.potential_bound; }, {"1", "bound", 7}},
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
