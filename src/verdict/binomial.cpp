#include "mixlab/verdict/binomial.h"

#include <boost/math/special_functions/beta.hpp>

#include "smallest.h"

namespace mixlab::verdict {
namespace {

double real(std::int64_t count) {
  return static_cast<double>(count);
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

}  // namespace mixlab::verdict
