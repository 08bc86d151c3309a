// Exact statements about a probability from k misses in n independent trials (MATHEMATICS.md D.2).
#pragma once

#include <cstdint>

namespace mixlab::verdict {

/// P(Bin(n, p) >= k).
double upper_tail(std::int64_t k, std::int64_t n, double p);
/// P(Bin(n, p) <= k).
double lower_tail(std::int64_t k, std::int64_t n, double p);

/// One-sided Clopper-Pearson limits, each at confidence 1 - alpha.
double lower_limit(std::int64_t k, std::int64_t n, double alpha);
double upper_limit(std::int64_t k, std::int64_t n, double alpha);

/// The smallest n, at most `largest`, at which n * rate misses (rounded up) would show a probability of at most
/// `delta` at level alpha; 0 if there is none.
std::int64_t trials_to_certify(double rate, double delta, double alpha, std::int64_t largest = 1000000000);

}  // namespace mixlab::verdict
