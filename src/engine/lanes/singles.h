// Numbers of single precision, two a lane: in the time of one operation on doubles, two. They only sort out what is worth
// a look in full precision, so their last bits, which may depend on the instruction set, decide nothing.
#pragma once

#include "choice.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// Those of one vector in the lower half, of another in the upper half.
using Singles = float __attribute__((vector_size(8 * MIXLAB_LANES_WIDTH)));
/// An index for each.
using Indices = std::int32_t __attribute__((vector_size(8 * MIXLAB_LANES_WIDTH)));

/// For containers (cf. Vec).
struct alignas(8 * MIXLAB_LANES_WIDTH) KeptSingles {
  Singles r[1];
};

/// One a lane, for both halves.
struct HalfSingles {
  float lane[Vec::width];
};

MIXLAB_INLINE HalfSingles to_single(Vec a) {
  HalfSingles half;
  for (int l = 0; l < Vec::width; ++l) half.lane[l] = static_cast<float>(a[l]);
  return half;
}

MIXLAB_INLINE Singles twice(const HalfSingles& a) {
#if MIXLAB_LANES_FMA == 512
  return _mm512_broadcast_f32x8(_mm256_loadu_ps(a.lane));
#elif MIXLAB_LANES_FMA == 256
  return _mm256_broadcast_ps(reinterpret_cast<const __m128*>(a.lane));
#else
  Singles both;
  for (int l = 0; l < 2 * Vec::width; ++l) both[l] = a.lane[l % Vec::width];
  return both;
#endif
}

MIXLAB_INLINE Singles pair(Vec lower, Vec upper) {
#if MIXLAB_LANES_FMA == 512
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(lower.r[0])), _mm512_cvtpd_ps(upper.r[0]), 1);
#elif MIXLAB_LANES_FMA == 256
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(lower.r[0])), _mm256_cvtpd_ps(upper.r[0]), 1);
#else
  Singles both;
  for (int l = 0; l < Vec::width; ++l) {
    both[l] = static_cast<float>(lower[l]);
    both[Vec::width + l] = static_cast<float>(upper[l]);
  }
  return both;
#endif
}

enum class Half { lower, upper };

template <Half half>
MIXLAB_INLINE Vec to_double(Singles a) {
#if MIXLAB_LANES_FMA == 512
  return Vec(_mm512_cvtps_pd(half == Half::lower ? _mm512_castps512_ps256(a) : _mm512_extractf32x8_ps(a, 1)));
#elif MIXLAB_LANES_FMA == 256
  return Vec(_mm256_cvtps_pd(half == Half::lower ? _mm256_castps256_ps128(a) : _mm256_extractf128_ps(a, 1)));
#else
  Vec out;
  for (int l = 0; l < Vec::width; ++l) out.set(l, a[half == Half::lower ? l : Vec::width + l]);
  return out;
#endif
}

template <Half half>
MIXLAB_INLINE Choice to_choice(Indices a) {
  Choice choice;
  Integers& out = *reinterpret_cast<Integers*>(choice.arm);
#if MIXLAB_LANES_FMA == 512
  const __m512i all = reinterpret_cast<__m512i>(a);
  out = reinterpret_cast<Integers>(
      _mm512_cvtepi32_epi64(half == Half::lower ? _mm512_castsi512_si256(all) : _mm512_extracti32x8_epi32(all, 1)));
#elif MIXLAB_LANES_FMA == 256
  const __m256i all = reinterpret_cast<__m256i>(a);
  out = reinterpret_cast<Integers>(
      _mm256_cvtepi32_epi64(half == Half::lower ? _mm256_castsi256_si128(all) : _mm256_extracti128_si256(all, 1)));
#else
  for (int l = 0; l < Vec::width; ++l) out[l] = a[half == Half::lower ? l : Vec::width + l];
#endif
  return choice;
}

/// a b + c, in two steps where there is nothing better.
MIXLAB_INLINE Singles fma(Singles a, Singles b, Singles c) {
#if MIXLAB_LANES_FMA
  return MIXLAB_INTRINSIC(fmadd_ps)(a, b, c);
#else
  return a * b + c;
#endif
}

