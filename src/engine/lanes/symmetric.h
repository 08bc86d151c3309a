// Small dense algebra: vectors of P components and symmetric P x P matrices, one problem per lane.
#pragma once

#include "vector.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// <x, y>, in up to four partial sums.
template <int P>
MIXLAB_INLINE Vec dot(const Vec* x, const Vec* y) {
  constexpr int n_sums = P < 4 ? 1 : P < 8 ? 2 : 4;
  Vec sum[n_sums];
  MIXLAB_UNROLL(4)
  for (int i = 0; i < n_sums; ++i) sum[i] = x[i] * y[i];
  if constexpr (P > 32 && P % n_sums == 0) {  // too long to be unrolled
    for (int i = n_sums; i < P; i += n_sums) {
      MIXLAB_UNROLL(4)
      for (int k = 0; k < n_sums; ++k) sum[k] = fma(x[i + k], y[i + k], sum[k]);
    }
  } else {
    MIXLAB_UNROLL(32)
    for (int i = n_sums; i < P; ++i) sum[i % n_sums] = fma(x[i], y[i], sum[i % n_sums]);
  }
  if constexpr (n_sums == 4) return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  if constexpr (n_sums == 2) return sum[0] + sum[1];
  return sum[0];
}

/// y += a x
template <int P>
MIXLAB_INLINE void add(Vec* y, Vec a, const Vec* x) {
  MIXLAB_UNROLL(32)
  for (int i = 0; i < P; ++i) y[i] = fma(a, x[i], y[i]);
}

template <int P>
MIXLAB_INLINE void copy(Vec* to, const Vec* from) {
  MIXLAB_UNROLL(32)
  for (int i = 0; i < P; ++i) to[i] = from[i];
}

/// Keeps the compiler from mixing the loads of one kernel into the one before, which costs it its registers.
MIXLAB_INLINE void fence() {
  asm volatile("" ::: "memory");
}

/// Packed by rows of the lower triangle: every loop unrolls, the result stays in registers.
template <int P>
struct Packed {
  static constexpr int size = P * (P + 1) / 2;
  Vec a[size];

  static constexpr int at(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }
  Vec get(int i, int j) const { return a[at(i, j)]; }
  void set(int i, int j, Vec x) { a[at(i, j)] = x; }

