#define MIXLAB_LANES least_eigenvalue_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/least_eigenvalue.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine::lanes::least_eigenvalue_test;

namespace {

constexpr double lambda = 0.3;

/// From below by 8 margins at most, wherever it starts. Where many eigenvalues are the least it must start next to them.
template <int P>
void check(random::Stream& stream) {
  for (const int p : {P, P - 1})
    for (const int rank : {0, p / 2, p, 4 * p}) {
      Symmetric<P> A;
      for (auto& entry : A.a) entry = 0.0;
      if (rank > 0) A.add_products(random_vectors<P>(stream, rank, p).data(), rank);
      const Symmetric<P> own = A;
      Tridiagonal<P> T;
      T.reduce(A, p);
      const V margin = 1e-12 + 1e-14 * T.trace();
      for (const double start : {0.0, 0.9 * lambda, lambda - 1e-10, lambda - 2e-12}) {
        V w = start;
        const Mask found = approach_least_eigenvalue<P>(T, lambda, margin, everywhere(), w);
        BOOST_TEST((all(found) || (rank < p && start < lambda - 1e-11)));
        for (int l = 0; l < width; ++l) {
          const double truth = arma::eig_sym(lane_of<P>(own, p, l)).min() + lambda;
          BOOST_TEST(w[l] < truth);
          if (select(found, V(1.0), V(0.0))[l] == 1) BOOST_TEST(w[l] >= truth - 9 * margin[l]);
        }
      }
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_least_eigenvalue)

BOOST_AUTO_TEST_CASE(is_approached_from_below) {
  random::Stream stream = test_stream(7833);
  FOR_DIMENSIONS(check, stream);
}

BOOST_AUTO_TEST_CASE(is_not_found_from_above) {
  random::Stream stream = test_stream(7834);
  Symmetric<3> A = random_matrix<3>(stream);
  Tridiagonal<3> T;
  T.reduce(A, 3);
  V w = lambda + T.trace();
  BOOST_TEST(!any(approach_least_eigenvalue<3>(T, lambda, V(1e-12), everywhere(), w)));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
