// The machine a run finds itself on: threads to use, linear algebra underneath, names for the record.
#pragma once

#include <string>

#include "mixlab/engine/lanes.h"

namespace mixlab::engine {

/// `asked` if positive, else OMP_NUM_THREADS, else what Slurm allotted, else the processors this process may use.
int choose_threads(int asked);

/// Makes the linear algebra safe under our own threads: one BLAS thread. Throws std::runtime_error for the serial
/// flavour of OpenBLAS, which is not thread-safe and gives wrong numbers.
void prepare_blas();

/// "OpenBLAS 0.3.21 ... pthread, 1 thread", or "reference BLAS".
std::string blas_description();

/// Everything that last bits may depend on: version of mixlab, compiler, BLAS and its kernels, and the engine if the
/// user chose one. Parts that differ in this do not belong in one file.
std::string numerics(Engine engine = Engine::automatic);
/// The engine that results with such `numerics` were made with.
Engine engine_of(const std::string& numerics);

}  // namespace mixlab::engine
