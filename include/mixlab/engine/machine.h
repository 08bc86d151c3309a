// The machine a run finds itself on: threads to use, and what last bits depend on.
#pragma once

#include <string>
#include <vector>

#include "mixlab/core/catalogue.h"
#include "mixlab/engine/lanes.h"

namespace mixlab::engine {

/// `asked` if positive, else OMP_NUM_THREADS, else what Slurm allotted, else the processors this process may use.
int choose_threads(int asked);

/// Everything that last bits may depend on: version of mixlab, compiler, BLAS and its kernels, the engine if the user
/// chose one, and of the `entries` in use those that mixlab does not ship: by their revision or, without one, by the
/// contents of the whole program. Parts that differ in this do not belong in one file.
std::string numerics(Engine engine = Engine::automatic, const std::vector<const Entry*>& entries = {});
/// The engine that results with such `numerics` were made with.
Engine engine_of(const std::string& numerics);

}  // namespace mixlab::engine
