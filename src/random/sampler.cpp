#include "mixlab/random/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace mixlab::random {
namespace {

/// Of numbers, or of vectors of them.
template <int N, class X>
X horner(const double (&coefficients)[N], X x) {
  X value = X{} + coefficients[N - 1];
#pragma GCC unroll 16
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
template <class X>
X artanh_series(X f) {
  const X s = f * f;
  return s * horner(odd_reciprocals, s);
}

/// x = m 2^e with m in [sqrt(1/2), sqrt(2)).
void split(double x, double& m, double& e) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  const std::int64_t exponent = (bits - std::bit_cast<std::int64_t>(0x1.6a09e667f3bcdp-1)) >> 52;  // no branch
  m = std::bit_cast<double>(bits - exponent * (std::int64_t{1} << 52));
  e = static_cast<double>(exponent);
}

/// log(m 2^e), f = (m-1)/(m+1).
template <class X>
X log_of(X m, X e) {
  const X f = (m - 1.0) / (m + 1.0);
  const double log2_high = 0x1.62e42fefa38p-1;  // 11 low bits clear: e * log2_high is exact
  const double log2_low = 0x1.ef35793c7673p-45;
  return e * log2_high + (2.0 * f + (2.0 * f * artanh_series(f) + e * log2_low));
}

constexpr double central = 0.425;  // |u - 1/2| up to here
template <class X>
X central_quantile(X q) {
  const X r = 0.180625 - q * q;
  return q * horner(central_top, r) / horner(central_bottom, r);
}
constexpr double middle = 5.0;  // sqrt(-log tail) up to here
template <class X>
X middle_quantile(X r) {
  return horner(middle_top, r - 1.6) / horner(middle_bottom, r - 1.6);
}

/// Several numbers in the compiler's own vectors: the same operations, so the same bits.
constexpr std::size_t n_lanes = 2;
using Several = double __attribute__((vector_size(8 * n_lanes)));

Several load(const double* from) {
  Several x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
void store(Several x, double* to) {
  std::memcpy(to, &x, sizeof x);
}

/// Some at a time: all as if they were central, then those that are not.
constexpr std::size_t n_together = 64;
void some_quantiles(const double* u, double* out) {
  double outer[n_together], m[n_together], e[n_together], r[n_together];
  std::size_t where[n_together], n_outer = 0;
  for (std::size_t i = 0; i < n_together; i += n_lanes) store(central_quantile(load(u + i) - 0.5), out + i);
  for (std::size_t i = 0; i < n_together; ++i) {
    where[n_outer] = i;
    n_outer += !(std::abs(u[i] - 0.5) <= central);
  }
  for (std::size_t k = 0; k < n_outer; ++k) split(std::min(u[where[k]], 1.0 - u[where[k]]), m[k], e[k]);
  for (std::size_t k = n_outer; k % n_lanes != 0; ++k) m[k] = 1, e[k] = -4;
  for (std::size_t k = 0; k < n_outer; k += n_lanes) {
    store(-log_of(load(m + k), load(e + k)), r + k);
    for (std::size_t l = 0; l < n_lanes; ++l) r[k + l] = std::sqrt(r[k + l]);
    store(middle_quantile(load(r + k)), outer + k);
  }
  for (std::size_t k = 0; k < n_outer; ++k) {
    const double own_u = u[where[k]];
    const double value = own_u < 0.5 ? -outer[k] : outer[k];
    out[where[k]] = r[k] <= middle ? value : normal_quantile(own_u);
  }
}

}  // namespace

double portable_log(double x) {
  double m = 0, e = 0;
  split(x, m, e);
  return log_of(m, e);
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
  if (std::abs(q) <= central) return central_quantile(q);
  const double tail = q < 0 ? u : 1.0 - u;
  const double r = std::sqrt(-portable_log(tail));
  const double value = r <= middle ? middle_quantile(r) : horner(tail_top, r - 5.0) / horner(tail_bottom, r - 5.0);
  return q < 0 ? -value : value;
}

void normals(std::span<const std::uint64_t> words, std::span<double> out) {
  double u[n_together], value[n_together];
  for (std::size_t first = 0; first < words.size(); first += n_together) {
    const std::size_t n = std::min(n_together, words.size() - first);
    for (std::size_t i = 0; i < n_together; ++i) u[i] = i < n ? uniform(words[first + i]) : 0.5;
    some_quantiles(u, value);
    std::copy_n(value, n, out.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

}  // namespace mixlab::random
