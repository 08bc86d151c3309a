#define MIXLAB_LANES ldl_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/ldl.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine::lanes::ldl_test;

namespace {

template <int P>
void check(random::Stream& stream) {
  for (const int p : {P, P - 1}) {
    const auto samples = random_vectors<P>(stream, 2 * P, p), x = random_vectors<P>(stream, 1, p);
    Symmetric<P> A;
    for (auto& entry : A.a) entry = 0.0;
    A.add_products(samples.data(), 2 * P);
    const V shift = random_lanes(stream, 0.1, 1);
    Ldl<P> factor;
    V y[P], solution[P];
    BOOST_TEST(all(factor.factor(A, shift, V(0.0), p)));
    factor.forward(x.data(), y);
    factor.backward(y, solution);
    for (int l = 0; l < width; ++l) {
      const arma::vec own = lane_of(x.data(), p, l);
      const arma::mat shifted = lane_of<P>(A, p, l) + shift[l] * arma::eye(own.n_elem, own.n_elem);
      const arma::vec truth = arma::solve(shifted, own);
      BOOST_TEST(arma::norm(lane_of(solution, p, l) - truth) <= 1e-11 * arma::norm(truth));
      BOOST_TEST(close(factor.weigh(y)[l], arma::dot(own, truth)));
    }
    for (int i = p; i < P; ++i) BOOST_TEST(solution[i][0] == 0);
    // in one lane below the smallest eigenvalue, in the other above
    V below;
    for (int l = 0; l < width; ++l) below.set(l, -arma::eig_sym(lane_of<P>(A, p, l)).min() * (l == 0 ? 0.99 : 1.01));
    const V good = select(factor.factor(A, below, V(0.0), p), V(1.0), V(0.0));
    BOOST_TEST(good[0] == 1);
    BOOST_TEST(good[1] == 0);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_ldl)

BOOST_AUTO_TEST_CASE(solves) {
  random::Stream stream = test_stream(7811);
  FOR_DIMENSIONS(check, stream);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
