// The longest and the shortest point of an ellipsoid, found from the ones of the round before, against eigendecompositions.
#define MIXLAB_LANES boundary_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/boundary.h"
#include "mixlab/bandit/ucb.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine::lanes::boundary_test;

namespace {

constexpr double lambda = 0.3;

struct Seen {
  int n = 0, n_found = 0;
};

/// An ellipsoid in the axes of T.
template <int P>
struct Turned {
  Tridiagonal<P> T;
  V c[P];

  Turned(Symmetric<P> Lambda, int p, const V* centre) {
    T.reduce(Lambda, p);
    copy<P>(c, centre);
    T.turn(c);
  }
};

/// A bandit's life: samples enter one by one, the centre and the radius move a little, then jump.
template <int P>
void check(random::Stream& stream, int p, Seen& longest_seen, Seen& shortest_seen) {
  LongestPoint<P> longest;
  ShortestPoint<P> shortest;
  longest.start(lambda);
  shortest.start(lambda);
  Symmetric<P> Lambda;
  for (auto& entry : Lambda.a) entry = 0.0;
  auto centre = random_vectors<P>(stream, 1, p);
  V beta = random_lanes(stream, 0.05, 3);
  for (int t = 1; t <= 60; ++t) {
    Lambda.add_products(random_vectors<P>(stream, 1, p).data(), 1);
    if (t % 20 == 0) {
      centre = random_vectors<P>(stream, 1, p);
      beta = random_lanes(stream, 0.05, 3);
    }
    const auto step = random_vectors<P>(stream, 1, p);
    for (std::size_t i = 0; i < P; ++i) centre[i] = centre[i] + 0.02 * step[i];
    V far[P], near[P];
    const Turned<P> turned(Lambda, p, centre.data());
    const V found_far = select(longest.find(turned.T, turned.c, beta, everywhere(), far), V(1.0), V(0.0));
    const V found_near = select(shortest.find(turned.T, turned.c, beta, everywhere(), near), V(1.0), V(0.0));
    turned.T.turn_back(far);
    turned.T.turn_back(near);
    for (int l = 0; l < width; ++l) {
      const bandit::Ellipsoid truth(lane_of<P>(Lambda, p, l), lambda, lane_of(centre.data(), p, l), beta[l] * beta[l]);
      ++longest_seen.n;
      if (found_far[l] == 1) {
        ++longest_seen.n_found;
        const arma::vec theta = truth.longest();
        BOOST_TEST(arma::norm(lane_of(far, p, l) - theta) <= 1e-8 * arma::norm(theta));
        for (int i = p; i < P; ++i) BOOST_TEST(far[i][l] == 0);
      }
      const arma::vec theta = truth.shortest();
      if (arma::norm(theta) == 0) continue;  // the ellipsoid has the origin inside: nobody asks
      ++shortest_seen.n;
      if (found_near[l] == 1) {
        ++shortest_seen.n_found;
        BOOST_TEST(arma::norm(lane_of(near, p, l) - theta) <= 1e-8);
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_boundary)

BOOST_AUTO_TEST_CASE(follows_the_points) {
  random::Stream stream = test_stream(7821);
  Seen longest, shortest;
  for (int repeat = 0; repeat < 10; ++repeat) {
    check<2>(stream, 1 + repeat % 2, longest, shortest);
    check<3>(stream, 3, longest, shortest);
    check<10>(stream, 9 + repeat % 2, longest, shortest);
    check<16>(stream, 13 + repeat % 4, longest, shortest);
    check<32>(stream, 29 + repeat % 4, longest, shortest);
  }
  BOOST_TEST_MESSAGE("found " << longest.n_found << " of " << longest.n << " longest points, " << shortest.n_found
                              << " of " << shortest.n << " shortest ones");
  BOOST_TEST(longest.n_found > 0.98 * longest.n);
  BOOST_TEST(shortest.n_found > 0.98 * shortest.n);
}

/// ||theta|| of the longest point and how far theta is from the boundary, which is all that can be told where there are
/// several.
template <int P>
void check_length(const bandit::Ellipsoid& truth, const arma::mat& V_, const arma::vec& c, double beta,
                  const arma::vec& theta) {
  const arma::vec offset = theta - c;
  BOOST_TEST(std::abs(std::sqrt(arma::dot(offset, V_ * offset)) - beta) <= 1e-9 * beta);
  BOOST_TEST(std::abs(arma::norm(theta) - arma::norm(truth.longest())) <= 1e-9 * arma::norm(theta));
}

BOOST_AUTO_TEST_CASE(goes_along_an_axis_where_the_branch_ends) {  // no part of the centre along the longest axis
  LongestPoint<3> longest;
  longest.start(lambda);
  Symmetric<3> Lambda;
  for (auto& entry : Lambda.a) entry = 0.0;
  Lambda.set(0, 0, V(1.0));
  Lambda.set(1, 1, V(0.5));
  const V centre[3] = {V(0.1), V(0.2), V(0.0)}, nothing[3] = {V(0.0), V(0.0), V(0.0)};
  const arma::mat V_ = lane_of<3>(Lambda, 3, 0) + lambda * arma::eye(3, 3);
  for (const V* c : {centre, nothing})
    for (const double beta : {2.0, 0.01}) {
      const Turned<3> turned(Lambda, 3, c);
      V theta[3];
      BOOST_TEST(all(longest.find(turned.T, turned.c, V(beta), everywhere(), theta)));
      turned.T.turn_back(theta);
      const arma::vec own = lane_of(c, 3, 0);
      const bandit::Ellipsoid truth(lane_of<3>(Lambda, 3, 0), lambda, own, beta * beta);
      check_length<3>(truth, V_, own, beta, lane_of(theta, 3, 0));
    }
}

BOOST_AUTO_TEST_CASE(takes_the_first_of_many_axes) {
  LongestPoint<6> longest;
  longest.start(lambda);
  Symmetric<6> Lambda;
  for (auto& entry : Lambda.a) entry = 0.0;
  Lambda.set(0, 0, V(1.0));
  Lambda.set(1, 1, V(1.0));
  const V centre[6] = {V(0.1), V(-0.2), V(0.0), V(0.0), V(0.0), V(0.0)};
  const Turned<6> turned(Lambda, 6, centre);
  V theta[6];
  BOOST_TEST(all(longest.find(turned.T, turned.c, V(2.0), everywhere(), theta)));
  turned.T.turn_back(theta);
  BOOST_TEST(theta[2][0] > 3);
  for (const int i : {3, 4, 5}) BOOST_TEST(std::abs(theta[i][0]) < 1e-9);
}

/// Ever less of the centre along the longest axis: what is found is right. So it is if the axis is far from those of T.
BOOST_AUTO_TEST_CASE(is_right_next_to_the_end_of_a_branch) {
  for (const double part : {1e-2, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-16}) {
    LongestPoint<3> longest;
    longest.start(lambda);
    Symmetric<3> Lambda;
    for (auto& entry : Lambda.a) entry = 0.0;
    Lambda.add_products(std::vector<V>{V(0.6), V(0.3), V(0.1)}.data(), 1);
    Lambda.add_products(std::vector<V>{V(-0.2), V(0.7), V(0.3)}.data(), 1);
    // of the direction that both leave out: their cross product
    const arma::vec axis = arma::normalise(arma::vec{0.02, -0.2, 0.48});
    const arma::vec own = {0.1, 0.05, 0.02}, flat = own - arma::dot(own, axis) * axis + part * axis;
    const V centre[3] = {V(flat(0)), V(flat(1)), V(flat(2))};
    const Turned<3> turned(Lambda, 3, centre);
    V theta[3];
    BOOST_TEST_CONTEXT("part " << part) {
      BOOST_TEST(all(longest.find(turned.T, turned.c, V(2.0), everywhere(), theta)));
      turned.T.turn_back(theta);
      const bandit::Ellipsoid ellipsoid(lane_of<3>(Lambda, 3, 0), lambda, flat, 4.0);
      const arma::mat V_ = lane_of<3>(Lambda, 3, 0) + lambda * arma::eye(3, 3);
      check_length<3>(ellipsoid, V_, flat, 2.0, lane_of(theta, 3, 0));
      const arma::vec truth = ellipsoid.longest();
      if (part > 1e-11) BOOST_TEST(arma::norm(lane_of(theta, 3, 0) - truth) <= 1e-8 * arma::norm(truth));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
