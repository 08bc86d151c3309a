// Small dense algebra: vectors of P components and symmetric P x P matrices, a problem a lane.
#pragma once

#include "vector.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// <x, y>, in up to four partial sums.
template <int P, int N>
MIXLAB_INLINE Vec<N> dot(const Vec<N>* x, const Vec<N>* y) {
  constexpr int n_sums = P < 8 ? 2 : 4;
  Vec<N> sum[n_sums];
  MIXLAB_UNROLL(4)
  for (int i = 0; i < n_sums; ++i) sum[i] = x[i] * y[i];
  MIXLAB_UNROLL(32)
  for (int i = n_sums; i < P; ++i) sum[i % n_sums] = fma(x[i], y[i], sum[i % n_sums]);
  if constexpr (n_sums == 4) return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  return sum[0] + sum[1];
}

/// y += a x
template <int P, int N>
MIXLAB_INLINE void add(Vec<N>* y, Vec<N> a, const Vec<N>* x) {
  MIXLAB_UNROLL(32)
  for (int i = 0; i < P; ++i) y[i] = fma(a, x[i], y[i]);
}

template <int P, int N>
MIXLAB_INLINE void copy(Vec<N>* to, const Vec<N>* from) {
  MIXLAB_UNROLL(32)
  for (int i = 0; i < P; ++i) to[i] = from[i];
}

/// Keeps the compiler from mixing the loads of one kernel into the one before, which costs it its registers.
MIXLAB_INLINE void fence() {
  asm volatile("" ::: "memory");
}

/// Packed by rows of the lower triangle: every loop unrolls, the result stays in registers.
template <int P, int N>
struct Packed {
  static constexpr int size = P * (P + 1) / 2;
  Vec<N> a[size];

  static constexpr int at(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }
  Vec<N> get(int i, int j) const { return a[at(i, j)]; }
  void set(int i, int j, Vec<N> x) { a[at(i, j)] = x; }

  /// y = A x
  MIXLAB_INLINE void multiply(const Vec<N>* x, Vec<N>* y) const {
    fence();
    Vec<N> sum[P];
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) sum[i] = a[at(i, 0)] * x[0];
    MIXLAB_UNROLL(16)
    for (int j = 1; j < P; ++j) MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) sum[i] = fma(a[at(i, j)], x[j], sum[i]);
    copy<P>(y, sum);
  }

  /// A -= s u u'
  MIXLAB_INLINE void subtract(const Vec<N>* u, Vec<N> s) {
    fence();
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) {
      const Vec<N> f = u[i] * s;
      MIXLAB_UNROLL(16)
      for (int j = 0; j <= i; ++j) a[at(i, j)] = fnma(f, u[j], a[at(i, j)]);
    }
  }

  /// A -= s u u', then y = A x, in one pass.
  MIXLAB_INLINE void subtract_and_multiply(const Vec<N>* u, Vec<N> s, const Vec<N>* x, Vec<N>* y) {
    fence();
    Vec<N> sum[P];
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) {
      const Vec<N> f = u[i] * s;
      Vec<N> row = 0.0;
      MIXLAB_UNROLL(16)
      for (int j = 0; j < i; ++j) {
        const Vec<N> t = fnma(f, u[j], a[at(i, j)]);
        a[at(i, j)] = t;
        row = fma(t, x[j], row);
        sum[j] = fma(t, x[i], sum[j]);
      }
      const Vec<N> t = fnma(f, u[i], a[at(i, i)]);
      a[at(i, i)] = t;
      sum[i] = fma(t, x[i], row);
    }
    copy<P>(y, sum);
  }

  /// A += sum over r of x_r x_r'; `x` holds n vectors of P.
  MIXLAB_INLINE void add_products(const Vec<N>* x, int n) {
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) {
      Vec<N> row[P];
      MIXLAB_UNROLL(16)
      for (int j = 0; j <= i; ++j) row[j] = a[at(i, j)];
      for (int r = 0; r < n; ++r) MIXLAB_UNROLL(16)
      for (int j = 0; j <= i; ++j) row[j] = fma(x[r * P + i], x[r * P + j], row[j]);
      MIXLAB_UNROLL(16)
      for (int j = 0; j <= i; ++j) a[at(i, j)] = row[j];
    }
  }
};

