#include "mixlab/bandit/lag_path.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "noise/laws.h"
#include "oracle_table.h"

using namespace mixlab;
using namespace mixlab::bandit;
using noise::Fields;

namespace {

std::unique_ptr<const noise::Process> process(const std::string& name,
                                              const std::vector<std::pair<std::string, Value>>& parameters) {
  Values values;
  for (const auto& [key, value] : parameters) values.set(key, value);
  return make_process(name, values, 5000);
}

std::unique_ptr<const noise::Process> correlated(const std::string& name, double rho,
                                                 const std::string& law = "rademacher") {
  return process(name, {{"rho", rho}, {"law", law}, {"guarantee_delta", 0.01}});
}

std::vector<std::unique_ptr<const noise::Process>> many_processes() {
  std::vector<std::unique_ptr<const noise::Process>> all;
  for (const double rho : {0.3, 0.9, -0.7})
    for (const char* name : {"sticky", "ar1", "gaussian-ar1"}) all.push_back(correlated(name, rho));
  all.push_back(correlated("ar1", 0.8, "uniform"));
  all.push_back(process("iid", {{"law", std::string("gaussian")}}));
  all.push_back(
      process("moving-average", {{"weights", std::string("1 -0.5 0.25 2")}, {"law", std::string("uniform")}}));
  for (const char* generator : {"exponentials", "fft"})
    for (const std::int64_t burn_in : {0, 50})
      all.push_back(process("algebraic", {{"r", 0.8},
                                          {"shift", 3.0},
                                          {"generator", std::string(generator)},
                                          {"memory", std::int64_t{500}},
                                          {"burn_in", burn_in},
                                          {"law", std::string("rademacher")}}));
  all.push_back(process("block-repeat", {{"length", std::int64_t{5}}, {"law", std::string("gaussian")}}));
  all.push_back(process("frozen-sign", {{"frozen", 0.3}, {"law", std::string("gaussian")}}));
  all.push_back(process("markov", {{"transition", std::string("0.9 0.1 0 / 0.2 0.7 0.1 / 0 0.4 0.6")},
                                   {"values", std::string("1 -2 0.5")}}));
  return all;
}

/// The least D over all 2^{d-1} paths to d.
double least_D(const LagCertificate& certificate, std::int64_t d, Fields fields) {
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t stops = 0; stops < std::int64_t{1} << (d - 1); ++stops) {
    double sum = 0;
    std::int64_t from = 0;
    for (std::int64_t lag = 1; lag <= d; ++lag) {
      if (lag < d && !(stops >> (lag - 1) & 1)) continue;
      sum += certificate.proxy(from, lag, fields) * std::sqrt(static_cast<double>(lag - from));
      from = lag;
    }
    least = std::min(least, sum * sum);
  }
  return least;
}

std::vector<std::int64_t> lags_of(const LagPath& path) {
  std::vector<std::int64_t> lags;
  for (const LagLevel& level : path.levels) lags.push_back(level.lag);
  lags.push_back(path.end);
  return lags;
}

using Lags = std::vector<std::int64_t>;

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(lag_path)

BOOST_AUTO_TEST_CASE(shortest_paths_agree_with_brute_force) {
  for (const auto& noise : many_processes())
    for (const Fields fields : {Fields::one_sided, Fields::two_sided}) {
      const LagCertificate certificate(*noise, 1.7);
      if (!std::isfinite(certificate.proxy(0, 1, fields))) continue;
      for (std::int64_t d = 1; d <= 14; ++d) {
        const double D = certificate.shortest_path(d, fields).D();
        BOOST_TEST(std::abs(D - least_D(certificate, d, fields)) <= 1e-12 * D);
      }
    }
}

BOOST_AUTO_TEST_CASE(shortest_paths_agree_with_the_oracle) {
  for (const OracleLine& line : oracle_table("lag_paths.csv")) {
    const auto noise = correlated(line.text("process"), line.real("rho"));
    const LagCertificate certificate(*noise, line.real("scale"));
    const Fields fields = line.text("fields") == "one" ? Fields::one_sided : Fields::two_sided;
    const LagPath path = certificate.shortest_path(line.integer("d"), fields);
    BOOST_TEST(std::abs(path.D() - line.real("D")) <= 1e-12 * line.real("D"));
    if (line.text("lags").empty()) continue;
    Lags lags;
    for (const auto& lag : split_blanks(line.text("lags"))) lags.push_back(std::stoll(lag));
    // another path may be as good up to rounding
    BOOST_TEST(std::abs(given_lags(certificate, lags, fields).D() - path.D()) <= 1e-12 * path.D());
  }
}

