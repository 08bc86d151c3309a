// The vector type of the lanes engine: lane l of every variable belongs to trajectory l of a group. All operations act
// on each lane alone and are exact IEEE operations, so a lane's bits depend neither on its neighbours nor on the width.
// A product is fused with a sum only where the source says fma.
//
// Compiled once an instruction set: MIXLAB_LANES names it, MIXLAB_LANES_WIDTH is the number of lanes of its registers.
#pragma once

#if MIXLAB_LANES_FMA && !MIXLAB_SANITIZED
#define MIXLAB_INLINE [[gnu::always_inline]] inline
#define MIXLAB_UNROLL(n) _Pragma(MIXLAB_TEXT(GCC unroll n))
#define MIXLAB_TEXT(x) #x
#else  // short code: for machines that have nothing better, and for sanitizers, whose checks multiply it
#define MIXLAB_INLINE inline
#define MIXLAB_UNROLL(n)
#endif
#if MIXLAB_LANES_FMA == 512
#define MIXLAB_INTRINSIC(name) _mm512_##name
#define MIXLAB_WHOLE __m512i
#elif MIXLAB_LANES_FMA == 256
#define MIXLAB_INTRINSIC(name) _mm256_##name
#define MIXLAB_WHOLE __m256i
#endif

namespace mixlab::engine::lanes::MIXLAB_LANES {

using Register = double __attribute__((vector_size(8 * MIXLAB_LANES_WIDTH)));
using Integers = std::int64_t __attribute__((vector_size(8 * MIXLAB_LANES_WIDTH)));
using Words = std::uint64_t __attribute__((vector_size(8 * MIXLAB_LANES_WIDTH)));

/// A double a lane. (An array of one register: code of the standard library, which is not compiled for this
/// instruction set, may then move it about.)
struct alignas(8 * MIXLAB_LANES_WIDTH) Vec {
  static constexpr int width = MIXLAB_LANES_WIDTH;
  Register r[1];

