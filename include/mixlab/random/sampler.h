// Samplers that give the same bits on every machine: IEEE arithmetic and square roots only, no libm, no
// std::*_distribution. Each takes one 64-bit word a draw.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "mixlab/random/stream.h"

namespace mixlab::random {

/// Uniform on (0,1): the midpoints of 2^52 equal cells. All are exact doubles, so neither 0 nor 1 ever occurs.
inline double uniform(std::uint64_t word) {
  return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52;
}

/// uniform(word) < u exactly where word >> 12 is below this number.
inline std::uint64_t cells_below(double u) {
  return static_cast<std::uint64_t>(std::max(std::ceil(u * 0x1p52 - 0.5), 0.0));
}

/// A fair sign, +1 or -1, from the highest bit.
inline double sign(std::uint64_t word) {
  return (word >> 63) ? 1.0 : -1.0;
}

/// Natural logarithm of a positive, finite, normal number to about one ulp.
double portable_log(double x);

/// The standard normal quantile function on (0,1) (Wichura 1988, algorithm AS 241), relative error about 1e-16.
double normal_quantile(double u);

/// Standard normal by inversion.
inline double normal(std::uint64_t word) {
  return normal_quantile(uniform(word));
}

}  // namespace mixlab::random
