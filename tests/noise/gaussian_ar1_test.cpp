#include <boost/test/unit_test.hpp>

#include "checks.h"

using namespace mixlab;

namespace {

Values parameters_of(double rho, double guarantee_delta = 0.01) {
  Values parameters;
  parameters.set("rho", rho);
  parameters.set("guarantee_delta", guarantee_delta);
  return parameters;
}

std::unique_ptr<const noise::Process> gaussian_ar1(double rho, double guarantee_delta = 0.01, std::int64_t T = 100000) {
  return make_process("gaussian-ar1", parameters_of(rho, guarantee_delta), T);
}

/// b of MATHEMATICS.md B.3.
double truncation(double T, double guarantee_delta) {
  return std::sqrt(2 * std::log(2 * T / guarantee_delta));
}

const std::vector<double> correlations = {0.9, -0.6, 0.3};

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(gaussian_ar1_outside)

BOOST_AUTO_TEST_CASE(truncated_certificate_is_the_closed_form) {
  for (const double rho : correlations)
    for (const double T : {100.0, 100000.0})
      for (const double delta : {0.01, 0.5}) {
        const auto process = gaussian_ar1(rho, delta, static_cast<std::int64_t>(T));
        BOOST_TEST(process->sigma() == 1);
        BOOST_TEST(!process->outside_assumption().empty());
        BOOST_TEST(!process->phi_is_exact());  // the exact phi_d is infinite
        BOOST_TEST(process->starts_stationary());
        for (const std::int64_t d : {1, 2, 9, 40})
          BOOST_TEST(std::abs(process->phi(d) / (truncation(T, delta) * power(std::abs(rho), d)) - 1) < 1e-12);
        const auto certificate = process->geometric();
        BOOST_REQUIRE(certificate.has_value());
        BOOST_TEST(std::abs(certificate->C / truncation(T, delta) - 1) < 1e-13);
        BOOST_TEST(std::abs(certificate->tau * std::log(1 / std::abs(rho)) - 1) < 1e-13);
        check_certificates(*process, 2000);
      }
}

BOOST_AUTO_TEST_CASE(the_range_behind_phi_is_left_as_rarely_as_promised) {  // Hoeffding, false alarm 1e-7 each
  const int T = 100, n = 4000;
  for (const double rho : {0.9, 0.0}) {
    const auto paths = draw_paths(*gaussian_ar1(rho), n, T, 121);
    const auto exits = [&](double b) {
      double count = 0;
      for (const auto& path : paths)
        count += std::any_of(path.begin(), path.end(), [&](double eps) { return std::abs(eps) > b; });
      return count / n;
    };
    for (const double delta : {0.5, 0.1, 0.01}) BOOST_TEST(exits(truncation(T, delta)) < delta + hoeffding_alarm(n));
    BOOST_TEST(exits(truncation(1, 0.1)) > 0.1 + hoeffding_alarm(n));  // power: the union over rounds forgotten
  }
}

BOOST_AUTO_TEST_CASE(autocovariance_is_rho_to_the_k) {  // 3 x 7 comparisons at 6e-10
  const std::vector<std::size_t> lags = {0, 1, 2, 3, 7, 20};
  for (const double rho : correlations) {
    const auto paths = draw_paths(*gaussian_ar1(rho), 20000, 40, 122);
    const auto theory = [](double r) { return [r](std::size_t k) { return power(r, static_cast<std::int64_t>(k)); }; };
    BOOST_TEST(mean_z(paths, 0, [](double x) { return x; }) < z_many);
    BOOST_TEST(worst_covariance_z(paths, lags, theory(rho)) < z_many);
    BOOST_TEST(worst_covariance_z(paths, lags, theory(rho + 0.02)) > z_many);         // power: rho wrong by 0.02
    BOOST_TEST(worst_covariance_z(scaled(paths, 1.03), lags, theory(rho)) > z_many);  // power: 3 % too large
  }
}

BOOST_AUTO_TEST_CASE(innovations_are_independent_normals) {  // 3 x 8 comparisons at 6e-10
  for (const double rho : correlations) {
    const auto paths = draw_paths(*gaussian_ar1(rho), 20000, 30, 123);
    const auto innovations = [&](double r) {
      Paths g;
      for (const auto& path : paths) {
        g.emplace_back();
        for (std::size_t t = 1; t < path.size(); ++t)
          g.back().push_back((path[t] - r * path[t - 1]) / std::sqrt(1 - r * r));
      }
      return g;
    };
    const auto worst = [](const Paths& g) {
      double z = 0;
      z = std::max(z, mean_z(g, 0, [](double x) { return x; }));
      z = std::max(z, mean_z(g, 1, [](double x) { return x * x; }));
      z = std::max(z, mean_z(g, 0, [](double x) { return x * x * x; }));
      z = std::max(z, mean_z(g, 3, [](double x) { return x * x * x * x; }));
      z = std::max(z, mean_z(g, std::erfc(1 / std::sqrt(2.0)), [](double x) { return std::abs(x) > 1 ? 1.0 : 0; }));
      for (const std::size_t k : {1u, 2u, 5u}) z = std::max(z, covariance_z(g, k, 0));
      return z;
    };
    BOOST_TEST(worst(innovations(rho)) < z_many);
    BOOST_TEST(worst(innovations(rho + 0.02)) > z_many);  // power: rho wrong by 0.02
    BOOST_TEST(worst(innovations(0)) > z_many);           // power: the dependence forgotten
  }
}

BOOST_AUTO_TEST_CASE(conditional_mean_and_law_given_the_past) {  // 3 x 3 x (6 + 18) comparisons at 6e-10
  for (const double rho : correlations) {
    const auto paths = draw_paths(*gaussian_ar1(rho), 20000, 40, 124);
    for (const std::size_t d : {1u, 2u, 6u}) {
      const auto lag = static_cast<std::int64_t>(d);
      const auto mean = [&](double factor) {
        return [=](const auto& path, std::size_t t) { return factor * path[t - d]; };
      };
      BOOST_TEST(conditional_mean_z(paths, d, mean(power(rho, lag))) < z_many);
      BOOST_TEST(conditional_mgf_z(paths, d, 1, mean(power(rho, lag))) < z_many);
      if (std::abs(power(rho, lag)) > 0.2) BOOST_TEST(conditional_mean_z(paths, d, mean(power(rho, lag + 1))) > z_many);
    }
    // given the past at lag d the variance is 1 - rho^2d: a tighter sigma passes, 10 % below that does not (power)
    const double s = std::sqrt(1 - power(rho, 4));
    const auto mean = [&](const auto& path, std::size_t t) { return rho * rho * path[t - 2]; };
    BOOST_TEST(conditional_mgf_z(paths, 2, s, mean) < z_many);
    BOOST_TEST(conditional_mgf_z(paths, 2, 0.9 * s, mean) > z_many);
  }
}

BOOST_AUTO_TEST_CASE(moment_generating_function_is_that_of_a_normal) {  // 3 x 8 comparisons at 6e-10
  for (const double rho : correlations) {
    const auto paths = draw_paths(*gaussian_ar1(rho), 20000, 20, 125);
    for (const double lambda : {-1.0, -0.5, 0.5, 1.0}) {
      const double normal = std::exp(lambda * lambda / 2);
      BOOST_TEST(mean_z(paths, normal, [&](double x) { return std::exp(lambda * x); }) < z_many);
      BOOST_TEST(mean_z(paths, std::cosh(lambda), [&](double x) { return std::exp(lambda * x); }) >
                 (std::abs(lambda) < 1 ? 0 : z_many));  // power: not that of signs
    }
    BOOST_TEST(worst_mgf_z(scaled(paths, 1.05), 1) > z_many);  // power: 5 % too large
  }
}

BOOST_AUTO_TEST_CASE(starts_stationary) {  // 2 x 12 comparisons at 6e-10
  for (const double rho : {0.9, -0.6}) {
    auto paths = draw_paths(*gaussian_ar1(rho), 20000, 50, 126);
    BOOST_TEST(same_law_z(paths, 0, 49) < z_many);
    BOOST_TEST(same_law_z(paths, 0, 1) < z_many);
    for (auto& path : paths) path[0] *= std::sqrt(1 - rho * rho);  // power: a start from 0
    BOOST_TEST(same_law_z(paths, 0, 49) > z_many);
  }
}

BOOST_AUTO_TEST_CASE(blocks_and_horizon_do_not_matter) {
  for (const double rho : correlations) {
    check_blocks(*gaussian_ar1(rho), 3000);
    check_law_is_free_of_T("gaussian-ar1", parameters_of(rho));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
