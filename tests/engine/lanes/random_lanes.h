// What the tests of the kernels share. Each formula is computed once more, by Armadillo or plain loops, on random inputs:
// here are the inputs, one problem per lane, and what a lane holds as Armadillo sees it. The kernels are compiled for the
// portable path; that the other instruction sets give the same bits is lanes_test's business. Like the kernels' own
// headers this one lives in the namespace MIXLAB_LANES, and every test has one of its own.
#pragma once

#include <armadillo>
#include <boost/test/unit_test.hpp>

#include "engine/lanes/symmetric.h"
#include "seed.h"

/// The dimensions kernels are built for: packed and tiled.
#define FOR_DIMENSIONS(check, stream) \
  check<2>(stream);                   \
  check<3>(stream);                   \
  check<6>(stream);                   \
  check<10>(stream);                  \
  check<12>(stream);                  \
  check<16>(stream);                  \
  check<32>(stream)

namespace mixlab::engine::lanes::MIXLAB_LANES {

using V = Vec;
inline constexpr int width = V::width;

inline bool close(double a, double b, double tolerance = 1e-11) {
  return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

inline V random_lanes(random::Stream& stream, double low, double high) {
  V v;
  for (int l = 0; l < width; ++l) v.set(l, uniform_in(stream, low, high));
  return v;
}

/// n vectors of P components, those from p on zero.
template <int P>
std::vector<V> random_vectors(random::Stream& stream, int n, int p = P) {
  std::vector<V> v(static_cast<std::size_t>(n * P), V(0.0));
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < p; ++i) v[static_cast<std::size_t>(r * P + i)] = random_lanes(stream, -0.5, 0.5);
  return v;
}

/// n vectors of P components, in each lane the same again and again: `again` is 1 where a vector is the one before, else 0.
/// `last`: the one before the first, or nothing.
template <int P>
std::vector<V> random_runs(random::Stream& stream, int n, int p, std::vector<V>& again, const V* last = nullptr) {
  std::vector<V> v = random_vectors<P>(stream, n, p);
  again.assign(static_cast<std::size_t>(n), V(0.0));
  for (int r = 0; r < n; ++r) {
    const V* before = r > 0 ? v.data() + (r - 1) * P : last;
    for (int l = 0; before && l < width; ++l) {
      if (integer_in(stream, 1, 3) == 1) continue;
      again[static_cast<std::size_t>(r)].set(l, 1.0);
      for (int i = 0; i < P; ++i) v[static_cast<std::size_t>(r * P + i)].set(l, before[i][l]);
    }
  }
  return v;
}

/// Lane l of p components.
inline arma::vec lane_of(const V* v, int p, int l) {
  arma::vec out(static_cast<arma::uword>(p));
  for (int i = 0; i < p; ++i) out(static_cast<arma::uword>(i)) = v[i][l];
  return out;
}

template <int P>
arma::mat lane_of(const Symmetric<P>& A, int p, int l) {
  arma::mat out(static_cast<arma::uword>(p), static_cast<arma::uword>(p));
  for (int i = 0; i < p; ++i)
    for (int j = 0; j < p; ++j) out(static_cast<arma::uword>(i), static_cast<arma::uword>(j)) = A.get(i, j)[l];
  return out;
}

/// One random positive definite matrix per lane.
template <int P>
Symmetric<P> random_matrix(random::Stream& stream, int p = P) {
  Symmetric<P> A;
  for (auto& entry : A.a) entry = 0.0;
  A.add_products(random_vectors<P>(stream, 2 * P, p).data(), 2 * P);
  for (int i = 0; i < p; ++i) A.set(i, i, A.get(i, i) + random_lanes(stream, 0.1, 1));
  return A;
}

inline void check_equal(const arma::mat& got, const arma::mat& truth, double tolerance = 1e-11) {
  BOOST_TEST(arma::abs(got - truth).max() <= tolerance * std::max(1.0, arma::abs(truth).max()));
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
