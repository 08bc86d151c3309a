// Checks that several noise processes share. Each returns a number to compare with a limit, so that a test can also show
// that the same check fails on a wrong law.
//
// False alarms: z-scores of means over independent paths are standard normal up to O(n^-1/2); all n here are 3000 or
// more, most 20000. `z_many` is exceeded with probability 6e-10, so that a test case may make a thousand comparisons
// and stays below 1e-6.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "laws.h"

namespace mixlab {

using Paths = std::vector<std::vector<double>>;

inline constexpr double z_many = 6.2;

/// Hoeffding: a mean of n independent values of range 1 deviates by more than this with probability at most 1e-9.
inline double hoeffding_many(double n) {
  return std::sqrt(std::log(2e9) / (2 * n));
}

/// Variance s^2 of an innovation on [-1, 1].
inline double innovation_variance(const std::string& law) {
  return law == "rademacher" ? 1 : 1.0 / 3;
}

inline double power(double base, std::int64_t exponent) {
  double result = 1;
  for (std::int64_t i = 0; i < exponent; ++i) result *= base;
  return result;
}

inline Paths scaled(Paths paths, double factor) {
  for (auto& path : paths)
    for (double& eps : path) eps *= factor;
  return paths;
}

/// |z| of the mean over rounds of f(eps_t) against `expected`.
template <class F>
double mean_z(const Paths& paths, double expected, F f) {
  return std::abs(z_score(paths, expected, [&](const auto& path) {
    double sum = 0;
    for (const double eps : path) sum += f(eps);
    return sum / static_cast<double>(path.size());
  }));
}

/// |z| of the mean over rounds of eps_t eps_{t+k} against `expected`.
inline double covariance_z(const Paths& paths, std::size_t k, double expected) {
  return std::abs(z_score(paths, expected, [&](const auto& path) {
    double sum = 0;
    for (std::size_t t = k; t < path.size(); ++t) sum += path[t] * path[t - k];
    return sum / static_cast<double>(path.size() - k);
  }));
}

/// The largest |z| of covariance_z over `lags`; expected(k) is the autocovariance at lag k.
template <class F>
double worst_covariance_z(const Paths& paths, const std::vector<std::size_t>& lags, F expected) {
  double worst = 0;
  for (const std::size_t k : lags) worst = std::max(worst, covariance_z(paths, k, expected(k)));
  return worst;
}

/// The largest z by which E exp(lambda eps_t), a mean over rounds, exceeds exp(lambda^2 sigma^2/2): one-sided.
inline double worst_mgf_z(const Paths& paths, double sigma) {
  double worst = -1e9;
  for (const double lambda : {-2.0, -1.0, -0.4, 0.4, 1.0, 2.0}) {
    const double x = lambda / sigma;
    worst = std::max(worst, z_score(paths, std::exp(lambda * lambda / 2), [&](const auto& path) {
                       double sum = 0;
                       for (const double eps : path) sum += std::exp(x * eps);
                       return sum / static_cast<double>(path.size());
                     }));
  }
  return worst;
}

/// Whether mean(path, t) is the conditional mean of eps_t given the past at lag d, by regression on the past: the
/// largest |z| of E[(eps_t - mean) g] for several functions g of eps_{t-d} and of the mean itself. Every
/// third round of the second half of the paths, which are longer than 8.
template <class Mean>
double conditional_mean_z(const Paths& paths, std::size_t d, Mean mean) {
  double worst = 0;
  for (int which = 0; which < 6; ++which)
    worst = std::max(worst, std::abs(z_score(paths, 0, [&](const auto& path) {
                       double sum = 0;
                       for (std::size_t t = path.size() - 1; t >= path.size() / 2 && t >= d; t -= 3) {
                         const double past = path[t - d], m = mean(path, t);
                         const double g[] = {1, past, m, past > 0.8 ? 1.0 : 0, past * past * past, m > 0 ? 1.0 : -1};
                         sum += (path[t] - m) * g[which];
                       }
                       return sum;
                     })));
  return worst;
}

/// The largest z by which exp(lambda (eps_t - mean)) exceeds exp(lambda^2 sigma^2/2) given the past at lag d, on the
/// events eps_{t-d} > 0.8, eps_{t-d} < -0.8 and always: one-sided. t is the last round.
template <class Mean>
double conditional_mgf_z(const Paths& paths, std::size_t d, double sigma, Mean mean) {
  double worst = -1e9;
  for (int event = 0; event < 3; ++event)
    for (const double lambda : {-1.5, -0.7, -0.3, 0.3, 0.7, 1.5})
      worst = std::max(worst, z_score(paths, 0, [&](const auto& path) {
                         const std::size_t t = path.size() - 1;
                         const double past = path[t - d];
                         if ((event == 1 && past <= 0.8) || (event == 2 && past >= -0.8)) return 0.0;
                         return std::exp(lambda / sigma * (path[t] - mean(path, t))) - std::exp(lambda * lambda / 2);
                       }));
  return worst;
}

/// Whether rounds `a` and `b` (from 0) have one law: the largest |z| over moments, tails and a characteristic function.
inline double same_law_z(const Paths& paths, std::size_t a, std::size_t b) {
  const auto f = [](int which, double x) {
    switch (which) {
      case 0:
        return x;
      case 1:
        return x * x;
      case 2:
        return x * x * x * x;
      case 3:
        return x > 0.3 ? 1.0 : 0;
      case 4:
        return std::abs(x) > 1.2 ? 1.0 : 0;
      default:
        return std::cos(2 * x);
    }
  };
  double worst = 0;
  for (int which = 0; which < 6; ++which)
    worst = std::max(
        worst, std::abs(z_score(paths, 0, [&](const auto& path) { return f(which, path[a]) - f(which, path[b]); })));
  return worst;
}

/// |z| of the difference of the means of f(path) over two independent samples.
template <class F>
double two_sample_z(const Paths& first, const Paths& second, F f) {
  const auto [m1, v1] = mean_and_error2(first, f);
  const auto [m2, v2] = mean_and_error2(second, f);
  return std::abs(m1 - m2) / std::sqrt(v1 + v2);
}

/// Rounds 1..T of one path, asked for in blocks of the given sizes in turn.
inline std::vector<double> in_blocks(const noise::Process& process, std::size_t T, std::uint64_t trajectory,
                                     const std::vector<std::size_t>& sizes) {
  std::vector<double> eps(T);
  const auto path = process.start(random::Stream({test_seed(), 99, trajectory, random::Purpose::noise}));
  std::size_t done = 0;
  for (std::size_t i = 0; done < T; ++i) {
    const std::size_t size = std::min(sizes[i % sizes.size()], T - done);
    path->next(std::span(eps).subspan(done, size));
    done += size;
  }
  return eps;
}

/// Whether the values of a path depend on the blocks in which they are asked for; another path differs.
inline void check_blocks(const noise::Process& process, std::size_t T) {
  const auto whole = in_blocks(process, T, 1, {T});
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{1}, {7}, {64}, {1000}, {1, 2, 3, 500, 77, 0}}) {
    const auto pieces = in_blocks(process, T, 1, sizes);
    BOOST_TEST((whole == pieces), "blocks that begin with " << sizes[0] << " change the path");
  }
  BOOST_TEST((whole != in_blocks(process, T, 2, {T})));
}

