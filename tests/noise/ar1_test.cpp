#include <boost/test/unit_test.hpp>

#include "checks.h"
#include "mixlab/core/error.h"

using namespace mixlab;

namespace {

Values ar1_parameters(double rho, const std::string& law) {
  Values parameters;
  parameters.set("rho", rho);
  parameters.set("law", law);
  return parameters;
}

std::unique_ptr<const noise::Process> ar1(double rho, const std::string& law) {
  return make_process("ar1", ar1_parameters(rho, law));
}

/// a of MATHEMATICS.md B.3.
double bound(double rho, const std::string& law) {
  return std::sqrt((1 + std::abs(rho)) / (1 - std::abs(rho)) / innovation_variance(law));
}

/// The innovations behind a path if the recursion with this rho and a is true: rounds 2, 3, ...
std::vector<double> innovations(const std::vector<double>& path, double rho, double a, std::size_t lag = 1) {
  std::vector<double> u;
  for (std::size_t t = lag; t < path.size(); ++t)
    u.push_back((path[t] - rho * path[t - lag]) / ((1 - std::abs(rho)) * a));
  return u;
}

/// The largest distance of |u| from 1.
double off_sign(const std::vector<double>& u) {
  double worst = 0;
  for (const double x : u) worst = std::max(worst, std::abs(std::abs(x) - 1));
  return worst;
}

struct Case {
  double rho;
  std::string law;
};
const std::vector<Case> cases = {{0.9, "rademacher"}, {-0.6, "rademacher"}, {0.3, "uniform"}, {-0.8, "uniform"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(ar1_bounded)

BOOST_AUTO_TEST_CASE(certificate_is_the_closed_form) {
  for (const auto& [rho, law] : cases) {
    const auto process = ar1(rho, law);
    const double a = bound(rho, law);
    BOOST_TEST(process->sigma() == 1);
    BOOST_TEST(process->phi_is_exact());
    BOOST_TEST(process->starts_stationary());
    BOOST_TEST(process->outside_assumption().empty());
    BOOST_TEST(!process->reactive());
    BOOST_TEST(!process->algebraic().has_value());
    for (const std::int64_t d : {1, 2, 3, 10, 57})
      BOOST_TEST(std::abs(process->phi(d) / (a * power(std::abs(rho), d)) - 1) < 1e-12);
    const auto certificate = process->geometric();
    BOOST_REQUIRE(certificate.has_value());
    BOOST_TEST(std::abs(certificate->C / a - 1) < 1e-14);
    BOOST_TEST(std::abs(certificate->tau * std::log(1 / std::abs(rho)) - 1) < 1e-14);
    check_certificates(*process, 2000);
  }
  BOOST_TEST(std::abs(ar1(0.9, "rademacher")->geometric()->C - 4.359) < 5e-4);  // numbers of the page
  BOOST_TEST(std::abs(ar1(0.9, "uniform")->geometric()->C - 7.550) < 5e-4);
  for (const std::string law : {"rademacher", "uniform"}) {  // no memory
    BOOST_TEST(ar1(0, law)->phi(1) == 0);
    BOOST_TEST(!ar1(0, law)->geometric().has_value());
  }
}

BOOST_AUTO_TEST_CASE(every_step_follows_the_recursion) {  // no chance of a false alarm
  for (const double rho : {0.9, -0.6, 0.99, 0.0}) {
    const double a = bound(rho, "rademacher");
    for (const auto& path : draw_paths(*ar1(rho, "rademacher"), 20, 500, 101)) {
      BOOST_TEST(off_sign(innovations(path, rho, a)) < 1e-11);
      BOOST_TEST(off_sign(innovations(path, rho + 0.001, a)) > 1e-4);              // power: rho wrong by 0.001
      BOOST_TEST(off_sign(innovations(path, rho, 1.001 * a)) > 1e-4);              // power: scale wrong by 0.1 %
      BOOST_TEST(off_sign(innovations(path, rho, a, 2)) > (rho != 0 ? 0.1 : -1));  // power: one lag off
    }
  }
  for (const double rho : {0.9, -0.6}) {  // uniform innovations stay in [-1, 1] and come near the ends
    const double a = bound(rho, "uniform");
    double largest = 0, largest_wrong = 0;
    for (const auto& path : draw_paths(*ar1(rho, "uniform"), 20, 500, 102)) {
      for (const double u : innovations(path, rho, a)) largest = std::max(largest, std::abs(u));
      for (const double u : innovations(path, 1.02 * rho, a)) largest_wrong = std::max(largest_wrong, std::abs(u));
    }
    BOOST_TEST(largest <= 1 + 1e-11);
    BOOST_TEST(largest > 0.99);         // fails with probability .99^10000 = 2e-44
    BOOST_TEST(largest_wrong > 1.001);  // power: rho 2 % too large
  }
}

BOOST_AUTO_TEST_CASE(innovations_are_independent_with_the_law_they_say) {  // 20 comparisons at 6e-10
  for (const auto& [rho, law] : cases) {
    const double a = bound(rho, law), s2 = innovation_variance(law);
    const auto paths = draw_paths(*ar1(rho, law), 10000, 40, 103);
    Paths u;
    for (const auto& path : paths) u.push_back(innovations(path, rho, a));
    BOOST_TEST(mean_z(u, 0, [](double x) { return x; }) < z_many);
    if (law == "uniform") {
      BOOST_TEST(mean_z(u, 1.0 / 3, [](double x) { return x * x; }) < z_many);
      BOOST_TEST(mean_z(u, 1.0 / 5, [](double x) { return x * x * x * x; }) < z_many);
      BOOST_TEST(mean_z(u, s2 * 1.03, [](double x) { return x * x; }) > z_many);  // power
    }
    BOOST_TEST(covariance_z(u, 1, 0) < z_many);
    BOOST_TEST(covariance_z(u, 2, 0) < z_many);
    BOOST_TEST(covariance_z(u, 1, 0.02 * s2) > z_many);                  // power: a correlation of 0.02
    BOOST_TEST(std::abs(z_score(paths, 0, [r = rho](const auto& path) {  // the next innovation and the first round
                 return path[0] * (path[1] - r * path[0]);
               })) < z_many);
  }
}

BOOST_AUTO_TEST_CASE(autocovariance_is_rho_to_the_k) {  // 4 x 6 comparisons at 6e-10
  const std::vector<std::size_t> lags = {0, 1, 2, 3, 7, 20};
  for (const auto& [rho, law] : cases) {
    const auto paths = draw_paths(*ar1(rho, law), 15000, 40, 104);
    const auto theory = [](double r) { return [r](std::size_t k) { return power(r, static_cast<std::int64_t>(k)); }; };
    BOOST_TEST(mean_z(paths, 0, [](double x) { return x; }) < z_many);
    BOOST_TEST(worst_covariance_z(paths, lags, theory(rho)) < z_many);
    BOOST_TEST(worst_covariance_z(paths, lags, theory(rho + 0.02)) > z_many);         // power: rho wrong by 0.02
    BOOST_TEST(worst_covariance_z(scaled(paths, 1.03), lags, theory(rho)) > z_many);  // power: 3 % too large
    BOOST_TEST(worst_covariance_z(paths, lags, [r = rho](std::size_t k) {
                 return power(r, static_cast<std::int64_t>(k) + 1);
               }) > z_many);  // power: one lag off
  }
}

BOOST_AUTO_TEST_CASE(conditional_mean_is_rho_to_the_d_times_the_state) {  // 4 x 4 x 6 comparisons at 6e-10
  for (const auto& [rho, law] : cases) {
    const auto paths = draw_paths(*ar1(rho, law), 20000, 40, 105);
    for (const std::size_t d : {1u, 2u, 5u, 9u}) {
      const auto mean = [&](double factor) {
        return [=](const auto& path, std::size_t t) { return factor * path[t - d]; };
      };
      const auto lag = static_cast<std::int64_t>(d);
      BOOST_TEST(conditional_mean_z(paths, d, mean(power(rho, lag))) < z_many);
      if (std::abs(power(rho, lag)) > 0.1) {  // power: one lag off, and rho off by 0.03
        BOOST_TEST(conditional_mean_z(paths, d, mean(power(rho, lag + 1))) > z_many);
        BOOST_TEST(conditional_mean_z(paths, d, mean(power(rho + 0.03, lag))) > z_many);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(phi_is_attained_and_never_passed) {
  // eps_{t-d} comes near a after k equal (rho < 0: alternating) signs, of probability 2^(1-k): among 2e6 rounds a run of
  // 12 is missing with probability below exp(-2e6/(12 2^12)) = 2e-18
  for (const double rho : {0.5, -0.5}) {
    const auto process = ar1(rho, "rademacher");
    double largest = 0;
    for (const auto& path : draw_paths(*process, 2000, 1000, 106))
      for (const double eps : path) largest = std::max(largest, std::abs(eps));
    for (const std::int64_t d : {1, 4}) {
      const double bias = power(0.5, d) * largest;
      BOOST_TEST(bias <= process->phi(d) * (1 + 1e-12));
      BOOST_TEST(bias > process->phi(d) * (1 - std::pow(0.5, 11)));
      BOOST_TEST(bias < 1.001 * process->phi(d) * (1 - std::pow(0.5, 11)));  // power: phi 0.1 % larger is not attained
    }
  }
  for (const auto& path : draw_paths(*ar1(0.9, "uniform"), 500, 200, 107))
    for (const double eps : path) BOOST_REQUIRE(std::abs(eps) <= bound(0.9, "uniform"));
}

BOOST_AUTO_TEST_CASE(sub_gaussian_marginally_and_given_the_past) {  // 4 x (6 + 36) one-sided comparisons at 3e-10
  for (const auto& [rho, law] : cases) {
    const auto paths = draw_paths(*ar1(rho, law), 20000, 20, 108);
    BOOST_TEST(worst_mgf_z(paths, 1) < z_many);
    BOOST_TEST(worst_mgf_z(scaled(paths, 1.1), 1) > z_many);  // power: 10 % too large
    for (const std::size_t d : {1u, 4u}) {
      const double factor = power(rho, static_cast<std::int64_t>(d));
      const auto mean = [&](const auto& path, std::size_t t) { return factor * path[t - d]; };
      BOOST_TEST(conditional_mgf_z(paths, d, 1, mean) < z_many);
    }
    BOOST_TEST(conditional_mgf_z(scaled(paths, 2.5), 4, 1, [r = rho](const auto& path, std::size_t t) {  // power
                 return power(r, 4) * path[t - 4];
               }) > z_many);
  }
}

BOOST_AUTO_TEST_CASE(starts_stationary) {  // 3 x 12 comparisons at 6e-10
  for (const auto& [rho, law] : {Case{0.9, "rademacher"}, Case{-0.6, "rademacher"}, Case{0.97, "uniform"}}) {
    auto paths = draw_paths(*ar1(rho, law), 10000, 50, 109);
    BOOST_TEST(same_law_z(paths, 0, 49) < z_many);
    BOOST_TEST(same_law_z(paths, 0, 1) < z_many);
    for (auto& path : paths) {  // power: the same innovations from eps_0 = 0
      const auto u = innovations(path, rho, 1);
      path[0] = u[0] * (1 - std::abs(rho));
      for (std::size_t t = 1; t < path.size(); ++t)
        path[t] = rho * path[t - 1] + (1 - std::abs(rho)) * u[std::min(t, u.size() - 1)];
    }
    BOOST_TEST(same_law_z(paths, 0, 49) > z_many);
  }
}

BOOST_AUTO_TEST_CASE(a_very_long_memory_starts_somewhere_admissible) {  // no chance of a false alarm
  const double rho = std::exp(-1e-6), a = bound(rho, "rademacher");
  const auto process = ar1(rho, "rademacher");
  BOOST_TEST(!process->starts_stationary());  // after fewer than 4e7 rounds
  for (const auto& path : draw_paths(*process, 5, 1000, 110)) {
    BOOST_TEST(std::abs(path[0]) <= a);
    BOOST_TEST(off_sign(innovations(path, rho, a)) < 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(blocks_and_horizon_do_not_matter) {
  for (const auto& [rho, law] : cases) {
    check_blocks(*ar1(rho, law), 3000);
    check_law_is_free_of_T("ar1", ar1_parameters(rho, law));
  }
}

BOOST_AUTO_TEST_CASE(rho_or_tau_but_not_both) {
  for (const std::string name : {"ar1", "gaussian-ar1"}) {
    const Entry* entry = catalogue().find(Kind::noise, name);
    BOOST_REQUIRE(entry != nullptr);
    Values none;
    BOOST_CHECK_THROW(entry->complete(none), KeyError);
    Values both;
    both.set("rho", 0.5);
    both.set("tau", 2.0);
    BOOST_CHECK_THROW(entry->complete(both), KeyError);
    Values by_tau;
    by_tau.set("tau", 10.0);
    entry->complete(by_tau);
    BOOST_TEST(by_tau.real("rho") == std::exp(-0.1));
    Values by_rho;
    by_rho.set("rho", -0.5);
    entry->complete(by_rho);
    BOOST_TEST(by_rho.real("rho") == -0.5);
    BOOST_TEST(std::abs(by_rho.real("tau") - 1 / std::log(2)) < 1e-15);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
