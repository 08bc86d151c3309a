// What the trajectories of one cell say: counts, and order statistics as far as the verdict asks for them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mixlab/store/results_file.h"
#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/evidence.h"
#include "mixlab/verdict/sieve.h"

namespace mixlab::verdict {

/// A confidence set on the trajectories that were run and watched it.
struct SetSample {
  std::int64_t n = 0;
  std::int64_t violations = 0;               ///< theta* outside at some round
  std::vector<std::int64_t> misses;          ///< the same at each delta asked for, by the p-value
  std::vector<std::int64_t> horizon_misses;  ///< theta* outside at the last round, at each delta
  std::vector<Look> looks;                   ///< at violations
  std::vector<std::vector<Look>> looks_at;   ///< at the misses at each delta
  std::vector<ValueRun> p_values;            ///< what calibrate needs of those of the declared trajectories
  std::vector<ValueRun> ratios;              ///< sup_t q_t/beta_t^2: its median, maximum and 1 - delta quantiles
};

/// A column with one number per trajectory, against a limit that none may exceed.
struct Limit {
  std::string column;
  double most = unknown;
};
struct LimitSample {
  double largest = unknown;
  std::int64_t violations = 0;
  std::int64_t first_violation = -1;  ///< trajectory; -1: none
};

struct CellSample {
  std::int64_t n_run = 0;
  std::vector<SetSample> sets;
  std::vector<LimitSample> limits;    ///< one for each asked for
  std::int64_t bound_violations = 0;  ///< regret above the theorem at some round
  std::vector<Look> bound_looks;      ///< at them
};

/// What is asked of a cell.
struct Question {
  std::vector<double> deltas;
  double alpha = 0.05;  ///< of the intervals of quantiles
  std::vector<Limit> limits;
  std::vector<std::int64_t> looks;  ///< numbers of trajectories, ascending, all of them run without a gap
  std::int64_t n_calibrated = 0;    ///< trajectories whose p-values are calibrated
};

/// Goes through the cell chunk by chunk, as often as it takes: memory does not depend on the number of trajectories.
/// The first time also(first, end) may read what else is wanted of these rows, in the thread that reads.
CellSample read_sample(const store::ResultsFile& results, std::int64_t cell, const Question& question,
                       const std::function<void(std::int64_t first, std::int64_t end)>& also = {});

}  // namespace mixlab::verdict
