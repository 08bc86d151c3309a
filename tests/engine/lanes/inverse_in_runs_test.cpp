#define MIXLAB_LANES inverse_in_runs_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>
#include <cstring>

#include "engine/lanes/inverse_in_runs.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::inverse_in_runs_test;

namespace {

constexpr double lambda = 0.3;

template <int P>
void start(InverseInRuns<P>& runs) {
  for (auto& entry : runs.before().a) entry = 0.0;
  for (int i = 0; i < P; ++i) runs.before().set(i, i, 1 / lambda);
  runs.restart();
}

/// Against the inverse of the sum; now and then all is brought up to date.
template <int P>
void check_runs(random::Stream& stream) {
  const int p = P > 2 ? P - 1 : P;
  InverseInRuns<P> runs;
  start(runs);
  std::vector<arma::mat> A(width, lambda * arma::eye(p, p));
  std::vector<V> x = random_vectors<P>(stream, 1, p), again;
  int n_going = 0;
  for (int t = 0; t < 60; ++t) {
    x = random_runs<P>(stream, 1, p, again, x.data());
    const auto step = runs.take(x.data(), again[0] > 0.0);
    const auto v = random_vectors<P>(stream, 1, p);
    V product[P];
    runs.multiply(v.data(), product);
    n_going += !step.begins;
    for (int l = 0; l < width; ++l) {
      const arma::vec xl = lane_of(x.data(), p, l);
      BOOST_TEST(close(step.growth[l] * step.inverse_before[l], 1 + arma::dot(xl, arma::solve(A[l], xl))));
      A[l] += xl * xl.t();
      check_equal(lane_of(product, p, l), arma::solve(A[l], lane_of(v.data(), p, l)));
      check_equal(step.shrinkage[l] * lane_of(runs.u(), p, l), arma::solve(A[l], xl));
    }
    if (t % 10 != 9) continue;
    runs.end();
    for (int l = 0; l < width; ++l) check_equal(lane_of<P>(runs.before(), p, l), arma::inv(A[l]));
  }
  BOOST_TEST(n_going > 10);
}

/// Lane 0 beside one that goes other ways, begins anew by itself, and has runs of other lengths.
template <int P>
void check_bits_beside_others(random::Stream& stream) {
  InverseInRuns<P> runs, beside;
  start(runs);
  start(beside);
  std::vector<V> x = random_vectors<P>(stream, 1), other_x = x, again, other_again;
  for (int t = 0; t < 300; ++t) {
    x = random_runs<P>(stream, 1, P, again, x.data());
    other_x = random_runs<P>(stream, 1, P, other_again, other_x.data());
    for (std::size_t i = 0; i < P; ++i) other_x[i].set(0, x[i][0]);
    other_again[0].set(0, again[0][0]);
    runs.take(x.data(), again[0] > 0.0);
    beside.take(other_x.data(), other_again[0] > 0.0);
    V product[P], other[P];
    runs.multiply(x.data(), product);
    beside.multiply(other_x.data(), other);
    for (int i = 0; i < P; ++i) {
      const double mine = product[i][0], theirs = other[i][0];
      BOOST_TEST(std::memcmp(&mine, &theirs, sizeof mine) == 0);
    }
    V one = 0.0;
    one.set(1, 1.0);
    if (t % 7 == 0) beside.restart(one > 0.0);
    if (t % 13 == 0) {
      runs.end();
      beside.end();
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(inverse_in_runs) {
  random::Stream stream = test_stream(7124);
  FOR_DIMENSIONS(check_runs, stream);
}

BOOST_AUTO_TEST_CASE(runs_of_a_lane_do_not_depend_on_its_neighbour) {
  random::Stream stream = test_stream(7125);
  check_bits_beside_others<2>(stream);
  check_bits_beside_others<10>(stream);
  check_bits_beside_others<16>(stream);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
