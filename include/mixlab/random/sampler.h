// Samplers that give the same bits on every machine: IEEE arithmetic and square roots only, no libm, no
// std::*_distribution. Each takes one 64-bit word a draw.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "mixlab/random/stream.h"

namespace mixlab::random {

/// Uniform on (0,1): the midpoints of 2^52 equal cells. All are exact doubles, so neither 0 nor 1 ever occurs.
inline double uniform(std::uint64_t word) {
  return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52;
}

/// A fair sign, +1 or -1, from the highest bit.
inline double sign(std::uint64_t word) {
  return (word >> 63) ? 1.0 : -1.0;
}

/// Natural logarithm of a positive, finite, normal number to about one ulp.
double portable_log(double x);
/// log(1+x) for x > -1, also where 1+x would lose digits.
double portable_log1p(double x);

/// The standard normal quantile function on (0,1) (Wichura 1988, algorithm AS 241), relative error about 1e-16.
double normal_quantile(double u);

/// Standard normal by inversion.
inline double normal(std::uint64_t word) {
  return normal_quantile(uniform(word));
}

/// The same for many words, several at a time.
void normals(std::span<const std::uint64_t> words, std::span<double> out);

/// The number of trials up to the first success, that one included: P(n) = (1-p)^{n-1} p, 0 < p < 1, by inversion.
class WaitingTime {
 public:
  explicit WaitingTime(double p) : scale_(1 / portable_log1p(-p)) {}
  void draw(Stream& stream, std::span<std::int64_t> n) const;

 private:
  double scale_;  ///< 1/log(1-p)
};

}  // namespace mixlab::random