  MIXLAB_INLINE void get_column(int k, Vec* x) const {
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) x[i] = a[at(i, k)];
  }
  MIXLAB_INLINE void set_column(int k, const Vec* x) {
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) a[at(i, k)] = x[i];
  }

  /// y = A x
  MIXLAB_INLINE void multiply(const Vec* x, Vec* y) const {
    fence();
    Vec sum[P];
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) sum[i] = a[at(i, 0)] * x[0];
    MIXLAB_UNROLL(16)
    for (int j = 1; j < P; ++j) {
      MIXLAB_UNROLL(16)
      for (int i = 0; i < P; ++i) sum[i] = fma(a[at(i, j)], x[j], sum[i]);
    }
    copy<P>(y, sum);
  }

  /// A -= s u u'
  MIXLAB_INLINE void subtract(const Vec* u, Vec s) {
    fence();
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) {
      const Vec f = u[i] * s;
      MIXLAB_UNROLL(16)
      for (int j = 0; j <= i; ++j) a[at(i, j)] = fnma(f, u[j], a[at(i, j)]);
    }
  }

  /// A -= s u u', then y = A x, in one pass.
  MIXLAB_INLINE void subtract_and_multiply(const Vec* u, Vec s, const Vec* x, Vec* y) {
    fence();
    Vec sum[P];
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) {
      const Vec f = u[i] * s;
      Vec row = 0.0;
      MIXLAB_UNROLL(16)
      for (int j = 0; j < i; ++j) {
        const Vec t = fnma(f, u[j], a[at(i, j)]);
        a[at(i, j)] = t;
        row = fma(t, x[j], row);
        sum[j] = fma(t, x[i], sum[j]);
      }
      const Vec t = fnma(f, u[i], a[at(i, i)]);
      a[at(i, i)] = t;
      sum[i] = fma(t, x[i], row);
    }
    copy<P>(y, sum);
  }

  /// body(k, A(i, k)) for k < i.
  template <class Body>
  MIXLAB_INLINE void each_in_row(int i, Body body) const {
    MIXLAB_UNROLL(16)
    for (int k = 0; k < i; ++k) body(k, a[at(i, k)]);
  }

  /// Of the first n rows and columns: A -= u q' + q u', then y = A x.
  MIXLAB_INLINE void subtract_both_and_multiply(int n, const Vec* u, const Vec* q, const Vec* x, Vec* y) {
    fence();
    MIXLAB_UNROLL(16)
    for (int i = 0; i < n; ++i) {
      Vec row = 0.0;
      MIXLAB_UNROLL(16)
      for (int j = 0; j <= i; ++j) {
        const Vec entry = fnma(q[i], u[j], fnma(u[i], q[j], a[at(i, j)]));
        a[at(i, j)] = entry;
        row = fma(entry, x[j], row);
        if (j < i) y[j] = fma(entry, x[i], y[j]);
      }
      y[i] = row;
    }
  }

  MIXLAB_INLINE void add(const Packed& B) {
    MIXLAB_UNROLL(16)
    for (int i = 0; i < size; ++i) a[i] = a[i] + B.a[i];
  }

  /// A += sum over r of x_r x_r'; `x` holds n vectors of P.
  MIXLAB_INLINE void add_products(const Vec* x, int n) {
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) {
      Vec row[P];
      MIXLAB_UNROLL(16)
      for (int j = 0; j <= i; ++j) row[j] = a[at(i, j)];
      for (int r = 0; r < n; ++r) {
        MIXLAB_UNROLL(16)
        for (int j = 0; j <= i; ++j) row[j] = fma(x[r * P + i], x[r * P + j], row[j]);
      }
      MIXLAB_UNROLL(16)
      for (int j = 0; j <= i; ++j) a[at(i, j)] = row[j];
    }
  }
};

/// Tiles of 4 x 4 of the lower triangle, each by columns, those on the diagonal in full: a tile loaded once serves
/// both halves of a product.
template <int P>
struct Tiled {
  static_assert(P % 4 == 0);
  static constexpr int n_tiles = P / 4;
  static constexpr int size = n_tiles * (n_tiles + 1) / 2 * 16;
  Vec a[size];

  static constexpr int tile(int i, int j) { return (i * (i + 1) / 2 + j) * 16; }
  static constexpr int at(int i, int j) {
    return i >= j ? tile(i / 4, j / 4) + j % 4 * 4 + i % 4 : tile(j / 4, i / 4) + i % 4 * 4 + j % 4;
  }
  Vec get(int i, int j) const { return a[at(i, j)]; }
  void set(int i, int j, Vec x) {
    a[at(i, j)] = x;
    if (i / 4 == j / 4) a[tile(i / 4, i / 4) + i % 4 * 4 + j % 4] = a[tile(i / 4, i / 4) + j % 4 * 4 + i % 4] = x;
  }

  MIXLAB_INLINE void multiply(const Vec* x, Vec* y) const {
    const Vec* t = a;
    for (int i = 0; i < P; i += 4) {
      const Vec xi[4] = {x[i], x[i + 1], x[i + 2], x[i + 3]};
      Vec even[4] = {0.0, 0.0, 0.0, 0.0}, odd[4] = {0.0, 0.0, 0.0, 0.0};
      for (int j = 0; j < i; j += 4, t += 16) {
        MIXLAB_UNROLL(4)
        for (int c = 0; c < 4; ++c) {
          Vec* row = c % 2 ? odd : even;
          Vec column = y[j + c];
          MIXLAB_UNROLL(4)
          for (int k = 0; k < 4; ++k) {
            const Vec entry = t[4 * c + k];
            row[k] = fma(entry, x[j + c], row[k]);
            column = fma(entry, xi[k], column);
          }
          y[j + c] = column;
        }
      }
      MIXLAB_UNROLL(4)
      for (int k = 0; k < 4; ++k) even[k] = even[k] + odd[k];
      MIXLAB_UNROLL(4)
      for (int c = 0; c < 4; ++c) {
        MIXLAB_UNROLL(4)
        for (int k = 0; k < 4; ++k) even[k] = fma(t[4 * c + k], xi[c], even[k]);
      }
      t += 16;
      copy<4>(y + i, even);
    }
  }

