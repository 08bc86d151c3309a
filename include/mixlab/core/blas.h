// The linear algebra library underneath.
#pragma once

#include <string>

namespace mixlab {

/// Makes it safe under our own threads: one BLAS thread, of OpenBLAS, MKL and BLIS; others have one. Throws std::runtime_error for the serial flavour of OpenBLAS,
/// which is not thread-safe and gives wrong numbers.
void prepare_blas();

/// "OpenBLAS 0.3.21 ... pthread, 1 thread", "BLIS 0.9.0", ..., or "reference BLAS".
std::string blas_description();

}  // namespace mixlab
