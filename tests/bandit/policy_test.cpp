#include "mixlab/bandit/policy.h"

#include <boost/test/unit_test.hpp>

#include "mixlab/bandit/arms.h"
#include "mixlab/bandit/delay.h"
#include "mixlab/bandit/problem.h"
#include "mixlab/core/error.h"
#include "noise/laws.h"

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

BOOST_AUTO_TEST_SUITE(arms)

Attachments files;

BOOST_AUTO_TEST_CASE(families) {
  random::Stream stream = test_stream(62);
  const arma::mat circle = make_arms("circle:8", 2, files)->draw({}, stream);
  BOOST_TEST(circle.n_cols == 8u);
  for (arma::uword k = 0; k < 8; ++k) {
    BOOST_TEST(std::abs(arma::norm(circle.col(k)) - 1) < 1e-15);
    BOOST_TEST(std::abs(arma::dot(circle.col(k), circle.col((k + 1) % 8)) - std::sqrt(0.5)) < 1e-15);
  }
  const arma::mat sphere = make_arms("sphere:50", 7, files)->draw({}, stream);
  BOOST_TEST(sphere.n_cols == 50u);
  for (arma::uword k = 0; k < 50; ++k) BOOST_TEST(std::abs(arma::norm(sphere.col(k)) - 1) < 1e-14);
  BOOST_TEST(arma::norm(make_arms("basis", 4, files)->draw({}, stream) - arma::eye(4, 4)) == 0);
  BOOST_TEST(make_arms("sphere:5", 3, files)->random());
  for (const std::string bad : {"circle", "circle:0", "circle:x", "circle:2:3", "basis:3", "sphr:3", ""})
    BOOST_CHECK_THROW(make_arms(bad, 2, files), KeyError);
  BOOST_CHECK_THROW(make_arms("circle:8", 3, files), KeyError);
}

BOOST_AUTO_TEST_CASE(gap_is_exact_and_the_best_arm_is_anywhere) {
  random::Stream stream = test_stream(64);
  std::vector<int> places(6);
  for (int repeat = 0; repeat < 600; ++repeat) {
    const int p = static_cast<int>(integer_in(stream, 1, 6));
    const arma::vec theta = 0.8 * draw_direction(p, stream);
    const Instance instance = make_instance(theta, make_arms("gap:6:0.25", p, files)->draw(theta, stream));
    BOOST_TEST(std::abs(minimum_gap(instance) - 0.25) < 1e-12);
    BOOST_TEST(instance.best > 0.8 - 1e-12);
    for (arma::uword k = 0; k < 6; ++k) BOOST_TEST(arma::norm(instance.arms.col(k)) < 1 + 1e-12);
    ++places[instance.means.index_max()];
  }
  for (const int n : places) BOOST_TEST(n > 30);
  BOOST_CHECK_THROW(make_arms("gap:6:2", 3, files)->draw(arma::vec{0.1, 0, 0}, stream), KeyError);
  for (const std::string bad : {"gap", "gap:6", "gap:1:0.1", "gap:6:0", "gap:6:-1", "gap:6:x"})
    BOOST_CHECK_THROW(make_arms(bad, 2, files), KeyError);
}

BOOST_AUTO_TEST_CASE(directions_are_uniform) {  // second moment I/p; false alarm below 1e-6
  random::Stream stream = test_stream(63);
  const int n = 100000;
  double first = 0, fourth = 0;
  for (int i = 0; i < n; ++i) {
    const arma::vec x = draw_direction(3, stream);
    first += x(0);
    fourth += std::pow(x(1), 4);
  }
  BOOST_TEST(std::abs(first / n) < z_alarm * std::sqrt(1.0 / 3 / n));
  BOOST_TEST(std::abs(fourth / n - 0.2) <
             z_alarm * std::sqrt((1.0 / 9 - 0.04) / n));  // E x^4 = 3/(p(p+2)), E x^8 = 1/9
}

BOOST_AUTO_TEST_SUITE_END()

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