BOOST_AUTO_TEST_CASE(known_paths) {
  const auto near = [](double x, double y) { return std::abs(x - y) <= 6e-4 * y; };
  const auto sticky = correlated("sticky", 0.9);
  const LagCertificate certificate(*sticky);
  const LagPath one_sided = certificate.shortest_path(75, Fields::one_sided);
  const LagPath two_sided = certificate.shortest_path(75, Fields::two_sided);
  BOOST_TEST((lags_of(one_sided) == Lags{0, 12, 24, 36, 48, 61, 75}));
  BOOST_TEST((lags_of(two_sided) == Lags{0, 11, 22, 33, 44, 55, 65, 75}));
  BOOST_TEST((near(one_sided.D(), 23.289) && near(two_sided.D(), 22.557)));
  BOOST_TEST(near(equal_steps(certificate, 75, 12, Fields::one_sided).D(),
                  12 * std::pow((1 - std::pow(0.9, 72)) / (1 - std::pow(0.9, 12)), 2)));

  const auto half = correlated("sticky", 0.5), slow = correlated("sticky", 0.98), ar1 = correlated("ar1", 0.9);
  BOOST_TEST((lags_of(LagCertificate(*half).shortest_path(12, Fields::one_sided)) == Lags{0, 2, 4, 6, 8, 10, 12}));
  BOOST_TEST(near(LagCertificate(*half).shortest_path(12, Fields::one_sided).D(), 3.554));
  BOOST_TEST(near(LagCertificate(*half).shortest_path(12, Fields::two_sided).D(), 3.479));
  BOOST_TEST(near(LagCertificate(*slow).shortest_path(388, Fields::one_sided).D(), 121.45));
  BOOST_TEST(near(LagCertificate(*slow).shortest_path(388, Fields::two_sided).D(), 117.58));
  BOOST_TEST(near(LagCertificate(*ar1).shortest_path(75, Fields::two_sided).D(),
                  1.9 / 0.1 * std::pow(1 - std::pow(0.9, 75), 2)));
  BOOST_TEST((lags_of(LagCertificate(*ar1).shortest_path(75, Fields::one_sided)) == Lags{0, 30, 42, 54, 65, 75}));
  BOOST_TEST(near(LagCertificate(*ar1).shortest_path(75, Fields::one_sided).D(), 40.470));
  const auto repeated = process("block-repeat", {{"length", std::int64_t{7}}, {"law", std::string("gaussian")}});
  for (const std::int64_t d : {7, 8, 20})
    BOOST_TEST(near(LagCertificate(*repeated).shortest_path(d, Fields::one_sided).D(), 7));
}

BOOST_AUTO_TEST_CASE(long_paths_lose_little_on_the_grid) {
  const auto noise = correlated("sticky", 0.999);
  const LagCertificate certificate(*noise);
  const LagPath path = certificate.shortest_path(9000, Fields::one_sided);
  const double tau = -1 / std::log(0.999);
  BOOST_TEST(path.D() >= 2.4554 * tau * (1 - 1e-3));
  BOOST_TEST(path.D() <= 2.4554 * tau * (1 + 5e-3));
}

/// Where proxies add, and only there.
BOOST_AUTO_TEST_CASE(proxies_add_where_they_say_so) {
  for (const auto& noise : many_processes())
    for (const Fields fields : {Fields::one_sided, Fields::two_sided}) {
      if (!noise->proxies_add(fields)) continue;
      for (const std::int64_t l : {0, 1, 5})
        for (const std::int64_t m : {l + 1, l + 2, l + 9}) {
          double sum = 0;
          for (std::int64_t lag = l; lag < m; ++lag) sum += std::pow(noise->proxy(lag, lag + 1, fields), 2);
          BOOST_TEST(std::abs(std::sqrt(sum) - noise->proxy(l, m, fields)) <= 1e-10 * std::sqrt(sum));
        }
    }
}

