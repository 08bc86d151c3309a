// A = Q T Q', T tridiagonal, one problem per lane: by Householder's reflections, which empty row after row but for the
// entry beside the diagonal, from the last one on. Then problems in A + shift I take a few operations per component.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Tridiagonal {
 public:
  using V = Vec;

  /// Takes A apart. Components from p on, which only fill up the vectors, get an eigenvalue as large as any.
  [[gnu::noinline]] void reduce(Symmetric<P>& A, int p) {
    p_ = p;
    trace_ = 0.0;
    for (int i = 0; i < p; ++i) trace_ = trace_ + (given_[i] = A.get(i, i));
    for (int i = p; i < P; ++i) {
      diagonal_[i] = trace_;
      beside_[i] = 0.0;
    }
    V q[P];
    for (int i = 0; i < P; ++i) q[i] = u_[p][i] = 0.0;
    const V nothing = negligible * negligible * trace_ * trace_;
    each_row_down([&](int i) { empty_row(A, i, nothing, q); });
    const V* u = u_[std::min(p, 2)];
    diagonal_[0] = fnma(2.0 * u[0], q[0], A.get(0, 0));
    beside_[0] = 0.0;
    if (p > 1) {
      diagonal_[1] = fnma(2.0 * u[1], q[1], A.get(1, 1));
      beside_[1] = fnma(u[1], q[0], fnma(u[0], q[1], A.get(1, 0)));
    }
  }

  /// x = Q' x
  MIXLAB_INLINE void turn(V* x) const {
    each_row_down([&](int i) { reflect(i, x); });
  }
  /// x = Q x
  MIXLAB_INLINE void turn_back(V* x) const {
    each_row_up([&](int i) { reflect(i, x); });
  }

  /// x' T x
  MIXLAB_INLINE V weigh(const V* x) const {
    V sum = diagonal_[0] * x[0] * x[0];
    MIXLAB_UNROLL(16)
    for (int i = 1; i < P; ++i) sum = fma(x[i], fma(diagonal_[i], x[i], 2.0 * beside_[i] * x[i - 1]), sum);
    return sum;
  }

  /// x' A x is the least of all unit vectors, but for rounding; of several the first. Not turned.
  void least_unit_vector(V* x) const {
    V least = given_[0];
    for (int i = 1; i < p_; ++i) least = min(given_[i], least);
    least = fma(V(rounding), trace_, least);
    Mask open = everywhere();
    for (int i = 0; i < P; ++i) {
      const Mask chosen = i < p_ ? open & (given_[i] <= least) : nowhere();
      x[i] = select(chosen, V(1.0), V(0.0));
      open = open & !chosen;
    }
  }

  int p() const { return p_; }
  V trace() const { return trace_; }
  V diagonal(int i) const { return diagonal_[i]; }
  /// T(i, i - 1), or 0 for i = 0.
  V beside(int i) const { return beside_[i]; }

 private:
  static constexpr double rounding = 1e-12;
  static constexpr double negligible = 1e-18;  // part of a row, relative to the trace

  static constexpr bool is_packed = std::is_same_v<Symmetric<P>, Packed<P>>;
  /// The rows and columns that the i-th step works on; those from i on are left alone by zeros.
  static constexpr int extent(int i) { return is_packed ? i : (i + 3) / 4 * 4; }

  /// body(i) for the rows that reflections empty. Packed ones are unrolled, to stay in registers; clang 14 loses its way
  /// where it unrolls the others.
  template <class Body>
  MIXLAB_INLINE void each_row_down(Body body) const {
    if constexpr (is_packed) {
      MIXLAB_UNROLL(10)
      for (int i = P - 1; i >= 2; --i)
        if (i < p_) body(i);
    } else {
      for (int i = p_ - 1; i >= 2; --i) body(i);
    }
  }
  template <class Body>
  MIXLAB_INLINE void each_row_up(Body body) const {
    if constexpr (is_packed) {
      MIXLAB_UNROLL(10)
      for (int i = 2; i < P; ++i)
        if (i < p_) body(i);
    } else {
      for (int i = 2; i < p_; ++i) body(i);
    }
  }

  /// body(k) for k < extent(i).
  template <class Body>
  MIXLAB_INLINE static void each(int i, Body body) {
    if constexpr (is_packed) {
      MIXLAB_UNROLL(16)
      for (int k = 0; k < i; ++k) body(k);
    } else {
      for (int k = 0; k < i; k += 4) {
        MIXLAB_UNROLL(4)
        for (int j = 0; j < 4; ++j) body(k + j);
      }
    }
  }
  MIXLAB_INLINE static V dot_of(int i, const V* x, const V* y) {
    V sum[4] = {0.0, 0.0, 0.0, 0.0};
    each(i, [&](int k) { sum[k % 4] = fma(x[k], y[k], sum[k % 4]); });
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }

  MIXLAB_INLINE void reflect(int i, V* x) const {
    const V* u = u_[i];
    const V s = scale_[i] * dot_of(i, u, x);
    each(i, [&](int k) { x[k] = fnma(s, u[k], x[k]); });
  }

  /// A awaits u q' + q u' of the row before, to be taken off, and leaves its own.
  MIXLAB_INLINE void empty_row(Symmetric<P>& A, int i, V nothing, V* q) {
    const V* before = u_[i + 1];
    V* u = u_[i];
    const V u_before = before[i], q_before = q[i];
    diagonal_[i] = fnma(2.0 * u_before, q_before, A.get(i, i));
    A.each_in_row(i, [&](int k, const V& entry) { u[k] = fnma(u_before, q[k], fnma(q_before, before[k], entry)); });
    for (int k = i; k < extent(i); ++k) u[k] = 0.0;
    const V length2 = dot_of(i, u, u), length = sqrt(length2), last = u[i - 1];
    const Mask is_full = length2 > nothing;
    const V left = select(last > 0.0, -length, length);
    beside_[i] = select(is_full, left, V(0.0));
    u[i - 1] = last - left;
    const V scale = select(is_full, 1.0 / fnma(last, left, length2), V(0.0));
    scale_[i] = scale;
    V product[P];
    if (!is_packed && i == p_ - 1) {  // nothing is to be taken off yet
      for (int k = extent(i); k < P; ++k) u[k] = 0.0;
      A.multiply(u, product);
    } else {
      A.subtract_both_and_multiply(i, before, q, u, product);
    }
    const V half = 0.5 * scale * scale * dot_of(i, u, product);
    each(i, [&](int k) { q[k] = fnma(half, u[k], scale * product[k]); });
    for (int k = i; k < extent(i); ++k) q[k] = 0.0;
  }

  V u_[P + 1][P];  ///< of the reflection I - scale u u' that empties a row
  V scale_[P];
  V given_[P];  ///< the diagonal of A
  V diagonal_[P], beside_[P], trace_;
  int p_ = P;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