/// Tiles of 4 x 4 of the lower triangle, a tile by columns, those on the diagonal in full: a tile loaded once serves
/// both halves of a product.
template <int P, int N>
struct Tiled {
  static_assert(P % 4 == 0);
  static constexpr int n_tiles = P / 4;
  static constexpr int size = n_tiles * (n_tiles + 1) / 2 * 16;
  Vec<N> a[size];

  static constexpr int tile(int i, int j) { return (i * (i + 1) / 2 + j) * 16; }
  static constexpr int at(int i, int j) {
    return i >= j ? tile(i / 4, j / 4) + j % 4 * 4 + i % 4 : tile(j / 4, i / 4) + i % 4 * 4 + j % 4;
  }
  Vec<N> get(int i, int j) const { return a[at(i, j)]; }
  void set(int i, int j, Vec<N> x) {
    a[at(i, j)] = x;
    if (i / 4 == j / 4) a[tile(i / 4, i / 4) + i % 4 * 4 + j % 4] = a[tile(i / 4, i / 4) + j % 4 * 4 + i % 4] = x;
  }

  MIXLAB_INLINE void multiply(const Vec<N>* x, Vec<N>* y) const {
    const Vec<N>* t = a;
    for (int i = 0; i < P; i += 4) {
      const Vec<N> xi[4] = {x[i], x[i + 1], x[i + 2], x[i + 3]};
      Vec<N> even[4] = {0.0, 0.0, 0.0, 0.0}, odd[4] = {0.0, 0.0, 0.0, 0.0};
      for (int j = 0; j < i; j += 4, t += 16) MIXLAB_UNROLL(4)
      for (int c = 0; c < 4; ++c) {
        Vec<N>* row = c % 2 ? odd : even;
        Vec<N> column = y[j + c];
        MIXLAB_UNROLL(4)
        for (int k = 0; k < 4; ++k) {
          const Vec<N> entry = t[4 * c + k];
          row[k] = fma(entry, x[j + c], row[k]);
          column = fma(entry, xi[k], column);
        }
        y[j + c] = column;
      }
      MIXLAB_UNROLL(4)
      for (int k = 0; k < 4; ++k) even[k] = even[k] + odd[k];
      MIXLAB_UNROLL(4)
      for (int c = 0; c < 4; ++c) MIXLAB_UNROLL(4)
      for (int k = 0; k < 4; ++k) even[k] = fma(t[4 * c + k], xi[c], even[k]);
      t += 16;
      copy<4>(y + i, even);
    }
  }

  MIXLAB_INLINE void subtract(const Vec<N>* u, Vec<N> s) {
    Vec<N>* t = a;
    for (int i = 0; i < P; i += 4) {
      const Vec<N> f[4] = {u[i] * s, u[i + 1] * s, u[i + 2] * s, u[i + 3] * s};
      for (int j = 0; j <= i; j += 4, t += 16) MIXLAB_UNROLL(4)
      for (int c = 0; c < 4; ++c) MIXLAB_UNROLL(4)
      for (int k = 0; k < 4; ++k) t[4 * c + k] = fnma(f[k], u[j + c], t[4 * c + k]);
    }
  }

  MIXLAB_INLINE void subtract_and_multiply(const Vec<N>* u, Vec<N> s, const Vec<N>* x, Vec<N>* y) {
    Vec<N>* t = a;
    for (int i = 0; i < P; i += 4) {
      const Vec<N> f[4] = {u[i] * s, u[i + 1] * s, u[i + 2] * s, u[i + 3] * s};
      const Vec<N> xi[4] = {x[i], x[i + 1], x[i + 2], x[i + 3]};
      Vec<N> row[4] = {0.0, 0.0, 0.0, 0.0};
      for (int j = 0; j < i; j += 4, t += 16) MIXLAB_UNROLL(4)
      for (int c = 0; c < 4; ++c) {
        const Vec<N> uj = u[j + c], xj = x[j + c];
        Vec<N> column = y[j + c];
        MIXLAB_UNROLL(4)
        for (int k = 0; k < 4; ++k) {
          const Vec<N> entry = fnma(f[k], uj, t[4 * c + k]);
          t[4 * c + k] = entry;
          row[k] = fma(entry, xj, row[k]);
          column = fma(entry, xi[k], column);
        }
        y[j + c] = column;
      }
      MIXLAB_UNROLL(4)
      for (int c = 0; c < 4; ++c) MIXLAB_UNROLL(4)
      for (int k = 0; k < 4; ++k) {
        const Vec<N> entry = fnma(f[k], u[i + c], t[4 * c + k]);
        t[4 * c + k] = entry;
        row[k] = fma(entry, xi[c], row[k]);
      }
      t += 16;
      copy<4>(y + i, row);
    }
  }

