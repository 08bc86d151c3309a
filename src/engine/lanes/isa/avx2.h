// AVX2 with FMA: four lanes. The operations mean what scalar.h says.
#pragma once

#include <immintrin.h>

#include "engine/lanes/prelude.h"
#include "unrolled.h"

#pragma GCC target("avx2,fma")

namespace mixlab::engine::lanes::MIXLAB_LANES {

inline constexpr int n_lanes = 4;

}  // namespace mixlab::engine::lanes::MIXLAB_LANES

#include "registers.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

struct Mask {
  using Bits = Integers;
  Bits r[1];
};

MIXLAB_INLINE Vec::Vec(double x) {
  r[0] = _mm256_set1_pd(x);
}

MIXLAB_INLINE Vec gather(const double* const* from, int step = 0) {
  const int i = step * n_lanes;
  return Vec(Register{from[0][i], from[1][i], from[2][i], from[3][i]});
}

MIXLAB_INLINE Mask operator<(Vec a, Vec b) {
  return {reinterpret_cast<Integers>(_mm256_cmp_pd(a.r[0], b.r[0], _CMP_LT_OQ))};
}
MIXLAB_INLINE Mask operator<=(Vec a, Vec b) {
  return {reinterpret_cast<Integers>(_mm256_cmp_pd(a.r[0], b.r[0], _CMP_LE_OQ))};
}
MIXLAB_INLINE Mask operator>(Vec a, Vec b) {
  return {reinterpret_cast<Integers>(_mm256_cmp_pd(a.r[0], b.r[0], _CMP_GT_OQ))};
}
MIXLAB_INLINE Mask operator>=(Vec a, Vec b) {
  return {reinterpret_cast<Integers>(_mm256_cmp_pd(a.r[0], b.r[0], _CMP_GE_OQ))};
}

MIXLAB_INLINE unsigned lanes_of(Mask a) {
  return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<Register>(a.r[0])));
}
MIXLAB_INLINE bool any(Mask a) {
  return lanes_of(a) != 0;
}
MIXLAB_INLINE bool all(Mask a) {
  return lanes_of(a) == 0xf;
}

MIXLAB_INLINE Vec select(Mask mask, Vec a, Vec b) {
  return Vec(_mm256_blendv_pd(b.r[0], a.r[0], reinterpret_cast<Register>(mask.r[0])));
}

MIXLAB_INLINE Vec fma(Vec a, Vec b, Vec c) {
  return Vec(_mm256_fmadd_pd(a.r[0], b.r[0], c.r[0]));
}
MIXLAB_INLINE Vec fnma(Vec a, Vec b, Vec c) {
  return Vec(_mm256_fnmadd_pd(a.r[0], b.r[0], c.r[0]));
}
MIXLAB_INLINE Vec sqrt(Vec a) {
  return Vec(_mm256_sqrt_pd(a.r[0]));
}

MIXLAB_INLINE Vec max(Vec a, Vec b) {
  return Vec(_mm256_max_pd(a.r[0], b.r[0]));
}
MIXLAB_INLINE Vec min(Vec a, Vec b) {
  return Vec(_mm256_min_pd(a.r[0], b.r[0]));
}

MIXLAB_INLINE Words multiply_low(Words a, Words b) {
  return reinterpret_cast<Words>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}
MIXLAB_INLINE Words with_low(Words a, Words b) {
  return reinterpret_cast<Words>(
      _mm256_blend_epi32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b), 0b01010101));
}

// Single precision.

MIXLAB_INLINE Singles in_both_halves(const HalfSingles& a) {
  return _mm256_broadcast_ps(reinterpret_cast<const __m128*>(a.lane));
}
MIXLAB_INLINE Singles pair(Vec lower, Vec upper) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(lower.r[0])), _mm256_cvtpd_ps(upper.r[0]), 1);
}
template <Half half>
MIXLAB_INLINE Vec to_double(Singles a) {
  return Vec(_mm256_cvtps_pd(half == Half::lower ? _mm256_castps256_ps128(a) : _mm256_extractf128_ps(a, 1)));
}
template <Half half>
MIXLAB_INLINE Integers widen(Indices a) {
  const __m256i both = reinterpret_cast<__m256i>(a);
  return reinterpret_cast<Integers>(
      _mm256_cvtepi32_epi64(half == Half::lower ? _mm256_castsi256_si128(both) : _mm256_extracti128_si256(both, 1)));
}

MIXLAB_INLINE Singles fma(Singles a, Singles b, Singles c) {
  return _mm256_fmadd_ps(a, b, c);
}
MIXLAB_INLINE Singles sqrt(Singles a) {
  return _mm256_sqrt_ps(a);
}
MIXLAB_INLINE Singles max(Singles a, Singles b) {
  return _mm256_max_ps(a, b);
}
MIXLAB_INLINE Singles min(Singles a, Singles b) {
  return _mm256_min_ps(a, b);
}
MIXLAB_INLINE Indices later_where_greater(Singles a, Singles b, Indices later, Indices earlier) {
  const __m256i greater = _mm256_castps_si256(_mm256_cmp_ps(a, b, _CMP_GT_OQ));
  return reinterpret_cast<Indices>(_mm256_max_epi32(reinterpret_cast<__m256i>(earlier),
                                                    _mm256_and_si256(greater, reinterpret_cast<__m256i>(later))));
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
