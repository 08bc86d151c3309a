// How long the trajectories of a study will take, from a short timed run on this machine.
#pragma once

#include <cstdint>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/study/plan.h"

namespace mixlab::engine {

class Estimate {
 public:
  /// Runs a few trajectories of the cells, over their first rounds, for about `seconds` of processor time, keeping
  /// nothing. Of many cells some are run, and the model of engine/cost.h, scaled by them, speaks for the others.
  static Estimate by_running(std::vector<Experiment> experiments, double seconds);

  /// Seconds of one core.
  double seconds(const study::Part& part) const;
  /// Of the slowest of the shards that have parts in `parts`, on that many threads.
  double slowest_shard(const std::vector<study::Part>& parts, std::int64_t n_shards, int n_threads) const;

 private:
  std::vector<double> seconds_per_trajectory_;  // per cell
};

}  // namespace mixlab::engine
