#include "engine/lanes/prelude.h"

#define MIXLAB_LANES symmetric_test
#define MIXLAB_LANES_WIDTH 2
#define MIXLAB_LANES_FMA 0
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
  const V shift = random_lanes(stream, 0, 2);
  const Symmetric<P> A = random_matrix<P>(stream, p);
  Factor<P> factor;
  const double all_shift = 0.5;
  factor.factor(A, all_shift, p);
  V half[P], back[P];
  factor.forward(x.data(), half);
  factor.backward(x.data(), back);
  Symmetric<P> inverse = A;
  V pivots[P];
  BOOST_TEST(all(invert<P>(inverse, shift, V(0.0), p, pivots)));
  for (int l = 0; l < width; ++l) {
    const arma::mat a = lane_of<P>(A, p, l), I = arma::eye(arma::size(a));
    const arma::mat L = arma::chol(a + all_shift * I, "lower");
    const arma::vec xl = lane_of(x.data(), p, l);
    check_equal(lane_of(half, p, l), arma::solve(arma::trimatl(L), xl));
    check_equal(lane_of(back, p, l), arma::solve(arma::trimatu(L.t()), xl));
    check_equal(lane_of(factor.pivots(), p, l), arma::square(L.diag()));
    check_equal(lane_of<P>(inverse, p, l), arma::inv(a + shift[l] * I), 1e-9);
    check_equal(lane_of(pivots, p, l), arma::square(arma::chol(a + shift[l] * I, "lower").eval().diag()));
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
      for (double& entry : row) entry = -entry;
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

BOOST_AUTO_TEST_CASE(small_dense_algebra) {
  random::Stream stream = test_stream(7103);
  FOR_DIMENSIONS(check_algebra, stream);
  FOR_DIMENSIONS(check_factor, stream);
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