/// The horizon may enter a certificate, never the law.
inline void check_law_is_free_of_T(const std::string& name, const Values& parameters) {
  BOOST_TEST((in_blocks(*make_process(name, parameters, 50), 200, 1, {200}) ==
              in_blocks(*make_process(name, parameters, 20000), 200, 1, {200})));
}

/// phi does not increase and lies under the certificates, up to rounding: relative, and absolute for phi near 0.
inline void check_certificates(const noise::Process& process, std::int64_t last, double absolute = 0) {
  const auto geometric = process.geometric();
  const auto algebraic = process.algebraic();
  std::int64_t rising = 0, over_geometric = 0, over_algebraic = 0;
  double previous = process.phi(1);
  for (std::int64_t d = 1; d <= last; d += 1 + d / 64) {
    const double phi = process.phi(d), x = static_cast<double>(d);
    rising += phi > previous * (1 + 1e-12);
    previous = phi;
    if (geometric) over_geometric += phi > geometric->C * std::exp(-x / geometric->tau) * (1 + 1e-9) + absolute;
    if (algebraic) over_algebraic += phi > algebraic->C * std::pow(x, -algebraic->r) * (1 + 1e-9) + absolute;
  }
  BOOST_TEST(rising == 0);
  BOOST_TEST(over_geometric == 0);
  BOOST_TEST(over_algebraic == 0);
}

}  // namespace mixlab