  MIXLAB_INLINE void subtract(const Vec* u, Vec s) {
    Vec* t = a;
    for (int i = 0; i < P; i += 4) {
      const Vec f[4] = {u[i] * s, u[i + 1] * s, u[i + 2] * s, u[i + 3] * s};
      for (int j = 0; j <= i; j += 4, t += 16) {
        MIXLAB_UNROLL(4)
        for (int c = 0; c < 4; ++c) {
          MIXLAB_UNROLL(4)
          for (int k = 0; k < 4; ++k) t[4 * c + k] = fnma(f[k], u[j + c], t[4 * c + k]);
        }
      }
    }
  }

  MIXLAB_INLINE void subtract_and_multiply(const Vec* u, Vec s, const Vec* x, Vec* y) {
    Vec* t = a;
    for (int i = 0; i < P; i += 4) {
      const Vec f[4] = {u[i] * s, u[i + 1] * s, u[i + 2] * s, u[i + 3] * s};
      const Vec xi[4] = {x[i], x[i + 1], x[i + 2], x[i + 3]};
      Vec row[4] = {0.0, 0.0, 0.0, 0.0};
      for (int j = 0; j < i; j += 4, t += 16) {
        MIXLAB_UNROLL(4)
        for (int c = 0; c < 4; ++c) {
          const Vec uj = u[j + c], xj = x[j + c];
          Vec column = y[j + c];
          MIXLAB_UNROLL(4)
          for (int k = 0; k < 4; ++k) {
            const Vec entry = fnma(f[k], uj, t[4 * c + k]);
            t[4 * c + k] = entry;
            row[k] = fma(entry, xj, row[k]);
            column = fma(entry, xi[k], column);
          }
          y[j + c] = column;
        }
      }
      MIXLAB_UNROLL(4)
      for (int c = 0; c < 4; ++c) {
        MIXLAB_UNROLL(4)
        for (int k = 0; k < 4; ++k) {
          const Vec entry = fnma(f[k], u[i + c], t[4 * c + k]);
          t[4 * c + k] = entry;
          row[k] = fma(entry, xi[c], row[k]);
        }
      }
      t += 16;
      copy<4>(y + i, row);
    }
  }

  /// Up to the end of the last tile.
  template <class Body>
  MIXLAB_INLINE void each_in_row(int i, Body body) const {
    const Vec* t = a + tile(i / 4, 0) + i % 4;
    for (int j = 0; j < i; j += 4, t += 16) {
      MIXLAB_UNROLL(4)
      for (int c = 0; c < 4; ++c) body(j + c, t[4 * c]);
    }
  }

  /// Leaves what is above the diagonal as it is. y = 0 in the rest of the last tile.
  MIXLAB_INLINE void subtract_both_and_multiply(int n, const Vec* u, const Vec* q, const Vec* x, Vec* y) {
    Vec* t = a;
    int i = 0;
    for (; i + 4 <= n; i += 4) t = subtract_both_in_rows<4>(i, t, u, q, x, y);
    if (n % 4 == 1) subtract_both_in_rows<1>(i, t, u, q, x, y);
    if (n % 4 == 2) subtract_both_in_rows<2>(i, t, u, q, x, y);
    if (n % 4 == 3) subtract_both_in_rows<3>(i, t, u, q, x, y);
  }

  void add(const Tiled& B) {
    for (int i = 0; i < size; ++i) a[i] = a[i] + B.a[i];
  }

