// A program to compare with: OFUL on K arms, one trajectory at a time, as a good engineer writes it in an afternoon and
// compiles it for his own machine.
#pragma once

#include <cstdint>

namespace mixlab::bench {

/// Plays T rounds of OFUL without delay (ridge regression, lambda = 1) under sticky noise and watches its set. Returns the
/// regret; 2T more if theta* left the set.
double run_baseline(int p, int K, int T, std::uint64_t seed);

}  // namespace mixlab::bench
