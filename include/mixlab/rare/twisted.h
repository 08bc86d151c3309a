// Importance sampling by twisted noise: paths drawn from a mixture of tilted laws, weighted at their first crossing
// (MATHEMATICS.md D.5). Unbiased for every policy.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/rare/mixture.h"
#include "mixlab/rare/path_row.h"
#include "mixlab/rare/target.h"

namespace mixlab::rare {

/// Called at the first crossing of a target, with log L_c of every component.
using AtCrossing = std::function<void(std::size_t target, std::span<const double> log_ratios)>;

/// Draws path `number` of the component. Its theta*, arms and policy are those of trajectory `number`; the noise is of a
/// stream by the name `use`. Throws Stopped if a stop was requested.
PathRow run_twisted(const engine::Experiment& experiment, const Mixture& mixture, const std::vector<Target>& targets,
                    const char* use, std::int64_t number, std::size_t component, const AtCrossing& at_crossing = {});

/// body(i) for i in [first, end), across threads, in any order. Rethrows the first exception.
void for_each_path(std::int64_t first, std::int64_t end, int n_threads, const std::function<void(std::int64_t)>& body);

/// Paths first..end-1 of the mixture.
std::vector<PathRow> run_twisted_paths(const engine::Experiment& experiment, const Mixture& mixture,
                                       const std::vector<Target>& targets, std::int64_t first, std::int64_t end,
                                       int n_threads);

}  // namespace mixlab::rare
