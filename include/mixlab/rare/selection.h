// Populations of twisted paths that are looked at now and then: those on their way to a likely miss are continued more
// than once, others not at all (MATHEMATICS.md D.5). For a miss that depends on how the policy plays along, which no tilt
// of the noise controls: the weights of paths that are drawn once then differ too much.
#pragma once

#include <cstdint>
#include <vector>

#include "mixlab/rare/estimate.h"
#include "mixlab/rare/mixture.h"
#include "mixlab/rare/path_row.h"
#include "mixlab/rare/target.h"

namespace mixlab::rare {

/// What a population aims at, learned from twisted paths of the cell. Whatever stands here, estimates are unbiased.
struct Aim {
  Target target;
  Mixture mixture;         ///< of the paths of one population
  double log_ratio = 0;    ///< log dQ/dP of paths that miss
  std::int64_t round = 0;  ///< by which nearly all of them do
};

/// From the paths 0, 1, ... of `mixture`, of which at least one misses the target, the `index`-th of theirs.
Aim take_aim(const Mixture& mixture, const std::vector<PathRow>& rows, const Target& target, std::size_t index,
             std::int64_t n_paths);

/// One population. The same for any number of threads. Throws Stopped if a stop was requested.
Repetition run_selection(const engine::Experiment& experiment, const Aim& aim, int number, int n_threads);

}  // namespace mixlab::rare
