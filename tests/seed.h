// Randomness and false-alarm rates of the tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "mixlab/random/sampler.h"
#include "mixlab/random/stream.h"

namespace mixlab {

inline std::uint64_t test_seed() {
  const char* text = std::getenv("MIXLAB_TEST_SEED");
  return text ? std::stoull(text) : 20260131;
}

/// A stream of its own for each use in the tests.
inline random::Stream test_stream(std::uint64_t use) {
  return random::Stream({test_seed(), ~std::uint64_t{0}, use, random::Purpose::policy});
}

inline double normal_in(random::Stream& stream) {
  return random::normal(stream.next());
}
inline double uniform_in(random::Stream& stream, double low, double high) {
  return low + (high - low) * random::uniform(stream.next());
}
inline std::int64_t integer_in(random::Stream& stream, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(stream.next() % static_cast<std::uint64_t>(high - low + 1));
}

/// A standard normal exceeds this in absolute value with probability 1e-7.
inline constexpr double z_alarm = 5.33;
/// Hoeffding: a mean of n independent values of range 1 deviates by more than this with probability at most 1e-7.
inline double hoeffding_alarm(double n) {
  return std::sqrt(std::log(2e7) / (2 * n));
}

}  // namespace mixlab
