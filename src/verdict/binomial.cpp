#include "mixlab/verdict/binomial.h"

#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace mixlab::verdict {
namespace {

double real(std::int64_t count) {
  return static_cast<double>(count);
}

/// An n in 1..largest with yes(n) and not yes(n - 1), or `largest` + 1.
template <class Predicate>
std::int64_t smallest(std::int64_t largest, const Predicate& yes) {
  std::int64_t high = 1;
  while (high <= largest && !yes(high)) high *= 2;
  std::int64_t low = high / 2;  // not yes, or 0
  high = std::min(high, largest + 1);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (yes(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

double upper_tail(std::int64_t k, std::int64_t n, double p) {
  if (k <= 0) return 1;
  if (k > n) return 0;
  return boost::math::ibeta(real(k), real(n - k + 1), p);
}

double lower_tail(std::int64_t k, std::int64_t n, double p) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return boost::math::ibetac(real(k + 1), real(n - k), p);
}

double lower_limit(std::int64_t k, std::int64_t n, double alpha) {
  return k <= 0 ? 0 : boost::math::ibeta_inv(real(k), real(n - k + 1), alpha);
}

double upper_limit(std::int64_t k, std::int64_t n, double alpha) {
  return k >= n ? 1 : boost::math::ibetac_inv(real(k + 1), real(n - k), alpha);
}

Interval clopper_pearson(std::int64_t k, std::int64_t n, double alpha) {
  if (n == 0) return {};
  return {lower_limit(k, n, alpha / 2), upper_limit(k, n, alpha / 2)};
}

// n misses of n are rejected if any number is; the power at mu is P(Bin(n, mu) >= k), increasing in mu.
double smallest_detectable(std::int64_t n, double delta, double alpha, double power) {
  const std::int64_t k = smallest(n, [&](std::int64_t misses) { return upper_tail(misses, n, delta) <= alpha; });
  return k > n ? unknown : lower_limit(k, n, power);
}

std::int64_t trials_to_decide(double rate, double delta, double alpha, std::int64_t largest) {
  if (rate == delta) return 0;
  const std::int64_t n = smallest(largest, [&](std::int64_t trials) {
    const double misses = rate * real(trials);
    return rate < delta ? lower_tail(static_cast<std::int64_t>(std::ceil(misses)), trials, delta) <= alpha
                        : upper_tail(static_cast<std::int64_t>(std::floor(misses)), trials, delta) <= alpha;
  });
  return n > largest ? 0 : n;
}

}  // namespace mixlab::verdict
