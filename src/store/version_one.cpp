#include "mixlab/store/version_one.h"

#include <cmath>
#include <limits>
#include <map>

#include "mixlab/core/text.h"
#include "mixlab/store/results_file.h"
#include "mixlab/study/study_file.h"

namespace mixlab::store::version_one {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What the theorem's exponent depends on, in one cell.
struct RateFacts {
  bool theorem_applies = false;
  bool no_bias = false;  ///< B T phi_d <= sigma^2 p
  bool fixed_delay = false;
  double r = unknown;
  bool selfnorm = false;
};

std::vector<RateFacts> rate_facts(const ResultsFile& results) {
  const auto columns = results.parameters();
  const auto study =
      study::parse_study_text(results.study_text(), results.path(), {}, results.files(), study::Source::stored);
  const auto* rule = study.find("confidence.delay");
  const auto bounds = results.file().read<double>("bound_worst_case");
  const std::size_t n_rounds = results.file().extent("round").at(0);
  std::vector<RateFacts> all;
  for (std::size_t cell = 0; cell < static_cast<std::size_t>(results.n_cells()); ++cell) {
    const auto number = [&](const std::string& key) {
      const auto column = columns.find(key);
      return column == columns.end() ? unknown : parse_real(column->second[cell]).value_or(unknown);
    };
    RateFacts facts;
    for (std::size_t i = 0; i < n_rounds; ++i) facts.theorem_applies |= !std::isnan(bounds[cell * n_rounds + i]);
    const double sigma = number("noise.subgaussian");
    facts.no_bias = number("confidence.phi") * number("study.horizon") * number("problem.norm_bound") <=
                    sigma * sigma * number("problem.dimension") * (1 + 1e-9);
    facts.fixed_delay = rule && parse_integer(rule->value).has_value();
    facts.r = number("noise.r");
    facts.selfnorm = columns.at("policy.set")[cell] == "selfnorm";
    all.push_back(facts);
  }
  return all;
}

}  // namespace

std::vector<std::string> swept(const std::string& study_text, const std::string& path) {
  std::vector<std::string> keys;
  for (const auto& assignment : study::parse_study_text(study_text, path).assignments) {
    // Texts of [study] and [expect] may contain commas, but do not sweep.
    if (assignment.section == "expect" || (assignment.section == "study" && assignment.key != "horizon")) continue;
    if (assignment.value.find(',') != std::string::npos) keys.push_back(assignment.full_key());
  }
  return keys;
}

std::vector<std::string> sweep(const ResultsFile& results) {
  const auto columns = results.parameters();
  std::vector<std::string> values;
  for (std::size_t cell = 0; cell < static_cast<std::size_t>(results.n_cells()); ++cell)
    for (const auto& key : results.swept()) {
      const auto column = columns.find(key);
      values.push_back(column == columns.end() ? "" : column->second[cell]);
    }
  return values;
}

std::vector<std::string> why_not_guaranteed(const ResultsFile& results) {
  std::map<std::string, std::string> reasons;  // "0 paper" -> reason
  for (const auto& line : split(results.file().text_attribute("guaranteed", "reasons"), '\n')) {
    const auto colon = line.find(": ");
    if (colon != std::string::npos) reasons[line.substr(0, colon)] = line.substr(colon + 2);
  }
  std::vector<std::string> all;
  const auto sets = results.sets();
  for (std::int64_t cell = 0; cell < results.n_cells(); ++cell)
    for (const auto& set : sets) all.push_back(reasons[to_text(cell) + " " + set]);
  return all;
}

std::vector<double> exponent_in_horizon(const ResultsFile& results) {
  std::vector<double> exponents;
  for (const RateFacts& facts : rate_facts(results)) {
    const double r = facts.r;
    const double algebraic = facts.selfnorm ? (3 + 2 * r) / (2 * (1 + 2 * r)) : (3 + r) / (2 * (1 + r));
    exponents.push_back(!facts.theorem_applies ? unknown : facts.no_bias ? 0.5 : facts.fixed_delay ? 1 : algebraic);
  }
  return exponents;
}

std::vector<double> exponent_in_memory(const ResultsFile& results) {
  std::vector<double> exponents;
  for (const RateFacts& facts : rate_facts(results))
    exponents.push_back(facts.theorem_applies && facts.no_bias && !facts.fixed_delay ? 1 : unknown);
  return exponents;
}

}  // namespace mixlab::store::version_one
