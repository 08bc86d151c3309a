// Exact statements about a probability from k misses in n independent trials (MATHEMATICS.md D.2).
#pragma once

#include <cstdint>
#include <limits>

namespace mixlab::verdict {

/// What a sample cannot tell.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Interval {
  double low = unknown;
  double high = unknown;
};

/// P(Bin(n, p) >= k).
double upper_tail(std::int64_t k, std::int64_t n, double p);
/// P(Bin(n, p) <= k).
double lower_tail(std::int64_t k, std::int64_t n, double p);

/// One-sided Clopper-Pearson limits, each at confidence 1 - alpha.
double lower_limit(std::int64_t k, std::int64_t n, double alpha);
double upper_limit(std::int64_t k, std::int64_t n, double alpha);
/// Two-sided Clopper-Pearson interval at confidence 1 - alpha; unknown without a trial.
Interval clopper_pearson(std::int64_t k, std::int64_t n, double alpha);

/// The smallest probability that n trials would show, with the given power, to be above delta at level alpha: the
/// failure that is hardly ever overlooked. Unknown if n trials cannot reject at all.
double smallest_detectable(std::int64_t n, double delta, double alpha, double power);

}  // namespace mixlab::verdict