  Vec() = default;
  MIXLAB_INLINE explicit Vec(Register a) { r[0] = a; }
#if MIXLAB_LANES_FMA
  MIXLAB_INLINE Vec(double x) {
    r[0] = MIXLAB_INTRINSIC(set1_pd)(x);
  }
#else
  MIXLAB_INLINE Vec(double x) {
    for (int lane = 0; lane < width; ++lane) r[0][lane] = x;
  }
#endif
  MIXLAB_INLINE double operator[](int lane) const {
    return r[0][lane];
  }
  MIXLAB_INLINE void set(int lane, double x) {
    r[0][lane] = x;
  }
  /// All lanes in memory, one after the other.
  MIXLAB_INLINE double* lanes() {
    return reinterpret_cast<double*>(r);
  }
  MIXLAB_INLINE const double* lanes() const {
    return reinterpret_cast<const double*>(r);
  }
};

/// A truth a lane.
struct Mask {
#if MIXLAB_LANES_FMA == 512
  using Bits = __mmask8;
#else
  using Bits = Integers;
#endif
  Bits r[1];
};

/// Lane l: the number at from[l], `step` vectors further on.
MIXLAB_INLINE Vec gather(const double* const* from, int step = 0) {
  const int i = step * Vec::width;
#if MIXLAB_LANES_WIDTH == 8
  return Vec(Register{from[0][i], from[1][i], from[2][i], from[3][i], from[4][i], from[5][i], from[6][i], from[7][i]});
#elif MIXLAB_LANES_WIDTH == 4
  return Vec(Register{from[0][i], from[1][i], from[2][i], from[3][i]});
#else
  return Vec(Register{from[0][i], from[1][i]});
#endif
}

#define MIXLAB_OPERATOR(op)                        \
  MIXLAB_INLINE Vec operator op(Vec a, Vec b) {    \
    return Vec(a.r[0] op b.r[0]);                  \
  }                                                \
  MIXLAB_INLINE Vec operator op(double a, Vec b) { \
    return Vec(a) op b;                            \
  }                                                \
  MIXLAB_INLINE Vec operator op(Vec a, double b) { \
    return a op Vec(b);                            \
  }
MIXLAB_OPERATOR(+)
MIXLAB_OPERATOR(-)
MIXLAB_OPERATOR(*)
MIXLAB_OPERATOR(/)
#undef MIXLAB_OPERATOR

MIXLAB_INLINE Vec operator-(Vec a) {
  return Vec(-a.r[0]);
}

#if MIXLAB_LANES_FMA == 512
#define MIXLAB_COMPARE(op, code) _mm512_cmp_pd_mask(a.r[0], b.r[0], code)
#elif MIXLAB_LANES_FMA == 256
#define MIXLAB_COMPARE(op, code) reinterpret_cast<Integers>(_mm256_cmp_pd(a.r[0], b.r[0], code))
#else
#define MIXLAB_COMPARE(op, code) a.r[0] op b.r[0]
#endif
#define MIXLAB_COMPARISON(op, code)              \
  MIXLAB_INLINE Mask operator op(Vec a, Vec b) { \
    return {MIXLAB_COMPARE(op, code)};           \
  }
MIXLAB_COMPARISON(<, _CMP_LT_OQ)
MIXLAB_COMPARISON(<=, _CMP_LE_OQ)
MIXLAB_COMPARISON(>, _CMP_GT_OQ)
MIXLAB_COMPARISON(>=, _CMP_GE_OQ)
#undef MIXLAB_COMPARISON
#undef MIXLAB_COMPARE

MIXLAB_INLINE Mask operator&(Mask a, Mask b) {
  return {static_cast<Mask::Bits>(a.r[0] & b.r[0])};
}
MIXLAB_INLINE Mask operator|(Mask a, Mask b) {
  return {static_cast<Mask::Bits>(a.r[0] | b.r[0])};
}
MIXLAB_INLINE Mask operator!(Mask a) {
  return {static_cast<Mask::Bits>(~a.r[0])};
}

MIXLAB_INLINE Mask nowhere() {
  return {Mask::Bits{}};
}
MIXLAB_INLINE Mask everywhere() {
  return !nowhere();
}

MIXLAB_INLINE bool any(Mask a) {
#if MIXLAB_LANES_FMA == 512
  return a.r[0] != 0;
#elif MIXLAB_LANES_FMA == 256
  return _mm256_movemask_pd(reinterpret_cast<Register>(a.r[0])) != 0;
#else
  for (int lane = 0; lane < Vec::width; ++lane)
    if (a.r[0][lane]) return true;
  return false;
#endif
}

MIXLAB_INLINE bool all(Mask a) {
#if MIXLAB_LANES_FMA == 512
  return a.r[0] == 0xff;
#elif MIXLAB_LANES_FMA == 256
  return _mm256_movemask_pd(reinterpret_cast<Register>(a.r[0])) == 0xf;
#else
  return !any(!a);
#endif
}

/// a b + c
#if !MIXLAB_LANES_FMA
[[gnu::noinline]]
#endif
MIXLAB_INLINE Vec
fma(Vec a, Vec b, Vec c) {
#if MIXLAB_LANES_FMA
  return Vec(MIXLAB_INTRINSIC(fmadd_pd)(a.r[0], b.r[0], c.r[0]));
#else
  for (int lane = 0; lane < Vec::width; ++lane) c.r[0][lane] = std::fma(a.r[0][lane], b.r[0][lane], c.r[0][lane]);
  return c;
#endif
}

/// c - a b
MIXLAB_INLINE Vec fnma(Vec a, Vec b, Vec c) {
#if MIXLAB_LANES_FMA
  return Vec(MIXLAB_INTRINSIC(fnmadd_pd)(a.r[0], b.r[0], c.r[0]));
#else
  return fma(-a, b, c);
#endif
}

MIXLAB_INLINE Vec sqrt(Vec a) {
#if MIXLAB_LANES_FMA
  return Vec(MIXLAB_INTRINSIC(sqrt_pd)(a.r[0]));
#else
  for (int lane = 0; lane < Vec::width; ++lane) a.r[0][lane] = std::sqrt(a.r[0][lane]);
  return a;
#endif
}

/// mask ? a : b
MIXLAB_INLINE Vec select(Mask mask, Vec a, Vec b) {
#if MIXLAB_LANES_FMA == 512
  return Vec(_mm512_mask_blend_pd(mask.r[0], b.r[0], a.r[0]));
#elif MIXLAB_LANES_FMA == 256
  return Vec(_mm256_blendv_pd(b.r[0], a.r[0], reinterpret_cast<Register>(mask.r[0])));
#else
  return Vec(mask.r[0] ? a.r[0] : b.r[0]);
#endif
}

/// The larger one; b if one of them is not a number.
MIXLAB_INLINE Vec max(Vec a, Vec b) {
#if MIXLAB_LANES_FMA
  return Vec(MIXLAB_INTRINSIC(max_pd)(a.r[0], b.r[0]));
#else
  return Vec(a.r[0] > b.r[0] ? a.r[0] : b.r[0]);
#endif
}

/// The smaller one; b if one of them is not a number.
MIXLAB_INLINE Vec min(Vec a, Vec b) {
#if MIXLAB_LANES_FMA
  return Vec(MIXLAB_INTRINSIC(min_pd)(a.r[0], b.r[0]));
#else
  return Vec(a.r[0] < b.r[0] ? a.r[0] : b.r[0]);
#endif
}

MIXLAB_INLINE Vec abs(Vec a) {
  return Vec(reinterpret_cast<Register>(reinterpret_cast<Integers>(a.r[0]) & std::numeric_limits<std::int64_t>::max()));
}

/// The product of the lower halves.
MIXLAB_INLINE Words multiply_low(Words a, Words b) {
#if MIXLAB_LANES_FMA
  return reinterpret_cast<Words>(
      MIXLAB_INTRINSIC(mul_epu32)(reinterpret_cast<MIXLAB_WHOLE>(a), reinterpret_cast<MIXLAB_WHOLE>(b)));
#else
  return (a & 0xffffffff) * (b & 0xffffffff);
#endif
}

/// log x of normal numbers x >= 1 to about one ulp, the same bits on every machine: x = m 2^k with m in
/// [sqrt(1/2), sqrt 2), log m = 2 artanh((m-1)/(m+1)).
MIXLAB_INLINE Vec log_above_one(Vec x) {
  constexpr std::int64_t root_half = 0x3fe6a09e667f3bcd;
  constexpr std::int64_t two52 = 0x4330000000000000;
  const Integers bits = reinterpret_cast<Integers>(x.r[0]);
  const Integers exponent = (bits - root_half) >> 52;
  const Vec m(reinterpret_cast<Register>(bits - (exponent << 52)));
  const Vec k(reinterpret_cast<Register>(exponent | two52) - 0x1p52);
  const Vec f = (m - 1.0) / (m + 1.0);
  const Vec s = f * f;
  Vec series = 1.0 / 23;
  for (int i = 21; i >= 3; i -= 2) series = fma(series, s, Vec(1.0 / i));
  const Vec twice = f + f;
  return fma(k, Vec(0x1.62e42fefa39efp-1), fma(twice * s, series, twice));
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
