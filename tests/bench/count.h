// Instructions of a round, counted by valgrind: the same on a busy machine as on a quiet one.
#pragma once

#include <string>

#include "case.h"

namespace mixlab::bench {

/// Instructions per group of four lanes and round of the AVX2 code; of four trajectories one after the other where the
/// reference engine runs them, and then of 500 rounds at most. What happens before the first round and what is shared by
/// all trajectories of a part is not counted. Throws std::runtime_error if there is no valgrind.
double instructions_per_round(const Case& which, int T);

/// What valgrind looks at: this program with --counted.
void run_counted(const Case& which, int T);

}  // namespace mixlab::bench
