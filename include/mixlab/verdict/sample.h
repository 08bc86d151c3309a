// What the trajectories of one cell say, as plain samples.
#pragma once

#include <cstdint>
#include <vector>

#include "mixlab/store/results_file.h"

namespace mixlab::verdict {

/// A confidence set on the trajectories that were run and watched it, in order of number.
struct SetSample {
  std::vector<std::int32_t> first_violation;
  std::vector<double> log10_p;
  std::vector<double> horizon_log10_p;
  std::vector<double> sup_ratio;
};

struct CellSample {
  std::vector<SetSample> sets;
  std::vector<double> regret;                       ///< at the horizon, for all trajectories; NaN: not run
  std::vector<double> potential;                    ///< of those run
  std::vector<std::int32_t> first_bound_violation;  ///< of those run
  std::int64_t n_run = 0;
};

/// Reads chunk by chunk: of `regret` only the last round stays in memory.
CellSample read_sample(const store::ResultsFile& results, std::int64_t cell);

}  // namespace mixlab::verdict
