// What `mixlab rare` asks: how likely is it that theta* ever leaves a set?
#pragma once

#include <cstddef>
#include <cstdint>

#include "mixlab/engine/experiment.h"

namespace mixlab::rare {

/// A monitored set and the level it is made for: a miss is p < delta at some round 1..T.
struct Target {
  std::size_t set = 0;  ///< index into Experiment::sets
  double delta = 0.05;
};

/// Stream of the noise of paths that only `mixlab rare` draws: apart from the noise of all trajectories, and of all other
/// uses of this.
random::Stream noise_stream(const engine::Experiment& experiment, const char* use, std::uint64_t path);

}  // namespace mixlab::rare
