// The arms of largest upper confidence bound over an ellipsoid cut with the ball, round after round, against Armadillo.
#define MIXLAB_LANES cut_ellipsoid_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/cut_ellipsoid.h"
#include "mixlab/bandit/policy.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine::lanes::cut_ellipsoid_test;

namespace {

constexpr double lambda = 0.3;
constexpr int K = 9;

struct Seen {
  int n = 0, n_found = 0;
  int n_below = 0, n_sphere = 0, n_whole = 0;  ///< where k is finite, infinite, 0
};

/// Arms stay (`n_rounds_same` rounds), the samples are the arms chosen. One arm is there twice; it may be the one that was
/// chosen last, and then the other one has the same right.
template <int P>
void check(random::Stream& stream, int p, double B, int n_rounds_same, Seen& seen) {
  CutEllipsoid<P> cut;
  cut.start({p, lambda, B});
  Symmetric<P> Lambda;
  for (auto& entry : Lambda.a) entry = 0.0;
  const auto draw_centre = [&] {  // mostly in the ball
    auto centre = random_vectors<P>(stream, 1, p);
    for (auto& component : centre) component = B / std::sqrt(0.15 * p) * component;
    return centre;
  };
  auto centre = draw_centre();
  V beta = random_lanes(stream, 0.05, 4);
  std::vector<V> arms;
  Ldl<P> room;
  for (int t = 0; t < 60; ++t) {
    if (t % n_rounds_same == 0) {
      arms = random_vectors<P>(stream, K, p);
      const auto twice = integer_in(stream, 0, K - 2), again = integer_in(stream, twice + 1, K - 1);
      copy<P>(arms.data() + again * P, arms.data() + twice * P);
    }
    if (t % 15 == 0) {
      centre = draw_centre();
      beta = random_lanes(stream, 0.05, 4);
    }
    const auto step = random_vectors<P>(stream, 1, p);
    for (std::size_t i = 0; i < P; ++i) centre[i] = centre[i] + 0.02 * B * step[i];
    Choice choice;
    const V found = select(cut.choose(Lambda, centre.data(), beta, arms.data(), K, room, choice), V(1.0), V(0.0));
    V x[P];
    for (int l = 0; l < width; ++l) {
      const auto size = static_cast<arma::uword>(p);
      arma::mat own(size, K);
      for (int k = 0; k < K; ++k) own.col(static_cast<arma::uword>(k)) = lane_of(arms.data() + k * P, p, l);
      const bandit::Ellipsoid ellipsoid(lane_of<P>(Lambda, p, l), lambda, lane_of(centre.data(), p, l),
                                        beta[l] * beta[l]);
      const arma::vec ucb = bandit::ellipsoid_ball_ucb(ellipsoid, own, B);
      const arma::uword best = bandit::lowest_near_best(ucb);
      ++seen.n;
      if (found[l] == 0) continue;
      ++seen.n_found;
      BOOST_TEST(static_cast<arma::uword>(choice.arm[l]) == best);
      const double on_sphere = B * arma::norm(own.col(best));
      seen.n_sphere += ucb(best) == on_sphere;
      seen.n_whole += std::abs(ucb(best) - ellipsoid.ucb(own.col(best))) < 1e-12;
      seen.n_below += ucb(best) < on_sphere && ucb(best) < ellipsoid.ucb(own.col(best)) - 1e-9;
    }
    choice.take<P>(arms.data(), x);
    Lambda.add_products(x, 1);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_cut_ellipsoid)

BOOST_AUTO_TEST_CASE(chooses_the_arms_of_the_reference) {
  random::Stream stream = test_stream(7831);
  Seen seen;
  for (int repeat = 0; repeat < 8; ++repeat)
    for (const double B : {0.3, 1.0, 3.0})
      for (const int n_rounds_same : {1, 100}) {
        check<2>(stream, 1 + repeat % 2, B, n_rounds_same, seen);
        check<3>(stream, 3, B, n_rounds_same, seen);
        check<10>(stream, 9 + repeat % 2, B, n_rounds_same, seen);
        check<16>(stream, 13 + repeat % 4, B, n_rounds_same, seen);
      }
  BOOST_TEST_MESSAGE("found " << seen.n_found << " of " << seen.n << ": cut " << seen.n_below << ", on the sphere "
                              << seen.n_sphere << ", whole " << seen.n_whole);
  BOOST_TEST(seen.n_found > 0.8 * seen.n);
  BOOST_TEST(seen.n_below > seen.n / 10);
  BOOST_TEST(seen.n_sphere > seen.n / 20);
  BOOST_TEST(seen.n_whole > seen.n / 20);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
