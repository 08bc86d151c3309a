#define MIXLAB_LANES least_squares_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/least_squares.h"
#include "mixlab/bandit/least_squares.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::least_squares_test;

namespace {

/// The KKT conditions after every sample, against the exact solver. `scale`: of the rewards, so that the ball is active
/// or not; `n_directions`: of the actions, fewer than p for a singular design.
template <int P>
void check_least_squares(random::Stream& stream, int p, double scale, int n_directions) {
  const double B = 0.8;
  LeastSquares<P> estimate;
  estimate.start(p, B, 1.0, 1.0);
  Gram<P> gram;
  std::vector<arma::mat> Lambda(width, arma::zeros(p, p));
  std::vector<arma::vec> b(width, arma::zeros(p));
  const auto theta_star = random_vectors<P>(stream, 1, p);
  const int n = 5;
  std::vector<V> again, last;
  for (int block = 0; block < 40; ++block) {
    const auto x = random_runs<P>(stream, n, n_directions, again, last.empty() ? nullptr : last.data());
    last.assign(x.end() - P, x.end());
    const std::vector<V> weight(n, V(1.0));
    std::vector<V> y(n);
    for (int r = 0; r < n; ++r) {
      y[r] = scale * dot<P>(x.data() + r * P, theta_star.data()) + random_lanes(stream, -1, 1);
      estimate.absorb(gram, x.data(), y.data(), r, again[static_cast<std::size_t>(r)] > 0.0,
                      block < 3 ? Shift::renewed : Shift::kept);
      estimate.first_sweep();
      estimate.second_sweep();
      estimate.settle(gram, x.data(), r);
      for (int l = 0; l < width; ++l) {
        const arma::vec xl = lane_of(x.data() + r * P, p, l), theta = lane_of(estimate.theta(), p, l);
        Lambda[l] += xl * xl.t();
        b[l] += y[r][l] * xl;
        const double mu = estimate.mu()[l], norm_b = std::max(1.0, arma::norm(b[l]));
        BOOST_TEST(arma::norm(Lambda[l] * theta + mu * theta - b[l]) <= 1e-10 * norm_b);
        BOOST_TEST(mu >= 0);
        BOOST_TEST(arma::norm(theta) <= B * (1 + 1e-10));
        BOOST_TEST(mu * (B - arma::norm(theta)) <= 1e-10 * norm_b);
        if (block >= 20) check_equal(theta, bandit::constrained_least_squares(Lambda[l], b[l], B).theta, 1e-8);
      }
    }
    estimate.close_block(gram, x.data(), weight.data(), n);
    if (block % 4 == 3) estimate.recentre(gram);
    if (block % 7 == 6) gram.sum_up();
    for (int l = 0; l < width; ++l) check_equal(lane_of<P>(gram.matrix(), p, l), Lambda[l]);
  }
}

/// Lane 0 beside other rewards, and other runs, in lane 1.
template <int P>
void check_bits_beside_others(random::Stream& stream) {
  LeastSquares<P> estimate, beside;
  Gram<P> gram;
  for (auto* either : {&estimate, &beside}) either->start(P, 0.8, 1.0, 1.0);
  std::vector<V> x = random_vectors<P>(stream, 1), other_x = x, again, other_again;
  const V one = 1.0;
  for (int r = 0; r < 300; ++r) {
    x = random_runs<P>(stream, 1, P, again, x.data());
    other_x = random_runs<P>(stream, 1, P, other_again, other_x.data());
    for (std::size_t i = 0; i < P; ++i) other_x[i].set(0, x[i][0]);
    other_again[0].set(0, again[0][0]);
    const V y = x[0] + random_lanes(stream, -1, 1);
    V other = y;
    other.set(1, uniform_in(stream, -9, 9));
    for (auto* either : {&estimate, &beside}) {
      const bool first = either == &estimate;
      either->absorb(gram, first ? x.data() : other_x.data(), first ? &y : &other, 0,
                     (first ? again[0] : other_again[0]) > 0.0, r < 20 ? Shift::renewed : Shift::kept);
      either->first_sweep();
      either->second_sweep();
      either->settle(gram, first ? x.data() : other_x.data(), 0);
    }
    estimate.close_block(gram, x.data(), &one, 1);
    BOOST_TEST(estimate.mu()[0] == beside.mu()[0]);
    for (int i = 0; i < P; ++i) BOOST_TEST(estimate.theta()[i][0] == beside.theta()[i][0]);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(constrained_least_squares) {
  random::Stream stream = test_stream(7106);
  for (const double scale : {0.1, 3.0}) BOOST_TEST_CONTEXT("rewards of scale " << scale) {
      check_least_squares<2>(stream, 1, scale, 1);
      check_least_squares<2>(stream, 2, scale, 2);
      check_least_squares<2>(stream, 2, scale, 1);
      check_least_squares<3>(stream, 3, scale, 3);
      check_least_squares<5>(stream, 5, scale, 5);
      check_least_squares<5>(stream, 5, scale, 3);
      check_least_squares<10>(stream, 9, scale, 9);
      check_least_squares<16>(stream, 14, scale, 14);
      check_least_squares<16>(stream, 14, scale, 2);
    }
}

BOOST_AUTO_TEST_CASE(least_squares_of_a_lane_does_not_depend_on_its_neighbour) {
  random::Stream stream = test_stream(7109);
  check_bits_beside_others<2>(stream);
  check_bits_beside_others<5>(stream);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
