// A + shift I = L D L', L with a diagonal of ones, one problem per lane.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Ldl {
 public:
  using V = Vec;

  /// Says where all pivots are above `smallest`, which takes the place of others. Components from p on, which only fill up
  /// the vectors, count as 1.
  [[gnu::noinline]] Mask factor(const Symmetric<P>& A, V shift, V smallest, int p) {
    good_ = everywhere();
    smallest_ = smallest;
    p_ = p;
    if constexpr (is_packed)
      factor_rows(A, shift);
    else
      factor_tiles(A, shift);
    return good_;
  }

  /// y = L^{-1} x; ||x||^2 in the norm of the inverse is weigh(y).
  MIXLAB_INLINE void forward(const V* x, V* y) const {
    if constexpr (is_packed) {
      V rest[P];
      copy<P>(rest, x);
      MIXLAB_UNROLL(16)
      for (int j = 0; j < P; ++j) {
        y[j] = rest[j];
        MIXLAB_UNROLL(16)
        for (int i = j + 1; i < P; ++i) rest[i] = fnma(L_[i][j], rest[j], rest[i]);
      }
    } else {
      for (int i = 0; i < P; i += 4) {
        V rest[4];
        copy<4>(rest, x + i);
        for (int k = 0; k < i; ++k) {
          MIXLAB_UNROLL(4)
          for (int r = 0; r < 4; ++r) rest[r] = fnma(L_[i + r][k], y[k], rest[r]);
        }
        MIXLAB_UNROLL(4)
        for (int j = 0; j < 4; ++j) {
          y[i + j] = rest[j];
          MIXLAB_UNROLL(4)
          for (int r = j + 1; r < 4; ++r) rest[r] = fnma(L_[i + r][i + j], rest[j], rest[r]);
        }
      }
    }
  }
  V inverse_pivot(int i) const { return inverse_[i]; }
  /// y' D^{-1} y
  MIXLAB_INLINE V weigh(const V* y) const {
    V scaled[P];
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) scaled[i] = y[i] * inverse_[i];
    return dot<P>(y, scaled);
  }
  /// x = L'^{-1} D^{-1} y: after forward, the solution.
  MIXLAB_INLINE void backward(const V* y, V* x) const {
    V rest[P];
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) rest[i] = y[i] * inverse_[i];
    if constexpr (is_packed) {
      MIXLAB_UNROLL(16)
      for (int i = P - 1; i >= 0; --i) {
        x[i] = rest[i];
        MIXLAB_UNROLL(16)
        for (int k = 0; k < i; ++k) rest[k] = fnma(L_[i][k], rest[i], rest[k]);
      }
    } else {
      for (int i = P - 4; i >= 0; i -= 4) {
        MIXLAB_UNROLL(4)
        for (int j = 3; j >= 0; --j) {
          x[i + j] = rest[i + j];
          MIXLAB_UNROLL(4)
          for (int r = 0; r < j; ++r) rest[i + r] = fnma(L_[i + j][i + r], x[i + j], rest[i + r]);
        }
        for (int k = 0; k < i; ++k) {
          V sum = rest[k];
          MIXLAB_UNROLL(4)
          for (int r = 0; r < 4; ++r) sum = fnma(L_[i + r][k], x[i + r], sum);
          rest[k] = sum;
        }
      }
    }
  }

 private:
  static constexpr bool is_packed = std::is_same_v<Symmetric<P>, Packed<P>>;

  /// 1/pivot
  MIXLAB_INLINE V invert_pivot(int i, V pivot) {
    if (i < p_) good_ = good_ & (pivot > smallest_);
    return inverse_[i] = 1.0 / max(pivot, i < p_ ? smallest_ : V(1.0));
  }

  /// Row after row, each a forward substitution: it stays in registers.
  MIXLAB_INLINE void factor_rows(const Symmetric<P>& A, V shift) {
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) {
      V row[P];
      MIXLAB_UNROLL(16)
      for (int j = 0; j <= i; ++j) row[j] = A.get(i, j);
      V pivot = row[i] + shift;
      MIXLAB_UNROLL(16)
      for (int j = 0; j < i; ++j) {
        const V scaled = row[j] * inverse_[j];
        pivot = fnma(row[j], scaled, pivot);
        MIXLAB_UNROLL(16)
        for (int k = j + 1; k < i; ++k) row[k] = fnma(L_[k][j], row[j], row[k]);
        L_[i][j] = scaled;
      }
      invert_pivot(i, pivot);
    }
  }

  /// Four rows at a time, by tiles.
  MIXLAB_INLINE void factor_tiles(const Symmetric<P>& A, V shift) {
    V rows[4][P];  // of L D
    for (int i = 0; i < P; i += 4) {
      const V* tile = A.a + A.tile(i / 4, 0);
      for (int j = 0; j < i; j += 4, tile += 16) {
        MIXLAB_UNROLL(2)
        for (int half = 0; half < 4; half += 2) {
          V sum[2][4];
          MIXLAB_UNROLL(2)
          for (int c = 0; c < 2; ++c) copy<4>(sum[c], tile + 4 * (half + c));
          for (int k = 0; k < j; ++k) subtract(sum, rows, j + half, k);
          MIXLAB_UNROLL(4)
          for (int k = 0; k < half; ++k) subtract(sum, rows, j + half, j + k);
          MIXLAB_UNROLL(4)
          for (int r = 0; r < 4; ++r) {
            rows[r][j + half] = sum[0][r];
            rows[r][j + half + 1] = fnma(sum[0][r], L_[j + half + 1][j + half], sum[1][r]);
          }
        }
      }
      MIXLAB_UNROLL(4)
      for (int r = 0; r < 4; ++r) {
        for (int k = 0; k < i; ++k) L_[i + r][k] = rows[r][k] * inverse_[k];
      }
      MIXLAB_UNROLL(4)
      for (int r = 0; r < 4; ++r) {
        MIXLAB_UNROLL(4)
        for (int c = 0; c <= r; ++c) {
          V sum = tile[4 * c + r];
          if (c == r) sum = sum + shift;
          for (int k = 0; k < i; ++k) sum = fnma(rows[r][k], L_[i + c][k], sum);
          MIXLAB_UNROLL(4)
          for (int k = 0; k < c; ++k) sum = fnma(rows[r][i + k], L_[i + c][i + k], sum);
          rows[r][i + c] = sum;
          if (c < r)
            L_[i + r][i + c] = sum * inverse_[i + c];
          else
            invert_pivot(i + r, sum);
        }
      }
    }
  }
  MIXLAB_INLINE void subtract(V (&sum)[2][4], const V (&rows)[4][P], int j, int k) const {
    MIXLAB_UNROLL(4)
    for (int r = 0; r < 4; ++r) {
      MIXLAB_UNROLL(2)
      for (int c = 0; c < 2; ++c) sum[c][r] = fnma(rows[r][k], L_[j + c][k], sum[c][r]);
    }
  }

  V L_[P][P];
  V inverse_[P];  ///< 1/pivot
  V smallest_;
  Mask good_;
  int p_ = P;
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
