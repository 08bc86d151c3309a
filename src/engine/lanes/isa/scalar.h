// Lane by lane, for every machine: two lanes in the compiler's own vectors, which it spreads over what registers it has.
//
// The files of this folder are instruction sets, with the same operations in each. A source defines MIXLAB_LANES, the
// namespace of all that it compiles for the instruction set, then includes one of them and after it what it compiles.
#pragma once

#include "engine/lanes/prelude.h"
#include "rolled.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

inline constexpr int n_lanes = 2;

}  // namespace mixlab::engine::lanes::MIXLAB_LANES

#include "registers.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// One truth per lane.
struct Mask {
  using Bits = Integers;
  Bits r[1];
};

MIXLAB_INLINE Vec::Vec(double x) {
  for (int lane = 0; lane < n_lanes; ++lane) r[0][lane] = x;
}

/// Lane l: the number at from[l], `step` vectors further on.
MIXLAB_INLINE Vec gather(const double* const* from, int step = 0) {
  const int i = step * n_lanes;
  return Vec(Register{from[0][i], from[1][i]});
}

MIXLAB_INLINE Mask operator<(Vec a, Vec b) {
  return {a.r[0] < b.r[0]};
}
MIXLAB_INLINE Mask operator<=(Vec a, Vec b) {
  return {a.r[0] <= b.r[0]};
}
MIXLAB_INLINE Mask operator>(Vec a, Vec b) {
  return {a.r[0] > b.r[0]};
}
MIXLAB_INLINE Mask operator>=(Vec a, Vec b) {
  return {a.r[0] >= b.r[0]};
}

MIXLAB_INLINE bool any(Mask a) {
  for (int lane = 0; lane < n_lanes; ++lane)
    if (a.r[0][lane]) return true;
  return false;
}
MIXLAB_INLINE bool all(Mask a) {
  for (int lane = 0; lane < n_lanes; ++lane)
    if (!a.r[0][lane]) return false;
  return true;
}

/// mask ? a : b
MIXLAB_INLINE Vec select(Mask mask, Vec a, Vec b) {
  return Vec(mask.r[0] ? a.r[0] : b.r[0]);
}

/// a b + c. Not inlined: without an instruction for it a call of the library per lane.
[[gnu::noinline]] MIXLAB_INLINE Vec fma(Vec a, Vec b, Vec c) {
  for (int lane = 0; lane < n_lanes; ++lane) c.r[0][lane] = std::fma(a.r[0][lane], b.r[0][lane], c.r[0][lane]);
  return c;
}
/// c - a b
MIXLAB_INLINE Vec fnma(Vec a, Vec b, Vec c) {
  return fma(Vec(-a.r[0]), b, c);
}
MIXLAB_INLINE Vec sqrt(Vec a) {
  for (int lane = 0; lane < n_lanes; ++lane) a.r[0][lane] = std::sqrt(a.r[0][lane]);
  return a;
}

/// The larger one; b if one of them is not a number, or if both are zero.
MIXLAB_INLINE Vec max(Vec a, Vec b) {
  return Vec(a.r[0] > b.r[0] ? a.r[0] : b.r[0]);
}
/// The smaller one; b if one of them is not a number, or if both are zero.
MIXLAB_INLINE Vec min(Vec a, Vec b) {
  return Vec(a.r[0] < b.r[0] ? a.r[0] : b.r[0]);
}

/// The product of the lower halves.
MIXLAB_INLINE Words multiply_low(Words a, Words b) {
  return (a & 0xffffffff) * (b & 0xffffffff);
}

// Single precision.

MIXLAB_INLINE Singles in_both_halves(const HalfSingles& a) {
  Singles both;
  for (int l = 0; l < 2 * n_lanes; ++l) both[l] = a.lane[l % n_lanes];
  return both;
}
/// In vectors, not number by number: gcc 12 would leave out the rounding where pair and to_double meet.
MIXLAB_INLINE Singles pair(Vec lower, Vec upper) {
  using Single = float __attribute__((vector_size(register_bytes / 2)));
  return __builtin_shufflevector(__builtin_convertvector(lower.r[0], Single),
                                 __builtin_convertvector(upper.r[0], Single), 0, 1, 2, 3);
}
template <Half half>
MIXLAB_INLINE Vec to_double(Singles a) {
  constexpr int first = half == Half::lower ? 0 : n_lanes;
  return Vec(__builtin_convertvector(__builtin_shufflevector(a, a, first, first + 1), Register));
}
template <Half half>
MIXLAB_INLINE Integers widen(Indices a) {
  Integers out;
  for (int l = 0; l < n_lanes; ++l) out[l] = a[half == Half::lower ? l : n_lanes + l];
  return out;
}

/// a b + c, in two steps where there is nothing better.
MIXLAB_INLINE Singles fma(Singles a, Singles b, Singles c) {
  return a * b + c;
}
MIXLAB_INLINE Singles sqrt(Singles a) {
  for (int l = 0; l < 2 * n_lanes; ++l) a[l] = std::sqrt(a[l]);
  return a;
}
MIXLAB_INLINE Singles max(Singles a, Singles b) {
  return a > b ? a : b;
}
MIXLAB_INLINE Singles min(Singles a, Singles b) {
  return a < b ? a : b;
}
/// a > b ? later : earlier, for indices 0 <= earlier <= later.
MIXLAB_INLINE Indices later_where_greater(Singles a, Singles b, Indices later, Indices earlier) {
  return a > b ? later : earlier;
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
