#include "mixlab/verdict/sample.h"

#include <algorithm>

#include "mixlab/error.h"
#include "mixlab/verdict/binomial.h"

namespace mixlab::verdict {
namespace {

constexpr std::int64_t rows_at_once = 4096;  // as the file's chunks

/// Where in `round` the horizon of the cell is.
std::size_t horizon_index(const store::ResultsFile& results, std::int64_t cell) {
  const auto rounds = results.file().read<std::int64_t>("round");
  const auto horizons = results.file().read<std::int64_t>("study_horizon");
  const auto found = std::find(rounds.begin(), rounds.end(), horizons.at(static_cast<std::size_t>(cell)));
  if (found == rounds.end())
    throw InputError("damaged results file: '" + results.path() +
                     "' (no round is the horizon); write it again with mixlab merge");
  return static_cast<std::size_t>(found - rounds.begin());
}

}  // namespace

CellSample read_sample(const store::ResultsFile& results, std::int64_t cell) {
  CellSample sample;
  sample.sets.resize(results.sets().size());
  const std::size_t n_sets = sample.sets.size();
  const std::size_t n_rounds = results.file().extent("round").at(0);
  const std::size_t horizon = horizon_index(results, cell);
  const std::int64_t n = results.n_trajectories();
  for (std::int64_t first = 0; first < n; first += rows_at_once) {
    const std::int64_t end = std::min(n, first + rows_at_once);
    const auto completed = results.file().read<std::uint8_t>(
        "completed", {static_cast<hsize_t>(cell), static_cast<hsize_t>(first)}, {1, static_cast<hsize_t>(end - first)});
    const store::RowBlock block = results.read(static_cast<int>(cell), first, end);
    for (std::size_t row = 0; row < completed.size(); ++row) {
      const bool run = completed[row] == 1;
      sample.regret.push_back(run ? block.regret[row * n_rounds + horizon] : unknown);
      if (!run) continue;
      ++sample.n_run;
      sample.potential.push_back(block.potential[row]);
      sample.first_bound_violation.push_back(block.first_bound_violation[row]);
      for (std::size_t s = 0; s < n_sets; ++s) {
        const std::size_t at = row * n_sets + s;
        if (block.first_violation[at] < 0) continue;
        sample.sets[s].first_violation.push_back(block.first_violation[at]);
        sample.sets[s].log10_p.push_back(block.log10_p[at]);
        sample.sets[s].horizon_log10_p.push_back(block.horizon_log10_p[at]);
        sample.sets[s].sup_ratio.push_back(block.sup_ratio[at]);
      }
    }
  }
  return sample;
}

}  // namespace mixlab::verdict
