#include "mixlab/verdict/regrets.h"

#include <algorithm>
#include <cmath>

#include "mixlab/core/error.h"
#include "mixlab/store/results_file.h"
#include "mixlab/verdict/binomial.h"

namespace mixlab::verdict {
namespace {

constexpr std::uint64_t most_kept = std::uint64_t{1} << 20;  // 50 cells of 20 000 trajectories

/// Where in `round` the horizon of each cell is.
std::vector<std::size_t> horizon_indices(const store::ResultsFile& results) {
  const auto rounds = results.file().read<std::int64_t>("round");
  std::vector<std::size_t> indices;
  for (const std::int64_t horizon : results.file().read<std::int64_t>("study_horizon")) {
    const auto found = std::find(rounds.begin(), rounds.end(), horizon);
    if (found == rounds.end())
      throw InputError("damaged results file: '" + results.path() +
                       "' (no round is the horizon); write it again with mixlab merge");
    indices.push_back(static_cast<std::size_t>(found - rounds.begin()));
  }
  return indices;
}

}  // namespace

Regrets::Regrets(const store::ResultsFile& results)
    : results_(results), horizons_(horizon_indices(results)), kept_(horizons_.size()) {}

void Regrets::keep(std::int64_t cell, std::int64_t first, std::int64_t end) {
  const auto n_cells = static_cast<std::uint64_t>(results_.n_cells());
  if (n_cells * static_cast<std::uint64_t>(results_.n_trajectories()) > most_kept) return;
  auto& kept = kept_.at(static_cast<std::size_t>(cell));
  if (kept.size() != static_cast<std::size_t>(first)) return;
  const auto regret = read_file(cell, first, end);
  kept.insert(kept.end(), regret.begin(), regret.end());
}

std::vector<double> Regrets::read(std::int64_t cell, std::int64_t first, std::int64_t end) const {
  const auto& kept = kept_.at(static_cast<std::size_t>(cell));
  if (kept.size() < static_cast<std::size_t>(end)) return read_file(cell, first, end);
  return {kept.begin() + first, kept.begin() + end};
}

std::vector<double> Regrets::read_file(std::int64_t cell, std::int64_t first, std::int64_t end) const {
  const hsize_t c = static_cast<hsize_t>(cell), row = static_cast<hsize_t>(first);
  const hsize_t n = static_cast<hsize_t>(end - first);
  const auto completed = results_.file().read<std::uint8_t>("completed", {c, row}, {1, n});
  auto regret = results_.file().read<double>("regret", {c, row, horizons_.at(c)}, {1, n, 1});
  for (std::size_t i = 0; i < regret.size(); ++i)
    if (completed[i] != 1) regret[i] = unknown;
  return regret;
}

RegretTable Regrets::common_rows(std::vector<std::int64_t> cells) const {
  return [this, cells = std::move(cells)](const std::function<void(RegretRow)>& visit) {
    results_.for_each_range([&](std::int64_t first, std::int64_t end) {
      std::vector<std::vector<double>> columns;
      for (const std::int64_t cell : cells) columns.push_back(read(cell, first, end));
      std::vector<double> row(cells.size());
      for (std::size_t i = 0; i < columns.front().size(); ++i) {
        for (std::size_t cell = 0; cell < cells.size(); ++cell) row[cell] = columns[cell][i];
        if (std::none_of(row.begin(), row.end(), [](double regret) { return std::isnan(regret); })) visit(row);
      }
    });
  };
}

}  // namespace mixlab::verdict
