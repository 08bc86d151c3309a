#include "mixlab/verdict/verdict.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/holm.h"

namespace mixlab::verdict {
namespace {

/// The smallest value with at least share q of the sample at or below it.
double quantile(std::vector<double>& sample, double q) {
  if (sample.empty()) return std::nan("");
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(sample.size())));
  const auto at = sample.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(sample.begin(), at, sample.end());
  return *at;
}

/// "0 paper: reason" lines -> the reason for (cell, set).
std::string reason_for(const std::string& reasons, std::int64_t cell, const std::string& set) {
  std::istringstream lines(reasons);
  const std::string start = std::to_string(cell) + " " + set + ": ";
  std::string line;
  while (std::getline(lines, line))
    if (line.starts_with(start)) return line.substr(start.size());
  return {};
}

State state_of(double p_violated, double p_certified, double alpha) {
  if (p_violated <= alpha) return State::violated;
  if (p_certified <= alpha) return State::certified;
  return State::undecided;
}

/// Everything about one cell that the file holds, read once.
struct CellData {
  std::vector<std::uint8_t> completed;
  std::vector<std::int32_t> first_violation;  // trajectory x set
  std::vector<double> log10_p;
  std::vector<double> sup_ratio;
};

CellData read_cell(const store::ResultsFile& results, std::int64_t cell) {
  const auto c = static_cast<hsize_t>(cell);
  const auto n = static_cast<hsize_t>(results.n_trajectories());
  const hsize_t n_sets = results.file().extent("set").at(0);
  return {results.file().read<std::uint8_t>("completed", {c, 0}, {1, n}),
          results.file().read<std::int32_t>("first_violation", {c, 0, 0}, {1, n, n_sets}),
          results.file().read<double>("log10_p", {c, 0, 0}, {1, n, n_sets}),
          results.file().read<double>("sup_ratio", {c, 0, 0}, {1, n, n_sets})};
}

/// Fills in counts and sup_ratio quantiles. A study's own delta is decided by first_violation, another by the p-value.
/// False if no trajectory of the cell watched the set.
bool count(const CellData& data, std::size_t set, std::size_t n_sets, bool own_delta, Finding& finding) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < data.completed.size(); ++i) {
    const std::size_t at = i * n_sets + set;
    if (data.completed[i] != 1 || data.first_violation[at] < 0) continue;
    ++finding.n;
    finding.misses += own_delta ? data.first_violation[at] > 0 : data.log10_p[at] < std::log10(finding.delta);
    ratios.push_back(data.sup_ratio[at]);
  }
  finding.sup_ratio_median = quantile(ratios, 0.5);
  finding.sup_ratio_95 = quantile(ratios, 0.95);
  return finding.n > 0;
}

}  // namespace

std::string to_text(State state) {
  return state == State::violated ? "violated" : state == State::certified ? "certified" : "undecided";
}

void judge(std::vector<Finding>& findings, double alpha) {
  std::vector<Finding*> tested;
  std::vector<double> p_violated, p_certified;
  for (auto& finding : findings) {
    finding.lower = lower_limit(finding.misses, finding.n, alpha);
    finding.upper = upper_limit(finding.misses, finding.n, alpha);
    finding.p_violated = upper_tail(finding.misses, finding.n, finding.delta);
    finding.p_certified = lower_tail(finding.misses, finding.n, finding.delta);
    if (finding.expected == study::Expected::any) continue;
    tested.push_back(&finding);
    p_violated.push_back(finding.p_violated);
    p_certified.push_back(finding.p_certified);
  }
  p_violated = holm(p_violated);
  p_certified = holm(p_certified);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    tested[i]->p_violated = p_violated[i];
    tested[i]->p_certified = p_certified[i];
  }
  const double strictest = alpha / static_cast<double>(std::max<std::size_t>(1, tested.size()));
  for (auto& finding : findings) {
    finding.state = state_of(finding.p_violated, finding.p_certified, alpha);
    finding.contradicted = (finding.expected == study::Expected::holds && finding.state == State::violated) ||
                           (finding.expected == study::Expected::broken && finding.state != State::violated);
    if (finding.state == State::undecided && finding.n > 0)
      finding.n_to_certify = trials_to_certify(1 - finding.coverage(), finding.delta, strictest);
  }
}

Verdict check(const store::ResultsFile& results, double alpha, const std::vector<double>& deltas) {
  Verdict verdict{results.file().text_attribute("title"), alpha, 0, {}};
  const auto sets = results.sets();
  const auto labels = results.file().read_text("label");
  const auto own_delta = results.file().read<double>("confidence_delta");
  const auto guaranteed = results.file().read<std::uint8_t>("guaranteed");
  const auto expected = results.file().read<std::uint8_t>("expected");
  const std::string reasons = results.file().text_attribute("guaranteed", "reasons");
  for (std::int64_t cell = 0; cell < results.n_cells(); ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    const CellData data = read_cell(results, cell);
    verdict.n_missing += std::count(data.completed.begin(), data.completed.end(), 0);
    for (const double delta : deltas.empty() ? std::vector<double>{own_delta[c]} : deltas)
      for (std::size_t s = 0; s < sets.size(); ++s) {
        Finding finding;
        finding.cell = cell;
        finding.label = labels[c];
        finding.set = sets[s];
        finding.delta = delta;
        finding.guaranteed = guaranteed[c * sets.size() + s] == 1;
        finding.why_not_guaranteed = reason_for(reasons, cell, sets[s]);
        // What the study says is about its own delta; a guarantee holds at every delta.
        finding.expected = delta == own_delta[c] ? static_cast<study::Expected>(expected[c * sets.size() + s])
                           : finding.guaranteed  ? study::Expected::holds
                                                 : study::Expected::any;
        if (count(data, s, sets.size(), delta == own_delta[c], finding)) verdict.findings.push_back(finding);
      }
  }
  judge(verdict.findings, alpha);
  return verdict;
}

bool Verdict::contradicted() const {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.contradicted; });
}

std::string Verdict::sentence() const {
  std::int64_t expected_to_hold = 0, certified = 0, violated = 0, broken = 0, contradictions = 0;
  for (const auto& finding : findings) {
    contradictions += finding.contradicted;
    broken += finding.expected == study::Expected::broken && finding.state == State::violated;
    if (finding.expected != study::Expected::holds) continue;
    ++expected_to_hold;
    certified += finding.state == State::certified;
    violated += finding.state == State::violated;
  }
  if (findings.empty()) return "Nothing to judge: no trajectory has been run.";
  const auto of = [](std::int64_t part, std::int64_t whole) {
    return std::to_string(part) + " of " + std::to_string(whole);
  };
  std::string text;
  if (contradictions > 0) {
    text = "CONTRADICTED: " + of(contradictions, static_cast<std::int64_t>(findings.size())) +
           " verdicts are not as expected";
    if (violated > 0) text += "; " + of(violated, expected_to_hold) + " sets expected to hold miss theta* too often";
    return text + ".";
  }
  text = "As expected:";
  if (expected_to_hold > 0) {
    text += " " + of(certified, expected_to_hold) + " sets expected to hold are certified";
    if (certified < expected_to_hold) text += ", the rest not contradicted, not certified";
  }
  if (broken > 0)
    text += std::string(expected_to_hold > 0 ? ";" : "") + " " + std::to_string(broken) + " expected to break " +
            (broken == 1 ? "is" : "are") + " violated";
  if (expected_to_hold == 0 && broken == 0) text += " nothing was expected of any set";
  return text + ".";
}

}  // namespace mixlab::verdict
