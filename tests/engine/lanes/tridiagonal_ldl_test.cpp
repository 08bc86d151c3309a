#define MIXLAB_LANES tridiagonal_ldl_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/tridiagonal_ldl.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine::lanes::tridiagonal_ldl_test;

namespace {

template <int P>
void check(random::Stream& stream) {
  for (const int p : {P, P - 1}) {
    Symmetric<P> A = random_matrix<P>(stream, p);
    const auto x = random_vectors<P>(stream, 1, p);
    const V shift = random_lanes(stream, -0.05, 1);
    const Symmetric<P> own = A;
    Tridiagonal<P> T;
    T.reduce(A, p);
    TridiagonalLdl<P> factor;
    factor.factor(T, shift);
    V y[P];
    copy<P>(y, x.data());
    T.turn(y);
    factor.solve(y, y);
    T.turn_back(y);
    for (int l = 0; l < width; ++l) {
      const arma::vec b = lane_of(x.data(), p, l);
      const arma::vec truth = arma::solve(lane_of<P>(own, p, l) + shift[l] * arma::eye(b.n_elem, b.n_elem), b);
      BOOST_TEST(arma::norm(lane_of(y, p, l) - truth) <= 1e-11 * arma::norm(truth));
    }
    for (int i = p; i < P; ++i) BOOST_TEST(y[i][0] == 0);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_tridiagonal_ldl)

BOOST_AUTO_TEST_CASE(solves_in_other_axes) {
  random::Stream stream = test_stream(7832);
  FOR_DIMENSIONS(check, stream);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
