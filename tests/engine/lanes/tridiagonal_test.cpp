#define MIXLAB_LANES tridiagonal_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/tridiagonal.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine::lanes::tridiagonal_test;

namespace {

/// T in full.
template <int P>
arma::mat full(const Tridiagonal<P>& T, int p, int l) {
  arma::mat out(static_cast<arma::uword>(p), static_cast<arma::uword>(p), arma::fill::zeros);
  for (int i = 0; i < p; ++i) {
    const auto row = static_cast<arma::uword>(i);
    out(row, row) = T.diagonal(i)[l];
    if (i > 0) out(row, row - 1) = out(row - 1, row) = T.beside(i)[l];
  }
  return out;
}

/// Q, T and what is made of them, of a matrix of rank `rank`.
template <int P>
void check_rank(random::Stream& stream, int p, int rank) {
  Symmetric<P> A;
  for (auto& entry : A.a) entry = 0.0;
  if (rank > 0) A.add_products(random_vectors<P>(stream, rank, p).data(), rank);
  Symmetric<P> apart = A;
  Tridiagonal<P> T;
  T.reduce(apart, p);
  V x[P], back[P];
  copy<P>(x, random_vectors<P>(stream, 1, p).data());
  copy<P>(back, x);
  T.turn(back);
  const V weight = T.weigh(back);
  for (int l = 0; l < width; ++l) {
    const arma::mat own = lane_of<P>(A, p, l);
    arma::mat Q(own.n_rows, own.n_cols);
    for (int j = 0; j < p; ++j) {
      V unit[P];
      for (int i = 0; i < P; ++i) unit[i] = i == j ? 1.0 : 0.0;
      T.turn_back(unit);
      Q.col(static_cast<arma::uword>(j)) = lane_of(unit, p, l);
      for (int i = p; i < P; ++i) BOOST_TEST(unit[i][l] == 0);
    }
    const double size = std::max(1.0, arma::trace(own));
    check_equal(Q.t() * Q, arma::eye(own.n_rows, own.n_cols), 1e-13);
    BOOST_TEST(arma::abs(Q * full(T, p, l) * Q.t() - own).max() <= 1e-14 * size);
    check_equal(lane_of(back, p, l), Q.t() * lane_of(x, p, l), 1e-13);
    BOOST_TEST(close(weight[l], arma::dot(lane_of(x, p, l), own * lane_of(x, p, l)), 1e-13));
    BOOST_TEST(close(T.trace()[l], arma::trace(own)));
    for (int i = p; i < P; ++i) BOOST_TEST((T.diagonal(i)[l] == T.trace()[l] && T.beside(i)[l] == 0));
  }
}

template <int P>
void check(random::Stream& stream) {
  for (const int p : {P, P - 1})
    for (const int rank : {0, 1, p / 2, 2 * p}) check_rank<P>(stream, p, rank);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_tridiagonal)

BOOST_AUTO_TEST_CASE(is_the_matrix_in_other_axes) {
  random::Stream stream = test_stream(7831);
  FOR_DIMENSIONS(check, stream);
}

BOOST_AUTO_TEST_CASE(finds_the_first_least_unit_vector) {
  Symmetric<3> A;
  for (auto& entry : A.a) entry = 0.0;
  A.set(0, 0, V(1.0));
  A.set(1, 1, V(1e-15));  // rounding
  Tridiagonal<3> T;
  T.reduce(A, 3);
  V x[3];
  T.least_unit_vector(x);
  for (const int i : {0, 1, 2}) BOOST_TEST(x[i][0] == (i == 1));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