  MIXLAB_INLINE void add_products(const Vec* x, int n) {
    Vec* t = a;
    for (int i = 0; i < P; i += 4)
      for (int j = 0; j <= i; j += 4)
        for (int half = 0; half < 2; ++half, t += 8) {
          Vec sum[8];
          copy<8>(sum, t);
          for (int r = 0; r < n; ++r) {
            const Vec* row = x + r * P + i;
            const Vec first = x[r * P + j + 2 * half], second = x[r * P + j + 2 * half + 1];
            MIXLAB_UNROLL(4)
            for (int k = 0; k < 4; ++k) {
              sum[k] = fma(row[k], first, sum[k]);
              sum[4 + k] = fma(row[k], second, sum[4 + k]);
            }
          }
          copy<8>(t, sum);
        }
  }

 private:
  /// n rows from row i on, of which t has the tiles; returns what comes after them.
  template <int n>
  MIXLAB_INLINE static Vec* subtract_both_in_rows(int i, Vec* t, const Vec* u, const Vec* q, const Vec* x, Vec* y) {
    Vec row[4] = {0.0, 0.0, 0.0, 0.0};
    for (int j = 0; j < i; j += 4, t += 16) {
      MIXLAB_UNROLL(4)
      for (int c = 0; c < 4; ++c) {
        const Vec uj = u[j + c], qj = q[j + c], xj = x[j + c];
        Vec column = y[j + c];
        MIXLAB_UNROLL(4)
        for (int k = 0; k < n; ++k) {
          const Vec entry = fnma(q[i + k], uj, fnma(u[i + k], qj, t[4 * c + k]));
          t[4 * c + k] = entry;
          row[k] = fma(entry, xj, row[k]);
          column = fma(entry, x[i + k], column);
        }
        y[j + c] = column;
      }
    }
    MIXLAB_UNROLL(4)
    for (int c = 0; c < n; ++c) {
      MIXLAB_UNROLL(4)
      for (int k = c; k < n; ++k) {
        const Vec entry = fnma(q[i + k], u[i + c], fnma(u[i + k], q[i + c], t[4 * c + k]));
        t[4 * c + k] = entry;
        row[k] = fma(entry, x[i + c], row[k]);
        if (k > c) row[c] = fma(entry, x[i + k], row[c]);
      }
    }
    copy<4>(y + i, row);
    return t + 16;
  }
};

template <int P>
using Symmetric = std::conditional_t<(P <= 12), Packed<P>, Tiled<P>>;

/// The factor of A + shift I = L L', for the rare occasions: plain loops.
template <int P>
class Factor {
 public:
  /// Components from p on, which only fill up the vectors, count as 1.
  void factor(const Symmetric<P>& A, double shift, int p) {
    for (int j = 0; j < P; ++j) {
      Vec pivot = j < p ? A.get(j, j) + shift : Vec(1.0);
      for (int k = 0; k < j; ++k) pivot = fnma(L_[j][k], L_[j][k], pivot);
      inverse_[j] = 1.0 / sqrt(pivot);
      pivot_[j] = pivot;
      for (int i = j + 1; i < P; ++i) {
        Vec sum = A.get(i, j);
        for (int k = 0; k < j; ++k) sum = fnma(L_[i][k], L_[j][k], sum);
        L_[i][j] = sum * inverse_[j];
      }
    }
  }

  /// y = L^{-1} x
  void forward(const Vec* x, Vec* y) const {
    for (int i = 0; i < P; ++i) {
      Vec sum = x[i];
      for (int k = 0; k < i; ++k) sum = fnma(L_[i][k], y[k], sum);
      y[i] = sum * inverse_[i];
    }
  }
  /// y = L'^{-1} x
  void backward(const Vec* x, Vec* y) const {
    for (int i = P - 1; i >= 0; --i) {
      Vec sum = x[i];
      for (int k = i + 1; k < P; ++k) sum = fnma(L_[k][i], y[k], sum);
      y[i] = sum * inverse_[i];
    }
  }
  /// The pivots, whose product is the determinant.
  const Vec* pivots() const { return pivot_; }

 private:
  Vec L_[P][P];
  Vec inverse_[P];  ///< 1/L_ii
  Vec pivot_[P];    ///< L_ii^2
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
