#define MIXLAB_LANES inversion_test
#include "engine/lanes/isa/scalar.h"

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/inversion.h"
#include "random_lanes.h"

using namespace mixlab;
using namespace mixlab::engine;
using namespace mixlab::engine::lanes::inversion_test;

namespace {

template <int P>
void check_inverse(random::Stream& stream) {
  const int p = P > 2 ? P - 1 : P;  // the last component only fills up
  const V shift = random_lanes(stream, 0, 2);
  const Symmetric<P> A = random_matrix<P>(stream, p);
  Symmetric<P> inverse = A;
  V pivots[P];
  BOOST_TEST(all(invert<P>(inverse, shift, V(0.0), p, pivots)));
  for (int l = 0; l < width; ++l) {
    const arma::mat shifted = lane_of<P>(A, p, l) + shift[l] * arma::eye(p, p);
    check_equal(lane_of<P>(inverse, p, l), arma::inv(shifted), 1e-9);
    check_equal(lane_of(pivots, p, l), arma::square(arma::chol(shifted, "lower").eval().diag()));
  }
  // a lane that is singular says so, the others do not mind
  Symmetric<P> singular = A;
  for (int j = 0; j < P; ++j) {
    V entry = singular.get(0, j);
    entry.set(1, 0.0);
    singular.set(0, j, entry);
  }
  const V good = select(invert<P>(singular, V(0.0), V(1e-9), p, pivots), V(1.0), V(0.0));
  for (int l = 0; l < width; ++l) BOOST_TEST(good[l] == (l == 1 ? 0 : 1));
}

/// invert in one lane, one step after the other over all entries (i, j) that are stored: those with i >= j, of Tiled also
/// the rest of a tile on the diagonal, which rounding may make a little different.
template <int P>
struct StepByStep {
  static constexpr int tile = std::is_same_v<Symmetric<P>, Packed<P>> ? 1 : 4;
  double a[P][P], pivots[P];
  bool good = true;

  static constexpr bool stored(int i, int j) { return i / tile >= j / tile; }

  StepByStep(const Symmetric<P>& A, double shift, double smallest_pivot, int p, int lane) {
    for (int i = 0; i < P; ++i)
      for (int j = 0; j < P; ++j) a[i][j] = i != j ? A.get(i, j)[lane] : i < p ? A.get(i, i)[lane] + shift : 1.0;
    for (int k = 0; k < P; ++k) {
      if (k < p && !(a[k][k] > smallest_pivot)) good = false;
      pivots[k] = k < p ? std::max(a[k][k], smallest_pivot) : 1.0;
      step(k, 1.0 / pivots[k]);
    }
    for (auto& row : a)
      for (double& entry : row) entry = 0.0 - entry;  // 0, never -0
  }

  void step(int k, double s) {
    double u[P];
    for (int i = 0; i < P; ++i) u[i] = i == k ? 0.0 : stored(i, k) ? a[i][k] : a[k][i];
    for (int i = 0; i < P; ++i)
      for (int j = 0; j < P; ++j)
        if (stored(i, j)) a[i][j] = std::fma(-(u[i] * s), u[j], a[i][j]);
    for (int i = 0; i < P; ++i) a[i][k] = a[k][i] = i == k ? -s : u[i] * s;
  }
};

/// Where Symmetric keeps an entry that is stored.
template <int P>
int place(const Packed<P>& A, int i, int j) {
  return A.at(i, j);
}
template <int P>
int place(const Tiled<P>& A, int i, int j) {
  return A.tile(i / 4, j / 4) + j % 4 * 4 + i % 4;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// On the matrix of n samples: fewer than p make a singular one.
template <int P>
void check_steps(random::Stream& stream, int p, int n) {
  const double smallest_pivot = 1.5;  // more than the 1 of the components that only fill up
  const V shift = n < p ? V(0.0) : random_lanes(stream, 2, 4);
  Symmetric<P> A;
  for (auto& entry : A.a) entry = 0.0;
  A.add_products(random_vectors<P>(stream, n, p).data(), n);
  Symmetric<P> inverse = A;
  V pivots[P];
  const V good = select(invert<P>(inverse, shift, V(smallest_pivot), p, pivots), V(1.0), V(0.0));
  for (int l = 0; l < width; ++l) {
    const StepByStep<P> truth(A, shift[l], smallest_pivot, p, l);
    int n_entries = 0, n_same = 0;
    for (int i = 0; i < P; ++i)
      for (int j = 0; j < P; ++j)
        if (truth.stored(i, j)) ++n_entries, n_same += same_bits(inverse.a[place(inverse, i, j)][l], truth.a[i][j]);
    BOOST_TEST(n_entries == Symmetric<P>::size);
    BOOST_TEST(n_same == n_entries);
    for (int k = 0; k < P; ++k) BOOST_TEST(same_bits(pivots[k][l], truth.pivots[k]));
    BOOST_TEST(good[l] == truth.good);
    BOOST_TEST(truth.good == (n >= p));
  }
}

template <int P>
void check_bits(random::Stream& stream) {
  for (const int p : {P, P - 1, P - 3})
    for (const int n : {2 * P, P / 2}) check_steps<P>(stream, p, n);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(inverses) {
  random::Stream stream = test_stream(7116);
  FOR_DIMENSIONS(check_inverse, stream);
}

BOOST_AUTO_TEST_CASE(an_inverse_has_the_bits_of_single_steps) {
  random::Stream stream = test_stream(7108);
  check_bits<10>(stream);
  check_bits<12>(stream);
  check_bits<16>(stream);
  check_bits<20>(stream);
  check_bits<24>(stream);
  check_bits<28>(stream);
  check_bits<32>(stream);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