  MIXLAB_INLINE void add_products(const Vec<N>* x, int n) {
    Vec<N>* t = a;
    for (int i = 0; i < P; i += 4)
      for (int j = 0; j <= i; j += 4)
        for (int half = 0; half < 2; ++half, t += 8) {
          Vec<N> sum[8];
          copy<8>(sum, t);
          for (int r = 0; r < n; ++r) {
            const Vec<N>* row = x + r * P + i;
            const Vec<N> first = x[r * P + j + 2 * half], second = x[r * P + j + 2 * half + 1];
            MIXLAB_UNROLL(4)
            for (int k = 0; k < 4; ++k) {
              sum[k] = fma(row[k], first, sum[k]);
              sum[4 + k] = fma(row[k], second, sum[4 + k]);
            }
          }
          copy<8>(t, sum);
        }
  }
};

template <int P, int N>
using Symmetric = std::conditional_t<(P <= 12), Packed<P, N>, Tiled<P, N>>;

/// Replaces A by (A + shift I)^{-1}, by symmetric Gauss-Jordan elimination. False in the lanes where a pivot falls below
/// `smallest_pivot`, which is then put in its place. Components from p on, which only fill up the vectors, count as 1.
template <int P, int N>
[[gnu::noinline]] Mask<N> invert(Symmetric<P, N>& A, Vec<N> shift, Vec<N> smallest_pivot, int p, Vec<N>* pivots) {
  Mask<N> good = everywhere<N>();
  for (int i = 0; i < P; ++i) A.set(i, i, i < p ? A.get(i, i) + shift : Vec<N>(1.0));
  for (int k = 0; k < P; ++k) {
    Vec<N> column[P];
    for (int i = 0; i < P; ++i) column[i] = A.get(i, k);
    const Vec<N> pivot = max(column[k], k < p ? smallest_pivot : Vec<N>(1.0));
    if (k < p) good = good & (column[k] > smallest_pivot);
    pivots[k] = pivot;
    const Vec<N> inverse = 1.0 / pivot;
    column[k] = 0.0;
    A.subtract(column, inverse);
    for (int i = 0; i < P; ++i)
      if (i != k) A.set(i, k, column[i] * inverse);
    A.set(k, k, -inverse);
  }
  for (auto& entry : A.a) entry = -entry;
  return good;
}

/// The factor of A + shift I = L L', for the rare occasions: plain loops.
template <int P, int N>
class Factor {
 public:
  /// Components from p on, which only fill up the vectors, count as 1.
  void factor(const Symmetric<P, N>& A, double shift, int p) {
    for (int j = 0; j < P; ++j) {
      Vec<N> pivot = j < p ? A.get(j, j) + shift : Vec<N>(1.0);
      for (int k = 0; k < j; ++k) pivot = fnma(L_[j][k], L_[j][k], pivot);
      inverse_[j] = 1.0 / sqrt(pivot);
      pivot_[j] = pivot;
      for (int i = j + 1; i < P; ++i) {
        Vec<N> sum = A.get(i, j);
        for (int k = 0; k < j; ++k) sum = fnma(L_[i][k], L_[j][k], sum);
        L_[i][j] = sum * inverse_[j];
      }
    }
  }

  /// y = L^{-1} x
  void forward(const Vec<N>* x, Vec<N>* y) const {
    for (int i = 0; i < P; ++i) {
      Vec<N> sum = x[i];
      for (int k = 0; k < i; ++k) sum = fnma(L_[i][k], y[k], sum);
      y[i] = sum * inverse_[i];
    }
  }
  /// y = L'^{-1} x
  void backward(const Vec<N>* x, Vec<N>* y) const {
    for (int i = P - 1; i >= 0; --i) {
      Vec<N> sum = x[i];
      for (int k = i + 1; k < P; ++k) sum = fnma(L_[k][i], y[k], sum);
      y[i] = sum * inverse_[i];
    }
  }
  /// The pivots, whose product is the determinant.
  const Vec<N>* pivots() const { return pivot_; }

 private:
  Vec<N> L_[P][P];
  Vec<N> inverse_[P];  ///< 1/L_ii
  Vec<N> pivot_[P];    ///< L_ii^2
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
