#include "mixlab/verdict/eprocess.h"

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <cmath>

namespace mixlab::verdict {
namespace {

struct Beta {
  double a, b;
};

Beta after(const Beta& prior, std::int64_t k, std::int64_t n) {
  return {prior.a + static_cast<double>(k), prior.b + static_cast<double>(n - k)};
}

constexpr double smallest_tail = 1e-250;  ///< below it a tail is about to leave the range of doubles

/// s(z) in Gamma(z) = sqrt(2 pi/z) (z/e)^z exp(s(z)).
double stirling_error(double z) {
  if (z < 16)
    return std::lgamma(z) - (z - 0.5) * std::log(z) + z - 0.5 * std::log(2 * boost::math::constants::pi<double>());
  const double y = 1 / (z * z);
  return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y * (1.0 / 1188 - y * 691.0 / 360360))))) / z;
}

/// x log(x/m) + m - x, at least 0; x and m may be large and near to each other.
double deviance(double x, double m) {
  const double apart = (m - x) / x;
  return std::abs(apart) < 0.5 ? -x * boost::math::log1pmx(apart) : x * std::log(x / m) + m - x;
}

/// log of delta^a (1-delta)^b / B(a,b).
double log_weight(const Beta& beta, double delta) {
  const double sum = beta.a + beta.b;
  return 0.5 * std::log(beta.a * (beta.b / sum) / (2 * boost::math::constants::pi<double>())) + stirling_error(sum) -
         stirling_error(beta.a) - stirling_error(beta.b) - deviance(beta.a, sum * delta) -
         deviance(beta.b, sum * (1 - delta));
}

/// I_x(a,b) / (x^a (1-x)^b / B(a,b)) far out in the tail, where x is below the mean: Lentz's continued fraction.
double tail_ratio(const Beta& beta, double x) {
  constexpr double tiny = 1e-300, precise = 1e-16;
  const auto [a, b] = beta;
  double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), value = d;
  const auto step = [&](double numerator) {
    d = 1 + numerator * d;
    c = 1 + numerator / c;
    if (std::abs(d) < tiny) d = tiny;
    if (std::abs(c) < tiny) c = tiny;
    d = 1 / d;
    value *= c * d;
    return std::abs(c * d - 1);
  };
  for (double m = 1;; ++m) {
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    if (step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))) <= precise) break;
  }
  return value / a;
}

/// log of a tail of Beta(a,b) beside delta over its weight at delta: what remains of a mixture of likelihood ratios
/// against delta when the powers of delta and 1 - delta cancel.
double log_ratio_below(const Beta& beta, double delta) {
  const double tail = boost::math::ibeta(beta.a, beta.b, delta);
  return tail > smallest_tail ? std::log(tail) - log_weight(beta, delta) : std::log(tail_ratio(beta, delta));
}
double log_ratio_above(const Beta& beta, double delta) {
  const double tail = boost::math::ibetac(beta.a, beta.b, delta);
  return tail > smallest_tail ? std::log(tail) - log_weight(beta, delta)
                              : std::log(tail_ratio({beta.b, beta.a}, 1 - delta));
}

}  // namespace

double log_e_violated(std::int64_t k, std::int64_t n, double delta) {
  const Beta prior{5 * delta, 5 * (1 - delta)};
  return log_ratio_above(after(prior, k, n), delta) - log_ratio_above(prior, delta);
}

double log_e_certified(std::int64_t k, std::int64_t n, double delta) {
  const Beta prior{0.5, 1 / delta - 1};
  const double mixture = log_ratio_below(after(prior, k, n), delta) - log_ratio_below(prior, delta);
  if (k > 0) return mixture - std::log(2.0);
  const double never_missing = -static_cast<double>(n) * std::log1p(-delta);
  const double larger = std::max(mixture, never_missing), smaller = std::min(mixture, never_missing);
  return larger + std::log1p(std::exp(smaller - larger)) - std::log(2.0);
}

}  // namespace mixlab::verdict
