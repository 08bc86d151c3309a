// AVX-512 (F, DQ and VL): eight lanes. The operations mean what scalar.h says.
#pragma once

#include <immintrin.h>

#include "engine/lanes/prelude.h"
#include "unrolled.h"

#pragma GCC target("avx2,fma,avx512f,avx512dq,avx512vl,prefer-vector-width=512")

namespace mixlab::engine::lanes::MIXLAB_LANES {

inline constexpr int n_lanes = 8;

}  // namespace mixlab::engine::lanes::MIXLAB_LANES

#include "registers.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

struct Mask {
  using Bits = __mmask8;
  Bits r[1];
};

MIXLAB_INLINE Vec::Vec(double x) {
  r[0] = _mm512_set1_pd(x);
}

MIXLAB_INLINE Vec gather(const double* const* from, int step = 0) {
  const int i = step * n_lanes;
  return Vec(Register{from[0][i], from[1][i], from[2][i], from[3][i], from[4][i], from[5][i], from[6][i], from[7][i]});
}

MIXLAB_INLINE Mask operator<(Vec a, Vec b) {
  return {_mm512_cmp_pd_mask(a.r[0], b.r[0], _CMP_LT_OQ)};
}
MIXLAB_INLINE Mask operator<=(Vec a, Vec b) {
  return {_mm512_cmp_pd_mask(a.r[0], b.r[0], _CMP_LE_OQ)};
}
MIXLAB_INLINE Mask operator>(Vec a, Vec b) {
  return {_mm512_cmp_pd_mask(a.r[0], b.r[0], _CMP_GT_OQ)};
}
MIXLAB_INLINE Mask operator>=(Vec a, Vec b) {
  return {_mm512_cmp_pd_mask(a.r[0], b.r[0], _CMP_GE_OQ)};
}

MIXLAB_INLINE unsigned lanes_of(Mask a) {
  return a.r[0];
}
MIXLAB_INLINE bool any(Mask a) {
  return a.r[0] != 0;
}
MIXLAB_INLINE bool all(Mask a) {
  return a.r[0] == 0xff;
}

MIXLAB_INLINE Vec select(Mask mask, Vec a, Vec b) {
  return Vec(_mm512_mask_blend_pd(mask.r[0], b.r[0], a.r[0]));
}

MIXLAB_INLINE Vec fma(Vec a, Vec b, Vec c) {
  return Vec(_mm512_fmadd_pd(a.r[0], b.r[0], c.r[0]));
}
MIXLAB_INLINE Vec fnma(Vec a, Vec b, Vec c) {
  return Vec(_mm512_fnmadd_pd(a.r[0], b.r[0], c.r[0]));
}
MIXLAB_INLINE Vec sqrt(Vec a) {
  return Vec(_mm512_sqrt_pd(a.r[0]));
}

MIXLAB_INLINE Vec max(Vec a, Vec b) {
  return Vec(_mm512_max_pd(a.r[0], b.r[0]));
}
MIXLAB_INLINE Vec min(Vec a, Vec b) {
  return Vec(_mm512_min_pd(a.r[0], b.r[0]));
}

MIXLAB_INLINE Words multiply_low(Words a, Words b) {
  return reinterpret_cast<Words>(_mm512_mul_epu32(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}
MIXLAB_INLINE Words with_low(Words a, Words b) {
  return reinterpret_cast<Words>(
      _mm512_mask_mov_epi32(reinterpret_cast<__m512i>(a), 0b0101010101010101, reinterpret_cast<__m512i>(b)));
}

// Single precision.

MIXLAB_INLINE Singles in_both_halves(const HalfSingles& a) {
  return _mm512_broadcast_f32x8(_mm256_loadu_ps(a.lane));
}
MIXLAB_INLINE Singles pair(Vec lower, Vec upper) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(lower.r[0])), _mm512_cvtpd_ps(upper.r[0]), 1);
}
template <Half half>
MIXLAB_INLINE Vec to_double(Singles a) {
  return Vec(_mm512_cvtps_pd(half == Half::lower ? _mm512_castps512_ps256(a) : _mm512_extractf32x8_ps(a, 1)));
}
template <Half half>
MIXLAB_INLINE Integers widen(Indices a) {
  const __m512i both = reinterpret_cast<__m512i>(a);
  return reinterpret_cast<Integers>(
      _mm512_cvtepi32_epi64(half == Half::lower ? _mm512_castsi512_si256(both) : _mm512_extracti32x8_epi32(both, 1)));
}

MIXLAB_INLINE Singles fma(Singles a, Singles b, Singles c) {
  return _mm512_fmadd_ps(a, b, c);
}
MIXLAB_INLINE Singles sqrt(Singles a) {
  return _mm512_sqrt_ps(a);
}
MIXLAB_INLINE Singles max(Singles a, Singles b) {
  return _mm512_max_ps(a, b);
}
MIXLAB_INLINE Singles min(Singles a, Singles b) {
  return _mm512_min_ps(a, b);
}
MIXLAB_INLINE Indices later_where_greater(Singles a, Singles b, Indices later, Indices earlier) {
  const __mmask16 greater = _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
  return reinterpret_cast<Indices>(
      _mm512_mask_mov_epi32(reinterpret_cast<__m512i>(earlier), greater, reinterpret_cast<__m512i>(later)));
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
