// What the lanes engine plays in the ball, and over an ellipsoid that is cut with one, against Armadillo.
#define MIXLAB_LANES ball_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/ball.h"
#include "engine/lanes/optimism.h"
#include "engine/lanes/ridge.h"
#include "mixlab/bandit/arms.h"
#include "mixlab/bandit/policy.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine::lanes::ball_test;

namespace {

constexpr double lambda = 0.3;

template <int P>
void check_widths(random::Stream& stream, int p) {
  constexpr int n = 5;
  const auto samples = random_vectors<P>(stream, n, p), x = random_vectors<P>(stream, 1, p);
  Ridge<P> ridge;
  ridge.start(p, lambda, x.data());
  Absorbed<P> block;
  block.n = n;
  for (int r = 0; r < n; ++r) {
    ridge.absorb(samples.data() + r * P, V(0.0), nowhere());
    copy<P>(block.vx + r * P, ridge.runs().u());
    block.gain[r] = ridge.runs().gain();
  }
  ridge.end_runs();
  for (int l = 0; l < width; ++l) {
    const arma::vec own_x = lane_of(x.data(), p, l);
    arma::mat V_r = lambda * arma::eye(own_x.n_elem, own_x.n_elem);
    for (int r = 0; r < n; ++r) {
      const arma::vec sample = lane_of(samples.data() + r * P, p, l);
      V_r += sample * sample.t();
      const double truth = arma::dot(own_x, arma::solve(V_r, own_x));
      BOOST_TEST(std::abs(width2_after<P>(r, block, ridge.inverse(), x.data())[l] - truth) <= 1e-11 * truth);
    }
  }
}

template <int P>
void check_optimism(random::Stream& stream, int p, double B) {
  constexpr int n = 7, K = 6;
  const auto samples = random_vectors<P>(stream, n, p), centre = random_vectors<P>(stream, 1, p),
             arms = random_vectors<P>(stream, K, p);
  V beta;
  for (int l = 0; l < width; ++l) beta.set(l, uniform_in(stream, 0.05, 1));
  Optimism<P> optimism;
  optimism.start({p, lambda, B});
  for (int r = 0; r < n; ++r) optimism.absorb(samples.data() + r * P);
  V x[P];
  optimism.choose_longest(centre.data(), beta, x);
  const Choice choice = optimism.choose_arms(centre.data(), beta, arms.data(), K);
  for (int i = p; i < P; ++i) BOOST_TEST(x[i][0] == 0);
  for (int l = 0; l < width; ++l) {
    const auto size = static_cast<arma::uword>(p);
    arma::mat Lambda(size, size, arma::fill::zeros), own_arms(size, K);
    for (int r = 0; r < n; ++r)
      Lambda += lane_of(samples.data() + r * P, p, l) * lane_of(samples.data() + r * P, p, l).t();
    for (int k = 0; k < K; ++k) own_arms.col(static_cast<arma::uword>(k)) = lane_of(arms.data() + k * P, p, l);
    const bandit::Ellipsoid ellipsoid(Lambda, lambda, lane_of(centre.data(), p, l), beta[l] * beta[l]);
    const arma::vec truth = bandit::direction_of(ellipsoid.longest_in_ball(B));
    BOOST_TEST(arma::norm(lane_of(x, p, l) - truth) <= 1e-9);
    const arma::vec ucb = bandit::ellipsoid_ball_ucb(ellipsoid, own_arms, B);
    BOOST_TEST(static_cast<arma::uword>(choice.arm[l]) == bandit::lowest_near_best(ucb));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_ball)

BOOST_AUTO_TEST_CASE(directions) {
  V theta[3] = {V(0.0), V(0.0), V(0.0)}, x[3];
  theta[1].set(0, -2.0);
  direction_of<3>(theta, x);
  BOOST_TEST(arma::norm(lane_of(x, 3, 0) - arma::vec{0, -1, 0}) == 0);
  BOOST_TEST(arma::norm(lane_of(x, 3, 1) - arma::vec{1, 0, 0}) == 0);  // of 0: the first unit vector
  for (const std::int64_t t : {1, 2, 3, 4}) {
    unit_vector<3>(t, 2, x);
    BOOST_TEST(arma::norm(lane_of(x, 3, 0) - (t % 2 ? arma::vec{1, 0, 0} : arma::vec{0, 1, 0})) == 0);
  }
  std::vector<random::Stream> streams = {test_stream(7301), test_stream(7302)};
  std::vector<random::Stream> again = streams;
  draw_directions<3>(2, streams, x);
  for (int l = 0; l < width; ++l)
    BOOST_TEST(arma::norm(lane_of(x, 2, l) - bandit::draw_direction(2, again[static_cast<std::size_t>(l)])) == 0);
}

BOOST_AUTO_TEST_CASE(widths_of_earlier_rounds) {
  random::Stream stream = test_stream(7303);
  for (int repeat = 0; repeat < 20; ++repeat) {
    check_widths<2>(stream, 1 + repeat % 2);
    check_widths<10>(stream, 9 + repeat % 2);
    check_widths<16>(stream, 13 + repeat % 4);
  }
}

BOOST_AUTO_TEST_CASE(optimism_of_a_lane) {
  random::Stream stream = test_stream(7304);
  for (int repeat = 0; repeat < 20; ++repeat)
    for (const double B : {0.3, 1.0, std::numeric_limits<double>::infinity()}) {
      check_optimism<3>(stream, 2 + repeat % 2, B);
      check_optimism<16>(stream, 13 + repeat % 4, B);
    }
}

/// Along the longest axis the centre has no part, or hardly any: what the solver leaves to the reference.
BOOST_AUTO_TEST_CASE(optimism_without_a_direction) {
  for (const double part : {0.0, 1e-13, 1e-9})
    for (const double B : {1.0, std::numeric_limits<double>::infinity()}) BOOST_TEST_CONTEXT(part << " in " << B) {
        Optimism<3> optimism;
        optimism.start({3, lambda, B});
        const V sample[3] = {V(0.8), V(0.0), V(0.0)}, other[3] = {V(0.0), V(0.1), V(0.0)};
        optimism.absorb(sample);
        optimism.absorb(other);
        const V centre[3] = {V(0.1), V(0.0), V(part)};
        V x[3];
        optimism.choose_longest(centre, V(0.4), x);
        const arma::mat Lambda = arma::diagmat(arma::vec{0.64, 0.01, 0});
        const bandit::Ellipsoid ellipsoid(Lambda, lambda, arma::vec{0.1, 0, part}, 0.16);
        BOOST_TEST(arma::norm(lane_of(x, 3, 0) - bandit::direction_of(ellipsoid.longest_in_ball(B))) <= 1e-8);
      }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
