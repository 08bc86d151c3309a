// The operations that the compiler's own vectors have, spread over what registers there are: all but fused multiply-add.
#pragma once

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
  Vec found;
  for (int lane = 0; lane < n_lanes; ++lane) found.r[0][lane] = from[lane][step * n_lanes];
  return found;
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

/// Bit l: lane l.
MIXLAB_INLINE unsigned lanes_of(Mask a) {
  unsigned bits = 0;
  for (int lane = 0; lane < n_lanes; ++lane) bits |= static_cast<unsigned>(a.r[0][lane] & 1) << lane;
  return bits;
}
MIXLAB_INLINE bool any(Mask a) {
  std::int64_t bits = 0;
  for (int lane = 0; lane < n_lanes; ++lane) bits |= a.r[0][lane];
  return bits != 0;
}
MIXLAB_INLINE bool all(Mask a) {
  std::int64_t bits = -1;
  for (int lane = 0; lane < n_lanes; ++lane) bits &= a.r[0][lane];
  return bits != 0;
}

/// mask ? a : b
MIXLAB_INLINE Vec select(Mask mask, Vec a, Vec b) {
  return Vec(mask.r[0] ? a.r[0] : b.r[0]);
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
/// The upper halves of a, the lower halves of b.
MIXLAB_INLINE Words with_low(Words a, Words b) {
  return ((a >> 32) << 32) | (b & 0xffffffff);
}

// Single precision.

using HalfRegister = float __attribute__((vector_size(register_bytes / 2)));

MIXLAB_INLINE Singles in_both_halves(const HalfSingles& a) {
  Singles both;
  for (int l = 0; l < 2 * n_lanes; ++l) both[l] = a.lane[l % n_lanes];
  return both;
}
template <int first, int... lane>
MIXLAB_INLINE Vec to_double(Singles a, std::integer_sequence<int, lane...>) {
  return Vec(__builtin_convertvector(__builtin_shufflevector(a, a, (first + lane)...), Register));
}
template <int... l>
MIXLAB_INLINE Singles join(HalfRegister lower, HalfRegister upper, std::integer_sequence<int, l...>) {
  return __builtin_shufflevector(lower, upper, l...);
}
/// In vectors, not number by number: gcc 12 would leave out the rounding where pair and to_double meet.
MIXLAB_INLINE Singles pair(Vec lower, Vec upper) {
  return join(__builtin_convertvector(lower.r[0], HalfRegister), __builtin_convertvector(upper.r[0], HalfRegister),
              std::make_integer_sequence<int, 2 * n_lanes>());
}
template <Half half>
MIXLAB_INLINE Vec to_double(Singles a) {
  return to_double < half == Half::lower ? 0 : n_lanes > (a, std::make_integer_sequence<int, n_lanes>());
}
template <Half half>
MIXLAB_INLINE Integers widen(Indices a) {
  Integers out;
  for (int l = 0; l < n_lanes; ++l) out[l] = a[half == Half::lower ? l : n_lanes + l];
  return out;
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
