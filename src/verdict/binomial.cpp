#include "mixlab/verdict/binomial.h"

#include <boost/math/special_functions/beta.hpp>
#include <cmath>

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

std::int64_t trials_to_certify(double rate, double delta, double alpha, std::int64_t largest) {
  if (rate >= delta) return 0;
  const auto certified = [&](std::int64_t n) {
    return lower_tail(static_cast<std::int64_t>(std::ceil(rate * real(n))), n, delta) <= alpha;
  };
  std::int64_t high = 1;
  while (!certified(high)) {
    if (high >= largest) return 0;
    high *= 2;
  }
  std::int64_t low = high / 2;  // not certified, or 0
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (certified(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace mixlab::verdict
