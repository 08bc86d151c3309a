#include "mixlab/bandit/policy.h"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "mixlab/bandit/arms.h"
#include "mixlab/bandit/confidence_set.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::bandit;

BOOST_AUTO_TEST_SUITE(bandit)
BOOST_AUTO_TEST_SUITE(policy)

BOOST_AUTO_TEST_CASE(ellipsoid_ucb_is_the_maximum_over_the_set) {
  random::Stream stream = test_stream(61);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const int p = static_cast<int>(integer_in(stream, 1, 6));
    Regression data(p, 1, {0.7});
    const int n = static_cast<int>(integer_in(stream, 1, 30));
    for (int i = 0; i < n; ++i) data.absorb(draw_direction(p, stream), normal_in(stream));
    arma::mat arms(static_cast<arma::uword>(p), 5);
    for (arma::uword k = 0; k < 5; ++k) arms.col(k) = draw_direction(p, stream);
    for (const std::string name : {"paper", "oful"}) {
      const auto set = confidence_sets().find(name)->make({.p = p, .d = 3, .lambda = 0.7});
      const arma::vec scores = ellipsoid_ucb({1, arms, data, data.ridge(0), *set, data.theta_hat()});
      const double radius2 = set->radius2(n, data.ridge(0).logdet);
      const arma::vec centre = name == "oful" ? data.ridge(0).theta : data.theta_hat();
      const arma::mat V = data.Lambda() + 0.7 * arma::eye(arms.n_rows, arms.n_rows);
      for (arma::uword k = 0; k < 5; ++k) {
        // attained by a point of the set ...
        const arma::vec direction = arma::solve(V, arms.col(k));
        const arma::vec best = centre + std::sqrt(radius2 / arma::dot(arms.col(k), direction)) * direction;
        BOOST_TEST(std::abs(set->distance2(best, data, data.ridge(0)) - radius2) <= 1e-9 * radius2);
        BOOST_TEST(std::abs(arma::dot(best, arms.col(k)) - scores(k)) <= 1e-9 * std::max(1.0, std::abs(scores(k))));
        // ... and exceeded by none
        const arma::mat root = arma::chol(V);
        for (int sample = 0; sample < 50; ++sample) {
          const arma::vec other =
              centre + std::sqrt(radius2) * arma::solve(arma::trimatu(root), draw_direction(p, stream));
          BOOST_TEST(arma::dot(other, arms.col(k)) <= scores(k) + 1e-9 * std::max(1.0, std::abs(scores(k))));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(near_ties_fall_to_the_lowest_index) {
  BOOST_TEST(lowest_near_best({1.0, 2.0, 2.0 + 1e-9, 1.5}) == 1u);
  BOOST_TEST(lowest_near_best({1.0, 2.0, 2.0 + 1e-7, 1.5}) == 2u);
  BOOST_TEST(lowest_near_best({1e4, 1e4 + 5e-5}) == 0u);
  BOOST_TEST(lowest_near_best({-1e4 - 5e-5, -1e4}) == 0u);
  BOOST_TEST(lowest_near_best({-3.0}) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
