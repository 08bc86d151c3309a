#include "mixlab/rare/selection.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "groups.h"
#include "mixlab/rare/twisted.h"
#include "one_arm.h"

using namespace mixlab;
using namespace mixlab::rare;

namespace {

constexpr int n_threads = 2;

/// Two sizes each way, 50 paths in a population.
Aim aim_at(double delta, std::int64_t round) {
  return {.target = {0, delta},
          .mixture = {{{{1}, 0}, {{-1}, 0.2}, {{1}, 0.2}, {{-1}, 0.5}, {{1}, 0.5}}, {2, 15, 15, 9, 9}},
          .log_ratio = 12,
          .round = round};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rare)
BOOST_AUTO_TEST_SUITE(selections)

// Without the factor for the selections that a path came through, the mean would be several times the truth.
BOOST_AUTO_TEST_CASE(populations_are_right_on_average) {
  const OneArm arm{.rho = 0.5, .d = 3, .T = 60};
  for (const std::string set : {"tight", "selfnorm"}) {
    const auto experiment = arm.experiment(set);
    const Aim aim = aim_at(0.01, 55);
    std::vector<Repetition> populations(long_form() ? 10000 : 250);
    for_each_path(0, static_cast<std::int64_t>(populations.size()), n_threads, [&](std::int64_t i) {
      populations[static_cast<std::size_t>(i)] = run_selection(experiment, aim, static_cast<int>(i), 1);
    });
    const double truth = set == "tight" ? arm.tight(0.01) : arm.selfnorm(0.01);
    ratio_to(truth, "selected", populations, 0);
    if (long_form() && set == "tight") intervals_cover(truth, "selected", populations, 0);
  }
}

BOOST_AUTO_TEST_CASE(threads_do_not_matter) {
  const OneArm arm{.rho = 0.5, .d = 3, .T = 60};
  const auto experiment = arm.experiment("tight");
  const Aim aim = aim_at(0.1, 40);
  const Repetition one = run_selection(experiment, aim, 3, 1), two = run_selection(experiment, aim, 3, 2);
  BOOST_TEST(one.log_estimates == two.log_estimates);
  BOOST_TEST(one.n_paths == two.n_paths);
  BOOST_TEST((run_selection(experiment, aim, 4, 2).log_estimates != one.log_estimates));
}

BOOST_AUTO_TEST_CASE(aims_where_paths_were_found) {
  const Mixture mixture{{{{1}, 0}, {{1}, 1}, {{-1}, 1}, {{-1}, 2}}, {20, 20, 20, 20}};
  std::vector<PathRow> rows;
  for (std::int32_t i = 0; i < 80; ++i) {
    const std::int32_t c = i / 20;
    const bool hit = c == 2 || (c == 3 && i % 2 == 0);
    rows.push_back({c, {hit ? -30.0 : -std::numeric_limits<double>::infinity()}, {hit ? 100 + i : 0}});
  }
  const Aim aim = take_aim(mixture, rows, {1, 0.05}, 0, 100);
  BOOST_TEST(aim.target.set == 1);
  BOOST_REQUIRE(aim.mixture.components.size() == 3);
  BOOST_TEST(aim.mixture.components[0].eta == 0);
  BOOST_TEST((aim.mixture.components[1] == mixture.components[2]));
  BOOST_TEST(aim.mixture.total() == 100);
  BOOST_TEST(std::abs(aim.mixture.n_paths[1] - 2 * aim.mixture.n_paths[2]) <= 2);
  BOOST_TEST(aim.log_ratio == 30, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(aim.round > 160);
  BOOST_TEST(aim.round < 180);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
