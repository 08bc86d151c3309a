#define MIXLAB_LANES symmetric_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/symmetric.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::symmetric_test;

namespace {

template <int P>
void check_algebra(random::Stream& stream) {
  const auto x = random_vectors<P>(stream, 5), u = random_vectors<P>(stream, 1);
  const V s = random_lanes(stream, -1, 1);
  const Symmetric<P> A = random_matrix<P>(stream);
  V product[P], fused[P], sum[P];
  A.multiply(x.data(), product);
  Symmetric<P> subtracted = A, both = A, added = A;
  subtracted.subtract(u.data(), s);
  both.subtract_and_multiply(u.data(), s, x.data(), fused);
  added.add_products(x.data(), 5);
  copy<P>(sum, x.data());
  add<P>(sum, s, u.data());
  for (int l = 0; l < width; ++l) {
    const arma::mat a = lane_of<P>(A, P, l);
    const arma::vec xl = lane_of(x.data(), P, l), ul = lane_of(u.data(), P, l);
    BOOST_TEST(close(dot<P>(x.data(), u.data())[l], arma::dot(xl, ul)));
    check_equal(lane_of(sum, P, l), xl + s[l] * ul);
    check_equal(lane_of(product, P, l), a * xl);
    const arma::mat less = a - s[l] * ul * ul.t();
    check_equal(lane_of<P>(subtracted, P, l), less);
    check_equal(lane_of<P>(both, P, l), less);
    check_equal(lane_of(fused, P, l), less * xl);
    arma::mat more = a;
    for (int r = 0; r < 5; ++r) more += lane_of(x.data() + r * P, P, l) * lane_of(x.data() + r * P, P, l).t();
    check_equal(lane_of<P>(added, P, l), more);
  }
}

template <int P>
void check_factor(random::Stream& stream) {
  const int p = P > 2 ? P - 1 : P;  // the last component only fills up
  const auto x = random_vectors<P>(stream, 1, p);
  const Symmetric<P> A = random_matrix<P>(stream, p);
  Factor<P> factor;
  const double shift = 0.5;
  factor.factor(A, shift, p);
  V half[P], back[P];
  factor.forward(x.data(), half);
  factor.backward(x.data(), back);
  for (int l = 0; l < width; ++l) {
    const arma::mat a = lane_of<P>(A, p, l), L = arma::chol(a + shift * arma::eye(p, p), "lower");
    const arma::vec xl = lane_of(x.data(), p, l);
    check_equal(lane_of(half, p, l), arma::solve(arma::trimatl(L), xl));
    check_equal(lane_of(back, p, l), arma::solve(arma::trimatu(L.t()), xl));
    check_equal(lane_of(factor.pivots(), p, l), arma::square(L.diag()));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(small_dense_algebra) {
  random::Stream stream = test_stream(7103);
  FOR_DIMENSIONS(check_algebra, stream);
  FOR_DIMENSIONS(check_factor, stream);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
