// Adaptive multilevel splitting: a population of paths is driven to ever smaller p-values by replacing the worst of them
// with branches of the others (MATHEMATICS.md D.5). Unbiased for every policy and every size of the population.
#pragma once

#include <cstdint>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/rare/estimate.h"

namespace mixlab::rare {

/// Throws InputError unless the noise can be drawn anew from any round on.
void require_splitting(const engine::Experiment& experiment);

/// One repetition for one set, at these levels. The same for any number of threads. Throws Stopped if a stop was requested.
Repetition run_splitting(const engine::Experiment& experiment, std::size_t set, const std::vector<double>& deltas,
                         std::int64_t n_particles, int repetition, int n_threads);

}  // namespace mixlab::rare
