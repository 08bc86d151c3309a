// How long a study will take, from a short timed run on this machine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/study/plan.h"

namespace mixlab::cluster {

class Estimate {
 public:
  /// Runs a few trajectories of every cell for about `seconds`, keeping nothing. Nothing if none of them ended in time.
  static std::optional<Estimate> by_running(const std::vector<engine::Experiment>& experiments, double seconds);

  /// Seconds of one core.
  double seconds(const study::Part& part) const;
  /// Of the slowest of the shards that have parts in `parts`, on that many threads.
  double slowest_shard(const std::vector<study::Part>& parts, std::int64_t n_shards, int n_threads) const;

 private:
  std::vector<double> seconds_per_trajectory_;  // per cell
};

}  // namespace mixlab::cluster