MIXLAB_INLINE Singles sqrt(Singles a) {
#if MIXLAB_LANES_FMA
  return MIXLAB_INTRINSIC(sqrt_ps)(a);
#else
  for (int l = 0; l < 2 * Vec::width; ++l) a[l] = std::sqrt(a[l]);
  return a;
#endif
}

/// The best two of the scores seen so far, and the index of the best. Indices must come in increasing order.
struct BestTwo {
  Singles first = Singles{} - std::numeric_limits<float>::infinity();
  Singles second = first;
  Indices index = {};

  BestTwo() {}
  MIXLAB_INLINE void see(Singles score, Indices number) {
#if MIXLAB_LANES_FMA == 512
    const __mmask16 better = _mm512_cmp_ps_mask(score, first, _CMP_GT_OQ);
    index = reinterpret_cast<Indices>(
        _mm512_mask_mov_epi32(reinterpret_cast<__m512i>(index), better, reinterpret_cast<__m512i>(number)));
#elif MIXLAB_LANES_FMA == 256
    const __m256i better = _mm256_castps_si256(_mm256_cmp_ps(score, first, _CMP_GT_OQ));
    index = reinterpret_cast<Indices>(_mm256_max_epi32(reinterpret_cast<__m256i>(index),
                                                       _mm256_and_si256(better, reinterpret_cast<__m256i>(number))));
#else
    index = score > first ? number : index;
#endif
#if MIXLAB_LANES_FMA
    second = MIXLAB_INTRINSIC(max_ps)(second, MIXLAB_INTRINSIC(min_ps)(first, score));
    first = MIXLAB_INTRINSIC(max_ps)(first, score);
#else
    const Singles lesser = first < score ? first : score;
    second = second > lesser ? second : lesser;
    first = first > score ? first : score;
#endif
  }
};

/// Where the best score, `first`, is so far above the second that the true scores are in the same order, and no tie.
/// `longest`: length of an arm, at most. With u = 2^-24, a score m + w of a mean m and a width w = beta ||x||_{V^{-1}} is off
/// by (P + 2) u ||x|| ||theta|| + 3.5 u w + u |m + w|, and w <= |m + w| + ||x|| ||theta||; so two of them by less than
///   (P + 6) u longest (1 + ||theta||^2) + 9 u |first|
/// (2 ||theta|| <= 1 + ||theta||^2). Squared widths below the smallest normal number add 2^-74 beta.
template <int P>
MIXLAB_INLINE Mask is_clear(Vec first, Vec second, Vec longest, const Vec* theta, Vec beta) {
  constexpr double u = 0x1p-24, doubt = (P + 10) * u;
  static_assert(doubt >= 9 * u + tie);
  const Vec terms = fma(beta, Vec(0x1p-50), 1.0 + abs(first) + longest * (1.0 + dot<P>(theta, theta)));
  return second < fnma(Vec(doubt), terms, first);
}

/// Indices for arms with even numbers in the lower halves, odd ones in the upper: 0 and 1.
MIXLAB_INLINE Indices even_and_odd() {
  Indices index = {};
  for (int upper = Vec::width; upper < 2 * Vec::width; ++upper) index[upper] = 1;
  return index;
}

/// The better one of the two halves; says where that is certain, as above.
template <int P>
MIXLAB_INLINE Mask choose_better_half(const BestTwo& best, Vec longest, const Vec* theta, Vec beta, Choice& choice) {
  const Vec lower = to_double<Half::lower>(best.first), upper = to_double<Half::upper>(best.first);
  const Vec others = max(to_double<Half::lower>(best.second), to_double<Half::upper>(best.second));
  const Vec ahead = upper - lower;
  const Choice odd = to_choice<Half::upper>(best.index);
  choice = to_choice<Half::lower>(best.index);
  MIXLAB_UNROLL(8)
  for (int lane = 0; lane < Vec::width; ++lane) choice.arm[lane] = ahead[lane] > 0 ? odd.arm[lane] : choice.arm[lane];
  return is_clear<P>(max(lower, upper), max(min(lower, upper), others), longest, theta, beta);
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
