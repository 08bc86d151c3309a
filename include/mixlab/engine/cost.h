// What a trajectory costs, by a fixed, rough model: it sizes parts and plans, and never depends on the machine.
#pragma once

#include <cstdint>
#include <vector>

#include "mixlab/engine/experiment.h"

namespace mixlab::engine {

/// What the cost of a trajectory depends on.
struct CellSize {
  int p = 1;
  int n_arms = 1;
  std::int64_t T = 1;
  int n_sets = 1;
  bool lanes = false;  ///< the fast engine takes it
};
CellSize size_of(const Experiment& experiment);

/// Seconds of one core per trajectory.
double expected_seconds(const CellSize& size);

/// Trajectories per part: a power of two that takes some seconds of one core.
std::int64_t part_size(const CellSize& size);
/// Per cell.
std::vector<std::int64_t> part_sizes(const std::vector<Experiment>& experiments);

}  // namespace mixlab::engine