/// The difference of two conditional means of a sticky sign has two values: its moment generating function is known, the
/// proxy bounds it, and nothing smaller does.
BOOST_AUTO_TEST_CASE(kearns_saul_is_sharp_for_sticky_signs) {
  for (const double rho : {0.2, 0.9, -0.6})
    for (const std::int64_t l : {0, 2})
      for (const std::int64_t n : {1, 4}) {
        const auto noise = correlated("sticky", rho);
        const double proxy = noise->proxy(l, l + n, Fields::two_sided);
        const double mean = std::pow(rho, n), size = std::pow(std::abs(rho), l);
        double largest = 0;  // of 2 log E exp(x D)/(x^2 proxy^2)
        for (double x = -30; x <= 30; x += 0.01) {
          if (std::abs(x) < 0.005) continue;
          const double up = (1 + mean) / 2 * std::exp(x * size * (1 - mean));
          const double down = (1 - mean) / 2 * std::exp(-x * size * (1 + mean));
          largest = std::max(largest, 2 * std::log(up + down) / (x * x * proxy * proxy));
        }
        BOOST_TEST(largest <= 1 + 1e-9);
        BOOST_TEST(largest >= 1 - 1e-4);
      }
}

BOOST_AUTO_TEST_CASE(endless_paths) {
  const auto sticky = correlated("sticky", 0.9), ar1 = correlated("ar1", 0.9);
  const InfiniteLagPath path = best_infinite_path(LagCertificate(*sticky), Fields::one_sided);
  BOOST_TEST(path.step == 12);
  BOOST_TEST(std::abs(path.D - 12 / std::pow(1 - std::pow(0.9, 12), 2)) <= 1e-10 * path.D);
  // unit steps of AR(1): the long-run variance
  BOOST_TEST(std::abs(best_infinite_path(LagCertificate(*ar1), Fields::two_sided).D - 19) <= 1e-9);
  const auto repeated = process("block-repeat", {{"length", std::int64_t{7}}, {"law", std::string("gaussian")}});
  BOOST_TEST(best_infinite_path(LagCertificate(*repeated), Fields::one_sided).step == 7);
  BOOST_TEST(std::abs(best_infinite_path(LagCertificate(*repeated), Fields::one_sided).D - 7) <= 1e-12);
  const auto frozen = process("frozen-sign", {{"frozen", 0.3}, {"law", std::string("gaussian")}});
  BOOST_TEST(!best_infinite_path(LagCertificate(*frozen), Fields::one_sided).exists());
  for (const auto& noise : many_processes())
    for (const Fields fields : {Fields::one_sided, Fields::two_sided})
      for (const std::int64_t step : {1, 3, 12}) {
        const LagCertificate certificate(*noise);
        const InfiniteLagPath endless = infinite_path(certificate, step, fields);
        if (!endless.exists()) continue;
        BOOST_TEST(endless.D >= equal_steps(certificate, 600, step, fields).D() * (1 - 1e-12));
        if (noise->geometric()) BOOST_TEST(endless.D <= equal_steps(certificate, 3000, step, fields).D() * (1 + 1e-9));
      }
}

BOOST_AUTO_TEST_CASE(factors_scale_what_is_known_of_later_lags) {
  const auto sticky = correlated("sticky", 0.9);
  const LagCertificate plain(*sticky, 2), half(*sticky, 2, 0.5), twice(*sticky, 2, 2), declared(*sticky, 2, 1, 0.25);
  for (const Fields fields : {Fields::one_sided, Fields::two_sided}) {
    BOOST_TEST(half.proxy(0, 3, fields) == plain.proxy(0, 3, fields));
    BOOST_TEST(half.proxy(3, 9, fields) == 0.5 * plain.proxy(3, 9, fields));
  }
  BOOST_TEST(twice.proxy(1, 2, Fields::one_sided) == 2);  // sigma is certified at every lag
  BOOST_TEST((half.bias(7) == 0.5 * plain.bias(7) && plain.bias(7) == 2 * sticky->phi(7)));
  BOOST_TEST((declared.bias(1) == 0.25 && declared.bias(9) == 0.25));
  BOOST_TEST(declared.proxy(3, 9, Fields::one_sided) == plain.proxy(3, 9, Fields::one_sided));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
