#include "mixlab/engine/experiment.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "engine/experiments_of.h"
#include "mixlab/engine/reference.h"
#include "mixlab/engine/trace.h"

using namespace mixlab;
using namespace mixlab::engine;

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(experiment)

BOOST_AUTO_TEST_CASE(default_lag_is_the_delay_of_the_sets_or_one) {
  const auto experiments = experiments_of(
      "[study]\nhorizon=5000\n[noise]\nrho=0.9\n[policy]\nname=mixing-linucb, linucb, greedy\ndelay=own, 7, 100000\n");
  const std::int64_t lags[] = {75, 7, 5000, 1, 7, 5000, 1, 7, 5000};
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    BOOST_TEST(experiments[i].lag == lags[i]);
    BOOST_TEST(experiments[i].d == 75);
    BOOST_TEST(experiments[i].notes.empty() == (lags[i] != 5000));
  }
}

BOOST_AUTO_TEST_CASE(policies_share_the_noise_and_the_instance) {
  const auto experiments = experiments_of(
      "[study]\nhorizon=50\n[noise]\nrho=0.9\n[problem]\narms=sphere:5\n[policy]\nname=mixing-linucb, linucb\n");
  Trace a, b;
  run_reference(experiments[0], 5, &a);
  run_reference(experiments[1], 5, &b);
  BOOST_TEST(arma::norm(a.noise - b.noise) == 0);
  BOOST_TEST(arma::norm(a.theta_star - b.theta_star) == 0);
  BOOST_TEST(arma::norm(a.arms.slice(0) - b.arms.slice(0)) == 0);
  Trace other;
  run_reference(experiments[0], 6, &other);
  BOOST_TEST(arma::norm(a.theta_star - other.theta_star) > 0);
}

BOOST_AUTO_TEST_CASE(draw_cell_gives_one_instance) {
  const auto experiments =
      experiments_of("[study]\nhorizon=5\n[noise]\nrho=0.9\n[problem]\narms=sphere:5\ndraw=cell\n");
  const auto a = experiments[0].instance(0);
  const auto b = experiments[0].instance(7);
  BOOST_TEST(arma::norm(a.theta - b.theta) == 0);
  BOOST_TEST(arma::norm(a.arms - b.arms) == 0);
  BOOST_TEST(experiments[0].gap_bound(5) > 0);
  BOOST_TEST(std::isnan(experiments_of("[noise]\nrho=0.9\n")[0].gap_bound(5)));
}

BOOST_AUTO_TEST_CASE(regret_theorem_only_where_it_applies) {
  const auto experiments =
      experiments_of("[noise]\nprocess=iid, sticky\nrho=0.9\n[policy]\nname=mixing-linucb, linucb\n");
  BOOST_REQUIRE(experiments.size() == 4u);
  BOOST_TEST(experiments[0].regret_theorem_applies);
  BOOST_TEST(experiments[1].regret_theorem_applies);
  BOOST_TEST(experiments[2].regret_theorem_applies);
  BOOST_TEST(!experiments[3].regret_theorem_applies);
  BOOST_TEST(std::isnan(experiments[3].worst_case_bound(10)));
  for (std::int64_t t = 1; t < 100; ++t)
    BOOST_TEST(experiments[2].worst_case_bound(t + 1) >= experiments[2].worst_case_bound(t));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
