#include <boost/test/unit_test.hpp>

#include "laws.h"
#include "mixlab/core/catalogue.h"
#include "mixlab/core/error.h"

using namespace mixlab;

namespace {

std::unique_ptr<const noise::Process> sticky(double rho) {
  Values parameters;
  parameters.set("rho", rho);
  return make_process("sticky", parameters);
}

/// Flips a path makes, in units of standard errors from what rho predicts.
double flip_z(double rho_of_process, double rho_of_theory) {
  const int T = 1000;
  const auto paths = draw_paths(*sticky(rho_of_process), 4000, T, 21);
  double flips = 0;
  for (const auto& path : paths)
    for (std::size_t t = 1; t < path.size(); ++t) flips += path[t] != path[t - 1];
  const double n = 4000.0 * (T - 1);
  const double q = (1 - rho_of_theory) / 2;
  return (flips - n * q) / std::sqrt(n * q * (1 - q));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(sticky_chain)

BOOST_AUTO_TEST_CASE(flips_with_the_probability_it_says) {  // flips are i.i.d.; false alarm 1e-7 per value of rho
  for (const double rho : {-0.5, 0.0, 0.3, 0.9, 0.98}) BOOST_TEST(std::abs(flip_z(rho, rho)) < z_alarm);
  BOOST_TEST(std::abs(flip_z(0.9, 0.898)) > z_alarm);  // power: rho wrong by 0.002
}

BOOST_AUTO_TEST_CASE(flips_do_not_remember) {  // two in a row, three rounds of calm; false alarm 1e-7 each
  for (const double rho : {-0.5, 0.0, 0.9}) {
    const double q = (1 - rho) / 2;
    const auto paths = draw_paths(*sticky(rho), 200000, 4, 24);
    const auto flips = [](const std::vector<double>& path, std::size_t t) { return path[t] != path[t - 1]; };
    BOOST_TEST(std::abs(z_score(paths, q * q, [&](const auto& path) { return flips(path, 1) && flips(path, 2); })) <
               z_alarm);
    const auto calm = [&](const auto& path) { return !flips(path, 1) && !flips(path, 2) && !flips(path, 3); };
    BOOST_TEST(std::abs(z_score(paths, std::pow(1 - q, 3), calm)) < z_alarm);
  }
}

BOOST_AUTO_TEST_CASE(conditional_mean_is_rho_to_the_d) {  // by state; Hoeffding, false alarm 1e-7 each
  const double rho = 0.9;
  const auto process = sticky(rho);
  const int n = 200000;
  const auto paths = draw_paths(*process, n, 21, 22);
  for (const std::size_t d : {1u, 2u, 5u, 20u})
    for (const double state : {-1.0, 1.0}) {
      double sum = 0, count = 0;
      for (const auto& path : paths)
        if (path[20 - d] == state) {
          sum += path[20];
          ++count;
        }
      const double expected = std::pow(rho, static_cast<double>(d)) * state;
      BOOST_TEST(std::abs(sum / count - expected) < 2 * hoeffding_alarm(count));
      BOOST_TEST(std::abs(process->phi(static_cast<std::int64_t>(d)) - std::abs(expected)) < 1e-15);
      BOOST_TEST(std::abs(sum / count - expected / rho) >
                 2 * hoeffding_alarm(count) * (d < 20 ? 1 : 0.1));  // power: one lag off
    }
}

BOOST_AUTO_TEST_CASE(starts_and_stays_fair) {
  const auto paths = draw_paths(*sticky(0.9), 100000, 40, 23);
  for (const std::size_t t : {0u, 1u, 39u})
    BOOST_TEST(std::abs(z_score(paths, 0, [&](const auto& path) { return path[t]; })) < z_alarm);
}

BOOST_AUTO_TEST_CASE(certificate_bounds_phi) {
  for (const double rho : {-0.7, 0.2, 0.9}) {
    const auto process = sticky(rho);
    const auto certificate = process->geometric();
    BOOST_REQUIRE(certificate.has_value());
    for (std::int64_t d = 1; d < 100; ++d)
      BOOST_TEST(process->phi(d) <= certificate->C * std::exp(-static_cast<double>(d) / certificate->tau) * (1 + 1e-9));
  }
  BOOST_TEST(!sticky(0)->geometric().has_value());
  BOOST_TEST(sticky(0)->phi(1) == 0);
}

BOOST_AUTO_TEST_CASE(rho_or_tau_but_not_both) {
  const Entry* entry = catalogue().find(Kind::noise, "sticky");
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
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
