#include "mixlab/random/sampler.h"

#include <bit>
#include <cmath>

namespace mixlab::random {
namespace {

template <int N>
double horner(const double (&coefficients)[N], double x) {
  double value = coefficients[N - 1];
  for (int i = N - 2; i >= 0; --i) value = value * x + coefficients[i];
  return value;
}

// AS 241, PPND16: numerator and denominator of the three regions, lowest power first.
constexpr double central_top[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                  1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                  3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr double central_bottom[] = {1.0,
                                     4.2313330701600911252e+1,
                                     6.8718700749205790830e+2,
                                     5.3941960214247511077e+3,
                                     2.1213794301586595867e+4,
                                     3.9307895800092710610e+4,
                                     2.8729085735721942674e+4,
                                     5.2264952788528545610e+3};
constexpr double middle_top[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                 3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                 2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double middle_bottom[] = {1.0,
                                    2.05319162663775882187e0,
                                    1.67638483018380384940e0,
                                    6.89767334985100004550e-1,
                                    1.48103976427480074590e-1,
                                    1.51986665636164571966e-2,
                                    5.47593808499534494600e-4,
                                    1.05075007164441684324e-9};
constexpr double tail_top[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                               2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                               2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double tail_bottom[] = {1.0,
                                  5.99832206555887937690e-1,
                                  1.36929880922735805310e-1,
                                  1.48753612908506148525e-2,
                                  7.86869131145613259100e-4,
                                  1.84631831751005468180e-5,
                                  1.42151175831644588870e-7,
                                  2.04426310338993978564e-15};

// 1/3, 1/5, ..., 1/23
constexpr double odd_reciprocals[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13,
                                      1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};

/// log((1+f)/(1-f)) = 2 artanh f = 2f + 2f artanh_series(f), for |f| <= 0.1716.
double artanh_series(double f) {
  const double s = f * f;
  return s * horner(odd_reciprocals, s);
}

}  // namespace

// x = m 2^e with m in [sqrt(1/2), sqrt(2)); f = (m-1)/(m+1).
double portable_log(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  const std::int64_t exponent = (bits - std::bit_cast<std::int64_t>(0x1.6a09e667f3bcdp-1)) >> 52;  // no branch
  const auto m = std::bit_cast<double>(bits - exponent * (std::int64_t{1} << 52));
  const double f = (m - 1.0) / (m + 1.0);
  const double log2_high = 0x1.62e42fefa38p-1;  // 11 low bits clear: exponent * log2_high is exact
  const double log2_low = 0x1.ef35793c7673p-45;
  const auto e = static_cast<double>(exponent);
  return e * log2_high + (2.0 * f + (2.0 * f * artanh_series(f) + e * log2_low));
}

double portable_log1p(double x) {
  if (std::abs(x) > 0.25) return portable_log(1.0 + x);
  const double f = x / (2.0 + x);
  return 2.0 * f + 2.0 * f * artanh_series(f);
}

void WaitingTime::draw(Stream& stream, std::span<std::int64_t> n) const {
  for (std::int64_t& one : n) one = 1 + static_cast<std::int64_t>(portable_log(uniform(stream.next())) * scale_);
}

double normal_quantile(double u) {
  const double q = u - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * horner(central_top, r) / horner(central_bottom, r);
  }
  const double tail = q < 0 ? u : 1.0 - u;
  const double r = std::sqrt(-portable_log(tail));
  const double value = r <= 5.0 ? horner(middle_top, r - 1.6) / horner(middle_bottom, r - 1.6)
                                : horner(tail_top, r - 5.0) / horner(tail_bottom, r - 5.0);
  return q < 0 ? -value : value;
}

}  // namespace mixlab::random
