// Which tilts make the misses of a cell likely: found by twisted paths of their own, from a coarse grid to finer ones.
#pragma once

#include <cstdint>
#include <vector>

#include "mixlab/rare/twisted.h"

namespace mixlab::rare {

/// A mixture of about n paths for all targets at once; the same for any number of threads. Says "noise process cannot be
/// twisted" by InputError.
Mixture choose_mixture(const engine::Experiment& experiment, const std::vector<Target>& targets, std::int64_t n_paths,
                       int n_threads);

/// A mixture of about so many paths: a batch for each component, 5 % for component 0, which is the process itself, and the
/// rest in proportion to `weight`.
Mixture allot(std::vector<Component> components, const std::vector<double>& weight, std::int64_t n_paths);

}  // namespace mixlab::rare
