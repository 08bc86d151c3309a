// Inverses of symmetric matrices, one problem per lane.
#pragma once

#include "symmetric.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// The pivots of an elimination. Components from p on, which only fill up the vectors, have 1.
struct Pivots {
  Vec smallest;  ///< takes the place of those below
  int p;
  Vec* taken;
  Mask good;  ///< where none was below

  /// 1/pivot of step k, which finds `entry` on the diagonal.
  MIXLAB_INLINE Vec inverse(int k, Vec entry) {
    if (k < p) good = good & (entry > smallest);
    const Vec pivot = max(entry, k < p ? smallest : Vec(1.0));
    taken[k] = pivot;
    return 1.0 / pivot;
  }
};

/// Turns A into -A^{-1} by symmetric Gauss-Jordan elimination. Let u be column k with 0 in place of the pivot, s = 1/pivot.
/// Step k:
///   a_ij -= (s u_i) u_j,   then   a_ik = a_ki = s u_i,   a_kk = -s.
template <int P>
MIXLAB_INLINE void eliminate(Packed<P>& A, Pivots& pivots) {
  MIXLAB_UNROLL(12)
  for (int k = 0; k < P; ++k) {
    Vec u[P];
    A.get_column(k, u);
    const Vec s = pivots.inverse(k, u[k]);
    u[k] = 0.0;
    A.subtract(u, s);
    MIXLAB_UNROLL(16)
    for (int i = 0; i < P; ++i) u[i] = u[i] * s;
    u[k] = -s;
    A.set_column(k, u);
  }
}

/// Steps k to k + 3 of the elimination of a tiled matrix: first all of columns k to k + 3, which gives the u and s of the
/// four steps, then every other entry, loaded and stored once. Each entry sees the same operations as step by step.
template <int P>
class FourSteps {
 public:
  MIXLAB_INLINE void take(Tiled<P>& A, int k, Pivots& pivots) {
    Vec* left = A.a + A.tile(k / 4, 0);
    eliminate_diagonal(left + 4 * k, k, pivots);
    eliminate_left(left, k);
    for (int i = k + 4; i < P; ++i) eliminate_below(A.a + A.at(i, k), i, k);
    for (int i = 0; i < P; i += 4)
      if (i != k) subtract(A.a + A.tile(i / 4, 0), i, k);
  }

 private:
  /// The tile that has the pivots.
  MIXLAB_INLINE void eliminate_diagonal(Vec* tile, int k, Pivots& pivots) {
    Vec a[16], su[4];
    copy<16>(a, tile);
    MIXLAB_UNROLL(4)
    for (int c = 0; c < 4; ++c) {
      s_[c] = pivots.inverse(k + c, a[5 * c]);
      a[5 * c] = 0.0;
      MIXLAB_UNROLL(4)
      for (int r = 0; r < 4; ++r) {
        u_[k + r][c] = a[4 * c + r];
        su[r] = a[4 * c + r] * s_[c];
      }
      MIXLAB_UNROLL(4)
      for (int d = 0; d < 4; ++d) {
        MIXLAB_UNROLL(4)
        for (int r = 0; r < 4; ++r) a[4 * d + r] = fnma(su[r], u_[k + d][c], a[4 * d + r]);
      }
      MIXLAB_UNROLL(4)
      for (int r = 0; r < 4; ++r) a[4 * c + r] = a[4 * r + c] = su[r];
      a[5 * c] = -s_[c];
    }
    copy<16>(tile, a);
  }

  /// The tiles left of it, column by column.
  MIXLAB_INLINE void eliminate_left(Vec* left, int k) {
    Vec su[4][4];
    scale(k, su);
    for (int j = 0; j < k; ++j) {
      Vec a[4];
      copy<4>(a, left + 4 * j);
      MIXLAB_UNROLL(4)
      for (int c = 0; c < 4; ++c) {
        const Vec u = u_[j][c] = a[c];
        MIXLAB_UNROLL(4)
        for (int r = 0; r < 4; ++r) a[r] = fnma(su[r][c], u, a[r]);
        a[c] = u * s_[c];
      }
      copy<4>(left + 4 * j, a);
    }
  }

  /// Row i of the tiles below it.
  MIXLAB_INLINE void eliminate_below(Vec* row, int i, int k) {
    Vec a[4] = {row[0], row[4], row[8], row[12]};
    MIXLAB_UNROLL(4)
    for (int c = 0; c < 4; ++c) {
      u_[i][c] = a[c];
      const Vec su = a[c] * s_[c];
      MIXLAB_UNROLL(4)
      for (int d = 0; d < 4; ++d) a[d] = fnma(su, u_[k + d][c], a[d]);
      a[c] = su;
    }
    MIXLAB_UNROLL(4)
    for (int d = 0; d < 4; ++d) row[4 * d] = a[d];
  }

  /// The other tiles in rows i to i + 3. The su stay in registers, as many as there are.
  MIXLAB_INLINE void subtract(Vec* tiles, int i, int k) const {
    Vec su[4][4];
    scale(i, su);
    for (int j = 0; j <= i; j += 4) {
      if (j == k) continue;
      MIXLAB_UNROLL(4)
      for (int d = 0; d < 4; ++d) subtract(tiles + 4 * (j + d), su, u_[j + d]);
    }
  }
  MIXLAB_INLINE static void subtract(Vec* column, const Vec (&su)[4][4], const Vec* u) {
    Vec a[4];
    copy<4>(a, column);
    MIXLAB_UNROLL(4)
    for (int c = 0; c < 4; ++c) {
      MIXLAB_UNROLL(4)
      for (int r = 0; r < 4; ++r) a[r] = fnma(su[r][c], u[c], a[r]);
    }
    copy<4>(column, a);
  }

  /// s u in rows i to i + 3.
  MIXLAB_INLINE void scale(int i, Vec (&su)[4][4]) const {
    MIXLAB_UNROLL(4)
    for (int r = 0; r < 4; ++r) {
      MIXLAB_UNROLL(4)
      for (int c = 0; c < 4; ++c) su[r][c] = u_[i + r][c] * s_[c];
    }
  }

  Vec u_[P][4];  ///< [i][c]: u_i of step k + c
  Vec s_[4];
};

template <int P>
MIXLAB_INLINE void eliminate(Tiled<P>& A, Pivots& pivots) {
  FourSteps<P> steps;
  for (int k = 0; k < P; k += 4) steps.take(A, k, pivots);
}

/// Replaces A by (A + shift I)^{-1}. False in the lanes where a pivot falls below `smallest_pivot`, which is then put in
/// its place. Components from p on, which only fill up the vectors, count as 1.
template <int P>
[[gnu::noinline]] Mask invert(Symmetric<P>& A, Vec shift, Vec smallest_pivot, int p, Vec* pivots) {
  for (int i = 0; i < P; ++i) A.set(i, i, i < p ? A.get(i, i) + shift : Vec(1.0));
  Pivots elimination{smallest_pivot, p, pivots, everywhere()};
  eliminate(A, elimination);
  for (auto& entry : A.a) entry = 0.0 - entry;  // 0, never -0: what a neighbour does must not turn one into the other
  return elimination.good;
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
