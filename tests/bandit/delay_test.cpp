#include "mixlab/bandit/delay.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/bandit/confidence_set.h"
#include "mixlab/core/error.h"
#include "noise/laws.h"

using namespace mixlab;
using namespace mixlab::bandit;

namespace {

/// As confidence.lags takes it.
std::string lags_text(const LagPath& path) {
  std::string text;
  for (const LagLevel& level : path.levels) text += std::to_string(level.lag) + " ";
  return text + std::to_string(path.end);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(delay)

BOOST_AUTO_TEST_CASE(paper_rule) {
  Values rho;
  rho.set("rho", 0.9);
  const auto sticky = make_process("sticky", rho);
  BOOST_TEST(choose_delay("paper", {2, 1, 1, 5000, *sticky}).d == 75);  // ceil(9.4912 log 2500) = ceil(74.26)
  BOOST_TEST(choose_delay("paper", {2, 1, 1, 1, *sticky}).d == 1);      // log(1/2) < 0
  const Delay cut = choose_delay("paper", {1, 1e3, 1, 20, *sticky});
  BOOST_TEST(cut.d == 20);
  BOOST_TEST(!cut.note.empty());
  const std::int64_t d = choose_delay("paper", {3, 0.5, 2, 10000, *sticky}).d;
  BOOST_TEST(2 * sticky->phi(d) <= 2 * 3 / (0.5 / 2 * 10000) * (1 + 1e-9));  // phi_d <= sigma p/((B/sigma) T)
  Values law;
  law.set("law", std::string("gaussian"));
  BOOST_TEST(choose_delay("paper", {2, 1, 1, 5000, *make_process("iid", law)}).d == 1);
  BOOST_TEST(choose_delay("12", {2, 1, 1, 5000, *sticky}).d == 12);
  BOOST_CHECK_THROW(choose_delay("0", {2, 1, 1, 5000, *sticky}), KeyError);
  BOOST_CHECK_THROW(choose_delay("papr", {2, 1, 1, 5000, *sticky}), KeyError);
}

BOOST_AUTO_TEST_CASE(balanced_and_auto_against_brute_force) {
  Values rho;
  rho.set("rho", 0.8);
  const auto sticky = make_process("sticky", rho);
  for (const std::int64_t T : {10, 500, 4000}) {
    std::int64_t balanced = 1;
    while (static_cast<double>(balanced) < static_cast<double>(T) * sticky->phi(balanced)) ++balanced;
    BOOST_TEST(choose_delay("balanced", {2, 1, 3, T, *sticky}).d == std::min(balanced, T));
    const auto radius2 = [&](std::int64_t d) {
      return confidence_sets().find("tight")->make({.p = 2, .phi = sticky->phi(d), .d = d})->radius2(T, 0);
    };
    std::int64_t best = 1;
    for (std::int64_t d = 2; d <= T; ++d)
      if (radius2(d) < radius2(best)) best = d;
    BOOST_TEST(choose_delay("auto", {2, 1, 1, T, *sticky, radius2}).d == best);
  }
}

/// The known delay of the example cell of MATHEMATICS.md, and the definition.
BOOST_AUTO_TEST_CASE(short_is_the_first_delay_near_the_least_radius) {
  Values rho;
  rho.set("rho", 0.9);
  const auto sticky = make_process("sticky", rho);
  const LagCertificate lags(*sticky);
  for (const auto& [path, expected] : std::map<std::string, std::int64_t>{{"shortest", 49}, {"step:12", 60}}) {
    const auto radius2 = [&, &path = path](std::int64_t d) {
      SetConstants c{.p = 2, .phi = sticky->phi(d), .d = d, .T = 5000, .lags = &lags};
      c.parameters.set("proxies", std::string("phi"));
      c.parameters.set(
          "lags", path == "shortest" || d < 12 ? lags_text(lags.shortest_path(d, noise::Fields::one_sided)) : path);
      const SetMaker& telescope = *confidence_sets().find("telescope");
      c.lambda = telescope.default_lambda(c);
      return telescope.make(c)->radius2(5000, largest_logdet(2, c.lambda, 5000));
    };
    BOOST_TEST(choose_delay("short", {2, 1, 1, 200, *sticky, radius2}).d == expected);
    const double least = radius2(choose_delay("auto", {2, 1, 1, 200, *sticky, radius2}).d);
    BOOST_TEST((radius2(expected) <= 1.03 * least && radius2(expected - 1) > 1.03 * least));
  }
}

BOOST_AUTO_TEST_CASE(
    algebraic_rules) {  // MATHEMATICS.md B.4: 3648 and 206 with C = 121, a little less with finite memory
  Values parameters;
  parameters.set("r", 1.5);
  parameters.set("shift", 10.0);
  parameters.set("generator", std::string("fft"));
  parameters.set("memory", std::int64_t{20000});
  parameters.set("law", std::string("rademacher"));
  const auto process = make_process("algebraic", parameters);
  BOOST_TEST(std::abs(static_cast<double>(choose_delay("paper", {2, 1, 1, 5000, *process}).d) - 3648) < 100);
  BOOST_TEST(std::abs(static_cast<double>(choose_delay("balanced", {2, 1, 1, 5000, *process}).d) - 206) <= 3);
  const auto scaled = choose_delay("balanced", {2, 1, 7, 5000, *process});  // everything in units of sigma
  BOOST_TEST(scaled.d == choose_delay("balanced", {2, 1, 1, 5000, *process}).d);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
