#include "mixlab/rare/rare_file.h"

#include <algorithm>
#include <limits>

#include "mixlab/core/file.h"
#include "mixlab/core/text.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/output_place.h"
#include "mixlab/store/sealed_file.h"
#include "variables.h"

namespace mixlab::rare {
namespace {

using TargetName = std::pair<std::string, double>;  // set, delta

/// A row with a place for every target of the file; those of other cells were not run.
PathRow widened(const PathRow& row, const std::vector<std::size_t>& places, std::size_t n_targets) {
  PathRow wide{.component = row.component,
               .log_weight = std::vector<double>(n_targets, std::numeric_limits<double>::quiet_NaN()),
               .first_crossing = std::vector<std::int32_t>(n_targets, -1)};
  for (std::size_t i = 0; i < places.size(); ++i) {
    wide.log_weight[places[i]] = row.log_weight[i];
    wide.first_crossing[places[i]] = row.first_crossing[i];
  }
  return wide;
}

/// The twisted paths of all cells, one after the other.
void put_paths(store::Writer& file, const std::vector<CellAnswer>& answers, const std::vector<TargetName>& targets) {
  std::vector<PathRow> rows;
  std::vector<std::int64_t> cells, numbers;
  for (const CellAnswer& answer : answers) {
    std::vector<std::size_t> places;
    for (const Target& target : answer.targets) {
      const auto at = std::find(targets.begin(), targets.end(), TargetName(answer.sets[target.set], target.delta));
      places.push_back(static_cast<std::size_t>(at - targets.begin()));
    }
    for (std::size_t i = 0; i < answer.rows.size(); ++i) {
      rows.push_back(widened(answer.rows[i], places, targets.size()));
      cells.push_back(answer.cell);
      numbers.push_back(static_cast<std::int64_t>(i));
    }
  }
  std::vector<std::string> sets;
  std::vector<double> deltas;
  for (const auto& [set, delta] : targets) {
    sets.push_back(set);
    deltas.push_back(delta);
  }
  file.dimension("path", 0, static_cast<std::int64_t>(rows.size()), "twisted paths of all cells");
  file.dimension("target", 0, static_cast<std::int64_t>(targets.size()), "pairs of a set and a level");
  file.put<std::int64_t>("path_cell", {"path"}, std::span<const std::int64_t>(cells), "cell");
  file.put<std::int64_t>("path_number", {"path"}, std::span<const std::int64_t>(numbers),
                         "path of the cell; theta*, arms and policy are those of the trajectory of that number");
  file.put("target_set", {"target"}, sets, "confidence set");
  file.put<double>("target_delta", {"target"}, std::span<const double>(deltas), "level that it is made for");
  put_rows(file, "path", rows);
}

}  // namespace

void write_rare(const std::string& path, const Identity& identity, const std::vector<CellAnswer>& answers) {
  store::Writer file = begin_file(identity, rare_format);
  std::vector<Estimate> estimates;
  std::vector<std::pair<int, const Mixture*>> mixtures;
  std::vector<TargetName> targets;  // of all cells
  for (const CellAnswer& answer : answers) {
    estimates.insert(estimates.end(), answer.estimates.begin(), answer.estimates.end());
    if (!answer.rows.empty()) mixtures.emplace_back(answer.cell, &answer.mixture);
    for (const Target& target : answer.targets)
      if (const TargetName each(answer.sets[target.set], target.delta);
          std::find(targets.begin(), targets.end(), each) == targets.end())
        targets.push_back(each);
  }
  file.dimension("estimate", 0, static_cast<std::int64_t>(estimates.size()), "estimates");
  std::vector<std::string> sets, methods, reasons, labels;
  for (const Estimate& estimate : estimates) {
    sets.push_back(estimate.set);
    methods.push_back(estimate.method);
    reasons.push_back(estimate.why);
    labels.push_back(estimate.label);
  }
  file.put("set", {"estimate"}, sets, "confidence set");
  file.put("method", {"estimate"}, methods, "twisted, selected or splitting");
  file.put("why", {"estimate"}, reasons, "why it is not reliable; empty if it is");
  file.put("label", {"estimate"}, labels, "the cell in words");
  put_rows(file, "estimate", estimates);
  if (!mixtures.empty()) {
    put_mixtures(file, mixtures);
    put_paths(file, answers, targets);
  }
  store::remove_leftovers_of(path);
  store::write_sealed(path, file.image());
}

std::vector<Estimate> read_estimates(const std::string& path, const Identity& identity) {
  const store::Reader file = store::open_guarded(path);
  require_question(file, rare_format, identity.question, "file");
  auto estimates = get_rows<Estimate>(file, "estimate");
  const auto take = [&](const char* name, std::string Estimate::*member) {
    file.require_extent(name, {"estimate"});
    const auto words = file.read_text(name);
    for (std::size_t i = 0; i < estimates.size(); ++i) estimates[i].*member = one_line(words[i]);
  };
  take("set", &Estimate::set);
  take("method", &Estimate::method);
  take("why", &Estimate::why);
  take("label", &Estimate::label);
  return estimates;
}

}  // namespace mixlab::rare
