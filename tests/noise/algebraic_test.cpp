#include <boost/test/unit_test.hpp>

#include "checks.h"

using namespace mixlab;

namespace {

struct Case {
  double r = 1.5;
  double shift = 1;
  std::int64_t memory = 100000;
  std::string generator = "exponentials";
  std::int64_t burn_in = 0;
  std::string law = "rademacher";
};

Values parameters_of(const Case& c) {
  Values parameters;
  parameters.set("r", c.r);
  parameters.set("shift", c.shift);
  parameters.set("memory", c.memory);
  parameters.set("generator", c.generator);
  parameters.set("burn_in", c.burn_in);
  parameters.set("law", c.law);
  return parameters;
}

/// The horizon enters C alone.
std::unique_ptr<const noise::Process> algebraic(const Case& c, std::int64_t T = 1000) {
  return make_process("algebraic", parameters_of(c), T);
}

/// Hurwitz zeta: sum_{k>=0} (k+q)^-s, the first 1000 terms one by one, the rest by Euler and Maclaurin.
double hurwitz(double s, double q) {
  const int n = 1000;
  double sum = 0;
  for (int k = n - 1; k >= 0; --k) sum += std::pow(k + q, -s);
  const double x = n + q;
  return sum + std::pow(x, 1 - s) / (s - 1) + std::pow(x, -s) / 2 + s * std::pow(x, -s - 1) / 12;
}

/// The weights a_0..a_J of the truncated power law with unit variance: B.4, `:= 1`.
std::vector<double> power_law(double r, double shift, std::int64_t J, const std::string& law) {
  std::vector<double> a;
  double sum = 0;
  for (std::int64_t j = 0; j <= J; ++j) {
    a.push_back(std::pow(static_cast<double>(j) + shift, -(r + 1)));
    sum += a.back() * a.back();
  }
  for (double& x : a) x /= std::sqrt(sum * innovation_variance(law));
  return a;
}

/// The weights a_0..a_J behind phi: all are positive, so a_j = phi_j - phi_{j+1}; a_0 follows from unit variance if the
/// sum beyond J is nothing.
std::vector<double> weights_behind(const noise::Process& process, std::int64_t J, const std::string& law) {
  std::vector<double> a(1);
  double sum = 0, phi = process.phi(1);
  for (std::int64_t j = 1; j <= J; ++j) {
    const double next = process.phi(j + 1);
    a.push_back(phi - next);
    phi = next;
    sum += a.back() * a.back();
  }
  a[0] = std::sqrt(1 / innovation_variance(law) - sum);
  return a;
}

/// s^2 sum_j a_j a_{j+k}.
double covariance(const std::vector<double>& a, std::size_t k, const std::string& law) {
  double sum = 0;
  for (std::size_t j = 0; j + k < a.size(); ++j) sum += a[j] * a[j + k];
  return sum * innovation_variance(law);
}

/// The innovations of a cold start, u_t = (eps_t - sum_{1<=j<t} a_j u_{t-j})/a_0; signs are rounded to signs. The largest
/// distance of a sign from 1 in `error`.
std::vector<double> decoded(const std::vector<double>& path, const std::vector<double>& a, bool signs, double& error) {
  std::vector<double> u;
  error = 0;
  for (std::size_t t = 0; t < path.size(); ++t) {
    double rest = path[t];
    for (std::size_t j = 1; j <= t && j < a.size(); ++j) rest -= a[j] * u[t - j];
    const double value = rest / a[0];
    error = std::max(error, std::abs(std::abs(value) - 1));
    u.push_back(signs ? (value > 0 ? 1.0 : -1.0) : value);
  }
  return u;
}

double decoding_error(const std::vector<double>& path, const std::vector<double>& a) {
  double error = 0;
  decoded(path, a, true, error);
  return error;
}

/// The signs behind a stationary path with a short memory J, u[t+J] that of round t (from 0): the first J by trying all.
/// Empty unless exactly one start fits.
std::vector<double> decoded_stationary(const std::vector<double>& path, const std::vector<double>& a) {
  const std::size_t J = a.size() - 1;
  std::vector<double> found;
  int fits = 0;
  for (unsigned start = 0; start < (1u << J); ++start) {
    std::vector<double> u;
    for (std::size_t j = 0; j < J; ++j) u.push_back((start >> j) & 1u ? 1 : -1);
    bool fit = true;
    for (std::size_t t = 0; t < path.size() && fit; ++t) {
      double rest = path[t];
      for (std::size_t j = 1; j <= J; ++j) rest -= a[j] * u[t + J - j];
      fit = std::abs(std::abs(rest / a[0]) - 1) < 1e-9;
      u.push_back(rest > 0 ? 1 : -1);
    }
    if (fit) {
      ++fits;
      found = u;
    }
  }
  return fits == 1 ? found : std::vector<double>();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(algebraic_linear)

BOOST_AUTO_TEST_CASE(numbers_of_the_page) {  // the closed form of this file against B.4
  const auto C = [](double r, double shift) { return 1 / std::sqrt(hurwitz(2 * r + 2, shift)) / r; };
  BOOST_TEST(std::abs(C(1, 1) - 0.961) < 6e-4);
  BOOST_TEST(std::abs(C(1.5, 1) - 0.655) < 6e-4);
  BOOST_TEST(std::abs(C(2, 1) - 0.496) < 6e-4);
  BOOST_TEST(std::abs(C(3, 1) - 0.333) < 6e-4);
  BOOST_TEST(std::abs(C(1.5, 10) - 121) < 0.5);
  const auto v = [](double r, double shift) {
    return hurwitz(r + 1, shift) * hurwitz(r + 1, shift) / hurwitz(2 * r + 2, shift);
  };
  BOOST_TEST(std::abs(v(1.5, 1) - 1.74) < 6e-3);
  BOOST_TEST(std::abs(v(1.5, 10) - 17.0) < 6e-2);
}

BOOST_AUTO_TEST_CASE(convolution_certifies_its_own_sums) {
  for (const double r : {0.5, 1.0, 1.5, 3.0})
    for (const double shift : {1.0, 2.5, 10.0})
      for (const std::int64_t memory : {1, 8, 3000})
        for (const std::string law : {"rademacher", "uniform"}) {
          const auto process = algebraic({r, shift, memory, "fft", 0, law});
          const auto a = power_law(r, shift, memory, law);
          BOOST_TEST(process->sigma() == 1);
          BOOST_TEST(process->phi_is_exact());
          BOOST_TEST(process->starts_stationary());
          BOOST_TEST(!process->geometric().has_value());
          double tail = 0, C = 0, error = 0;
          for (std::int64_t d = memory; d >= 1; --d) {
            tail += a[static_cast<std::size_t>(d)];
            C = std::max(C, tail * std::pow(static_cast<double>(d), r));
            if (d < 50 || d % 37 == 0 || d == memory) error = std::max(error, std::abs(process->phi(d) / tail - 1));
          }
          BOOST_TEST(error < 1e-10);
          BOOST_TEST(process->phi(memory + 1) == 0);
          const auto certificate = process->algebraic();
          BOOST_REQUIRE(certificate.has_value());
          BOOST_TEST(certificate->r == r);
          BOOST_TEST(std::abs(certificate->C / C - 1) < 1e-9);                           // the least C that is true
          BOOST_TEST(certificate->C <= a[0] * std::pow(shift, r + 1) / r * (1 + 1e-9));  // c/r by comparison
          check_certificates(*process, 2 * memory);
        }
}

BOOST_AUTO_TEST_CASE(exponentials_follow_the_power_law) {
  // The rule h = 1 of the page is within 5 % for r >= 1; r = 0.5 has its slow end cut off.
  for (const double r : {1.0, 1.5, 2.0, 3.0})
    for (const double shift : {1.0, 10.0}) {
      const auto process = algebraic({r, shift, 20000}, 20000);
      const double c = 1 / std::sqrt(hurwitz(2 * r + 2, shift));
      for (const std::int64_t d : {1, 2, 3, 10, 100, 1000}) {
        const double exact = c * hurwitz(r + 1, static_cast<double>(d) + shift);
        BOOST_TEST(std::abs(process->phi(d) / exact - 1) < 0.05);
        const double wrong = c * hurwitz(r + 1, static_cast<double>(d) + shift + 1);  // power: one lag off
        if (static_cast<double>(d) + shift < 15) BOOST_TEST(std::abs(process->phi(d) / wrong - 1) > 0.05);
      }
      BOOST_TEST(std::abs(process->algebraic()->C / (c / r) - 1) < 0.05);
    }
  const auto slow = algebraic({0.5, 1, 100000});
  for (const std::int64_t d : {1, 10, 100, 1000})
    BOOST_TEST(std::abs(slow->phi(d) / (hurwitz(1.5, static_cast<double>(d) + 1) / std::sqrt(hurwitz(3, 1))) - 1) <
               0.25);
}

BOOST_AUTO_TEST_CASE(the_certified_C_bounds_phi_up_to_the_horizon) {  // B.4: the maximum over 1 <= d <= T
  const std::int64_t T = 20000;
  for (const double r : {0.3, 1.5, 4.0})
    for (const double shift : {1.0, 10.0, 300.0})
      for (const std::int64_t memory : {1, 30, 1000}) {
        const auto process = algebraic({r, shift, memory}, T);
        const auto certificate = process->algebraic();
        BOOST_REQUIRE(certificate.has_value());
        BOOST_TEST(certificate->r == r);
        check_certificates(*process, T);
        double up_to_memory = 0, up_to_T = 0, overall = 0;  // of phi_d d^r
        for (std::int64_t d = 1; d <= 100000000; d += 1 + d / 100) {
          overall = std::max(overall, process->phi(d) * std::pow(static_cast<double>(d), r));
          if (d <= T) up_to_T = overall;
          if (d <= memory) up_to_memory = overall;
        }
        BOOST_TEST(up_to_T <= certificate->C * (1 + 1e-9));
        BOOST_TEST(overall > 0.98 * certificate->C);  // not needlessly large either
        if (shift > 1 && memory < 1000 && r > 1) BOOST_TEST(up_to_T > 1.1 * up_to_memory);  // power: stop at the memory
        const auto uniform = algebraic({r, shift, memory, "exponentials", 0, "uniform"}, T);
        BOOST_TEST(std::abs(uniform->algebraic()->C / certificate->C / std::sqrt(3.0) - 1) < 1e-12);
        BOOST_TEST(std::abs(uniform->phi(7) / process->phi(7) / std::sqrt(3.0) - 1) < 1e-12);
      }
}

BOOST_AUTO_TEST_CASE(a_start_that_is_called_stationary_has_all_of_the_variance) {
  for (const double r : {0.5, 1.5})
    for (const double shift : {1.0, 10.0})
      for (const std::int64_t burn_in : {0, 8, 100, 2000, 100000}) {
        const auto process = algebraic({r, shift, 8, "exponentials", burn_in});
        double missing = 0, phi = process->phi(burn_in + 1);  // the sum of a_j^2 beyond the burn-in
        for (std::int64_t j = burn_in + 1; j < burn_in + 20000; ++j) {
          const double next = process->phi(j + 1);
          missing += (phi - next) * (phi - next);
          phi = next;
        }
        BOOST_TEST((!process->starts_stationary() || missing < 1e-6), "r " << r << " shift " << shift << " burn_in "
                                                                           << burn_in << ": round 1 has variance "
                                                                           << 1 - missing);
        if (burn_in == 100000) BOOST_TEST(process->starts_stationary());
        if (burn_in == 8 && shift > 1) BOOST_TEST(missing > 0.05);  // power: a burn-in as long as the memory
      }
}

BOOST_AUTO_TEST_CASE(a_cold_start_is_the_sum_over_the_rounds_so_far) {  // no chance of a false alarm
  for (const double r : {1.0, 2.0})
    for (const double shift : {1.0, 10.0}) {
      const auto process = algebraic({r, shift, 1000});
      BOOST_TEST(!process->starts_stationary());
      const std::size_t T = 600;
      auto a = weights_behind(*process, 100000, "rademacher");
      std::vector<double> first(1);
      process->start(random::Stream({test_seed(), 161, 0, random::Purpose::noise}))->next(first);
      BOOST_TEST(std::abs(std::abs(first[0]) - a[0]) < 1e-6);  // unit variance: a_0 from the variance and as it is
      a[0] = std::abs(first[0]);
      for (const auto& path : draw_paths(*process, 5, T, 161)) {
        BOOST_TEST(decoding_error(path, a) < 1e-9);
        auto wrong = a;  // power: a weight, all but the first weight, the lag
        wrong[3] *= 1.001;
        BOOST_TEST(decoding_error(path, wrong) > 1e-5);
        wrong = a;
        wrong.insert(wrong.begin() + 1, a[1]);
        BOOST_TEST(decoding_error(path, wrong) > 1e-3);
        wrong = a;
        wrong.resize(T / 2);
        BOOST_TEST(decoding_error(path, wrong) > 1e-8);  // power: a shorter memory
      }
    }
}

BOOST_AUTO_TEST_CASE(innovations_and_conditional_means_of_a_cold_start) {  // 2 x (5 + 3 x 2) comparisons at 6e-10
  const std::size_t T = 80;
  for (const std::string law : {"rademacher", "uniform"}) {
    const auto process = algebraic({1.5, 3, 1000, "exponentials", 0, law});
    const auto a = weights_behind(*process, 20000, law);
    const auto paths = draw_paths(*process, 20000, T, 162);
    Paths u;
    double worst = 0, error = 0;
    for (const auto& path : paths) {
      u.push_back(decoded(path, a, law == "rademacher", error));
      if (law == "rademacher") worst = std::max(worst, error);
      for (const double x : u.back()) worst = std::max(worst, std::abs(x) - 1);
    }
    BOOST_TEST(worst < 1e-6);
    BOOST_TEST(mean_z(u, 0, [](double x) { return x; }) < z_many);
    if (law == "uniform") {
      BOOST_TEST(mean_z(u, 1.0 / 3, [](double x) { return x * x; }) < z_many);
      BOOST_TEST(mean_z(u, 1.0 / 5, [](double x) { return x * x * x * x; }) < z_many);
    }
    BOOST_TEST(covariance_z(u, 1, 0) < z_many);
    BOOST_TEST(covariance_z(u, 3, 0) < z_many);
    BOOST_TEST(covariance_z(u, 1, 0.01 * innovation_variance(law)) > z_many);  // power: a correlation of 0.01
    for (const std::size_t d : {1u, 2u, 5u}) {
      const auto mean = [&](std::size_t i, std::size_t from) {  // sum_{j>=from} a_j u_{t-j} at the last round
        double sum = 0;
        for (std::size_t j = from; j < T; ++j) sum += a[j] * u[i][T - 1 - j];
        return sum;
      };
      const auto z = [&](std::size_t from, int which) {  // regression on the mean itself and on its sign
        Paths products;
        for (std::size_t i = 0; i < paths.size(); ++i) {
          const double m = mean(i, from);
          products.push_back({(paths[i][T - 1] - m) * (which ? (m > 0 ? 1 : -1) : m)});
        }
        return mean_z(products, 0, [](double x) { return x; });
      };
      BOOST_TEST(z(d, 0) < z_many);
      BOOST_TEST(z(d, 1) < z_many);
      double largest = 0;
      for (std::size_t i = 0; i < paths.size(); ++i) largest = std::max(largest, std::abs(mean(i, d)));
      BOOST_TEST(largest <= process->phi(static_cast<std::int64_t>(d)) + 1e-9);
      // power: twice the mean, and the mean of a lag less shifted by a round
      Paths doubled, shifted;
      for (std::size_t i = 0; i < paths.size(); ++i) {
        const double m = mean(i, d);
        doubled.push_back({(paths[i][T - 1] - 2 * m) * m});
        double late = 0;
        for (std::size_t j = d; j < T; ++j) late += a[j - 1] * u[i][T - 1 - j];
        shifted.push_back({(paths[i][T - 1] - late) * late});
      }
      BOOST_TEST(mean_z(doubled, 0, [](double x) { return x; }) > z_many);
      if (d < 5) BOOST_TEST(mean_z(shifted, 0, [](double x) { return x; }) > z_many);
    }
  }
}

BOOST_AUTO_TEST_CASE(signs_behind_the_convolution_exist_and_attain_phi) {
  // a pattern of 9 signs is missing among 200000 rounds with probability below exp(-200000/(9 512)) = 1.5e-19
  const auto process = algebraic({1, 2, 8, "fft"});
  const auto a = power_law(1, 2, 8, "rademacher");
  std::vector<double> path(200000);
  process->start(random::Stream({test_seed(), 163, 0, random::Purpose::noise}))->next(path);
  const auto u = decoded_stationary(path, a);
  BOOST_REQUIRE(u.size() == path.size() + 8);
  for (std::size_t d = 1; d <= 8; ++d) {
    double largest = 0;
    for (std::size_t t = 0; t < path.size(); ++t) {
      double mean = 0;
      for (std::size_t j = d; j <= 8; ++j) mean += a[j] * u[t + 8 - j];
      largest = std::max(largest, std::abs(mean));
    }
    BOOST_TEST(std::abs(largest - process->phi(static_cast<std::int64_t>(d))) < 1e-10);
  }
  for (const std::size_t k : {1u, 2u, 8u}) {  // 4 comparisons at 6e-10
    double mean = 0, product = 0;
    for (std::size_t i = k; i < u.size(); ++i) mean += u[i], product += u[i] * u[i - k];
    const double se = std::sqrt(static_cast<double>(u.size() - k));
    BOOST_TEST(std::abs(mean / se) < z_many);
    BOOST_TEST(std::abs(product / se) < z_many);
  }
  BOOST_TEST(decoded_stationary(path, power_law(1, 2, 7, "rademacher")).empty());      // power: memory one less
  BOOST_TEST(decoded_stationary(path, power_law(1.001, 2, 8, "rademacher")).empty());  // power: r wrong by 0.1 %
  BOOST_TEST(decoded_stationary(path, power_law(1, 3, 8, "rademacher")).empty());      // power: shift one more
}

BOOST_AUTO_TEST_CASE(autocovariances_of_both_generators) {  // 2 x 2 x 8 comparisons at 6e-10
  const std::vector<std::size_t> lags = {0, 1, 2, 5, 10, 30};
  for (const std::string generator : {"exponentials", "fft"})
    for (const std::string law : {"rademacher", "uniform"}) {
      const Case c{1.5, 3, 150, generator, 150, law};
      const auto process = algebraic(c);
      if (generator == "fft") BOOST_TEST(process->starts_stationary());
      const auto a = generator == "fft" ? power_law(1.5, 3, 150, law) : weights_behind(*process, 20000, law);
      const auto paths = draw_paths(*process, 8000, 50, generator == "fft" ? 164 : 165);
      const auto z = [&](const Paths& sample, const std::vector<double>& weights) {
        return worst_covariance_z(sample, lags, [&](std::size_t k) { return covariance(weights, k, law); });
      };
      BOOST_TEST(mean_z(paths, 0, [](double x) { return x; }) < z_many);
      BOOST_TEST(z(paths, a) < z_many);
      BOOST_TEST(z(scaled(paths, 1.04), a) > z_many);              // power: 4 % too large
      BOOST_TEST(z(paths, power_law(1.3, 3, 150, law)) > z_many);  // power: r wrong by 0.2
      BOOST_TEST(z(paths, power_law(1.5, 4, 150, law)) > z_many);  // power: shift wrong by 1
      BOOST_TEST(same_law_z(paths, 0, 49) < z_many);               // stationary; power: next case
      BOOST_TEST(worst_mgf_z(paths, 1) < z_many);                  // one-sided
      BOOST_TEST(worst_mgf_z(scaled(paths, 1.1), 1) > z_many);     // power: 10 % too large
    }
}

BOOST_AUTO_TEST_CASE(generators_agree_in_law) {  // 2 x 9 comparisons at 6e-10
  for (const auto& [r, shift] : {std::pair{1.5, 2.0}, std::pair{1.0, 1.0}}) {
    const Case exponentials{r, shift, 150, "exponentials", 150}, fft{r, shift, 150, "fft"};
    const auto first = algebraic(exponentials), second = algebraic(fft);
    // beyond its memory the convolution has nothing, the other c/r 150^-r: compare where that is small
    const double cut = second->algebraic()->C * std::pow(150, -r) * 1.5;
    for (const std::int64_t d : {1, 2, 3, 5, 10, 20, 50})
      BOOST_TEST(std::abs(first->phi(d) - second->phi(d)) < 0.02 * second->phi(d) + cut);
    BOOST_TEST(std::abs(first->phi(1) - second->phi(2)) > 0.02 * second->phi(1) + cut);  // power: one lag off
    const auto z = [](const Paths& one, const Paths& other) {
      double worst = 0;
      for (const std::size_t k : {0u, 1u, 2u, 5u, 15u, 40u})
        worst = std::max(worst, two_sample_z(one, other, [&](const auto& path) {
                           double sum = 0;
                           for (std::size_t t = k; t < path.size(); ++t) sum += path[t] * path[t - k];
                           return sum;
                         }));
      worst = std::max(worst, two_sample_z(one, other, [](const auto& path) {  // variance of the sum: all lags
                         double sum = 0;
                         for (const double eps : path) sum += eps;
                         return sum * sum;
                       }));
      worst = std::max(worst, two_sample_z(one, other, [](const auto& path) { return path[0] > 0.9 ? 1.0 : 0.0; }));
      return std::max(worst, two_sample_z(one, other, [](const auto& path) { return std::cos(path[49] + path[0]); }));
    };
    const auto one = draw_paths(*first, 6000, 60, 166), other = draw_paths(*second, 6000, 60, 167);
    BOOST_TEST(z(one, other) < z_many);
    BOOST_TEST(z(one, scaled(other, 1.05)) > z_many);  // power: scale, r, shift
    BOOST_TEST(z(one, draw_paths(*algebraic({r + 0.4, shift, 150, "fft"}), 6000, 60, 168)) > z_many);
    BOOST_TEST(z(one, draw_paths(*algebraic({r, shift + 1, 150, "fft"}), 6000, 60, 169)) > z_many);
  }
}

BOOST_AUTO_TEST_CASE(variance_of_an_early_round_counts_the_rounds_so_far) {  // 2 x 3 comparisons at 6e-10
  // Round t (from 1) after burn_in rounds sums over j < t + burn_in.
  for (const std::int64_t burn_in : {0, 8}) {
    const auto process = algebraic({0.5, 10, 8, "exponentials", burn_in});
    const auto a = weights_behind(*process, 200000, "rademacher");
    const auto paths = draw_paths(*process, 40000, 50, 170);
    const auto variance = [&](std::size_t t) {
      double sum = 0;
      for (std::size_t j = 0; j < t + static_cast<std::size_t>(burn_in); ++j) sum += a[j] * a[j];
      return sum;
    };
    for (const std::size_t t : {2u, 10u, 50u}) {
      const auto square = [&](const auto& path) { return path[t - 1] * path[t - 1]; };
      BOOST_TEST(std::abs(z_score(paths, variance(t), square)) < z_many);
      if (t < 50) BOOST_TEST(std::abs(z_score(paths, 1, square)) > z_many);  // power: not yet the stationary variance
      if (t == 2) BOOST_TEST(std::abs(z_score(paths, variance(t + 3), square)) > z_many);  // power: three rounds off
    }
    for (const std::size_t t : {0u, 10u})  // and every round is centred
      BOOST_TEST(std::abs(z_score(paths, 0, [&](const auto& path) { return path[t]; })) < z_many);
    BOOST_TEST(same_law_z(paths, 0, 49) > z_many);  // power of the check of stationarity
  }
}

BOOST_AUTO_TEST_CASE(blocks_and_horizon_do_not_matter) {
  for (const std::string generator : {"exponentials", "fft"})
    for (const std::int64_t memory : {1, 100, 5000}) {
      const Case c{1.5, 10, memory, generator, memory == 100 ? 100 : 0, memory == 1 ? "uniform" : "rademacher"};
      check_blocks(*algebraic(c), 20000);
      check_law_is_free_of_T("algebraic", parameters_of(c));
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
