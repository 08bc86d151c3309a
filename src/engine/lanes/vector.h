// The vector type of the lanes engine: lane l of every variable belongs to trajectory l of the pack. All operations act
// on each lane alone and are exact IEEE operations, so a lane's bits depend neither on its neighbours nor on the width.
// A product is fused with a sum only where the source says fma.
//
// Compiled once an instruction set: MIXLAB_LANES names it, MIXLAB_LANES_WIDTH is the number of lanes of its registers.
#pragma once

#if MIXLAB_LANES_FMA
#define MIXLAB_INLINE [[gnu::always_inline]] inline
#define MIXLAB_UNROLL(n) _Pragma(MIXLAB_TEXT(GCC unroll n))
#define MIXLAB_TEXT(x) #x
#else  // short code: it is for machines that have nothing better
#define MIXLAB_INLINE inline
#define MIXLAB_UNROLL(n)
#endif

namespace mixlab::engine::lanes::MIXLAB_LANES {

using Register = double __attribute__((vector_size(8 * MIXLAB_LANES_WIDTH)));
using Integers = std::int64_t __attribute__((vector_size(8 * MIXLAB_LANES_WIDTH)));

#if !MIXLAB_LANES_FMA
[[gnu::noinline]]
#endif
MIXLAB_INLINE Register
fma(Register a, Register b, Register c) {
#if MIXLAB_LANES_FMA == 512
  return _mm512_fmadd_pd(a, b, c);
#elif MIXLAB_LANES_FMA == 256
  return _mm256_fmadd_pd(a, b, c);
#else
  for (int l = 0; l < MIXLAB_LANES_WIDTH; ++l) c[l] = std::fma(a[l], b[l], c[l]);
  return c;
#endif
}

MIXLAB_INLINE Register sqrt(Register a) {
#if MIXLAB_LANES_FMA == 512
  return _mm512_sqrt_pd(a);
#elif MIXLAB_LANES_FMA == 256
  return _mm256_sqrt_pd(a);
#else
  for (int l = 0; l < MIXLAB_LANES_WIDTH; ++l) a[l] = std::sqrt(a[l]);
  return a;
#endif
}

MIXLAB_INLINE bool any(Integers mask) {
#if MIXLAB_LANES_FMA == 512
  return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(mask), reinterpret_cast<__m512i>(mask)) != 0;
#elif MIXLAB_LANES_FMA == 256
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(mask)) != 0;
#else
  for (int l = 0; l < MIXLAB_LANES_WIDTH; ++l)
    if (mask[l]) return true;
  return false;
#endif
}

/// A truth a lane.
template <int N>
struct Mask {
  Integers r[N];
};

/// N registers: a double a lane. More than one register hides latency where the dimension is small.
template <int N>
struct alignas(8 * MIXLAB_LANES_WIDTH) Vec {
  static constexpr int width = N * MIXLAB_LANES_WIDTH;
  Register r[N];

  Vec() = default;
  MIXLAB_INLINE Vec(double x) {
    for (int n = 0; n < N; ++n) r[n] = Register{} + x;
  }
  MIXLAB_INLINE double operator[](int lane) const { return r[lane / MIXLAB_LANES_WIDTH][lane % MIXLAB_LANES_WIDTH]; }
  MIXLAB_INLINE void set(int lane, double x) { r[lane / MIXLAB_LANES_WIDTH][lane % MIXLAB_LANES_WIDTH] = x; }
};

#define MIXLAB_ELEMENTWISE(expression)             \
  for (int n = 0; n < N; ++n) o.r[n] = expression; \
  return o
#define MIXLAB_OPERATOR(op)                              \
  template <int N>                                       \
  MIXLAB_INLINE Vec<N> operator op(Vec<N> a, Vec<N> b) { \
    Vec<N> o;                                            \
    MIXLAB_ELEMENTWISE(a.r[n] op b.r[n]);                \
  }                                                      \
  template <int N>                                       \
  MIXLAB_INLINE Vec<N> operator op(double a, Vec<N> b) { \
    return Vec<N>(a) op b;                               \
  }                                                      \
  template <int N>                                       \
  MIXLAB_INLINE Vec<N> operator op(Vec<N> a, double b) { \
    return a op Vec<N>(b);                               \
  }
#define MIXLAB_COMPARISON(op)                             \
  template <int N>                                        \
  MIXLAB_INLINE Mask<N> operator op(Vec<N> a, Vec<N> b) { \
    Mask<N> o;                                            \
    MIXLAB_ELEMENTWISE(a.r[n] op b.r[n]);                 \
  }                                                       \
  template <int N>                                        \
  MIXLAB_INLINE Mask<N> operator op(Vec<N> a, double b) { \
    return a op Vec<N>(b);                                \
  }
#define MIXLAB_LOGICAL(op)                                  \
  template <int N>                                          \
  MIXLAB_INLINE Mask<N> operator op(Mask<N> a, Mask<N> b) { \
    Mask<N> o;                                              \
    MIXLAB_ELEMENTWISE(a.r[n] op b.r[n]);                   \
  }
MIXLAB_OPERATOR(+)
MIXLAB_OPERATOR(-)
MIXLAB_OPERATOR(*)
MIXLAB_OPERATOR(/)
MIXLAB_COMPARISON(<)
MIXLAB_COMPARISON(<=)
MIXLAB_COMPARISON(>)
MIXLAB_COMPARISON(>=)
MIXLAB_LOGICAL(&)
MIXLAB_LOGICAL(|)

template <int N>
MIXLAB_INLINE Mask<N> operator!(Mask<N> a) {
  Mask<N> o;
  MIXLAB_ELEMENTWISE(~a.r[n]);
}

template <int N>
MIXLAB_INLINE Vec<N> operator-(Vec<N> a) {
  Vec<N> o;
  MIXLAB_ELEMENTWISE(-a.r[n]);
}

/// a b + c
template <int N>
MIXLAB_INLINE Vec<N> fma(Vec<N> a, Vec<N> b, Vec<N> c) {
  Vec<N> o;
  MIXLAB_ELEMENTWISE(fma(a.r[n], b.r[n], c.r[n]));
}

/// c - a b
template <int N>
MIXLAB_INLINE Vec<N> fnma(Vec<N> a, Vec<N> b, Vec<N> c) {
  Vec<N> o;
  MIXLAB_ELEMENTWISE(fma(-a.r[n], b.r[n], c.r[n]));
}

template <int N>
MIXLAB_INLINE Vec<N> sqrt(Vec<N> a) {
  Vec<N> o;
  MIXLAB_ELEMENTWISE(sqrt(a.r[n]));
}

/// mask ? a : b
template <int N>
MIXLAB_INLINE Vec<N> select(Mask<N> mask, Vec<N> a, Vec<N> b) {
  Vec<N> o;
  MIXLAB_ELEMENTWISE(mask.r[n] ? a.r[n] : b.r[n]);
}

/// The larger one; b if one of them is not a number.
template <int N>
MIXLAB_INLINE Vec<N> max(Vec<N> a, Vec<N> b) {
  Vec<N> o;
#if MIXLAB_LANES_FMA == 512
  MIXLAB_ELEMENTWISE(_mm512_max_pd(a.r[n], b.r[n]));
#elif MIXLAB_LANES_FMA == 256
  MIXLAB_ELEMENTWISE(_mm256_max_pd(a.r[n], b.r[n]));
#else
  MIXLAB_ELEMENTWISE(a.r[n] > b.r[n] ? a.r[n] : b.r[n]);
#endif
}

/// The smaller one; b if one of them is not a number.
template <int N>
MIXLAB_INLINE Vec<N> min(Vec<N> a, Vec<N> b) {
  return -max(-a, -b);
}

template <int N>
MIXLAB_INLINE Vec<N> abs(Vec<N> a) {
  return max(a, -a);
}

template <int N>
MIXLAB_INLINE bool any(Mask<N> a) {
  Integers o = a.r[0];
  for (int n = 1; n < N; ++n) o |= a.r[n];
  return any(o);
}

template <int N>
MIXLAB_INLINE bool all(Mask<N> a) {
  return !any(!a);
}

template <int N>
MIXLAB_INLINE Mask<N> everywhere() {
  Mask<N> o;
  MIXLAB_ELEMENTWISE(Integers{} - 1);
}

/// log x of normal numbers x >= 1 to about one ulp, the same bits on every machine: x = m 2^k with m in
/// [sqrt(1/2), sqrt 2), log m = 2 artanh((m-1)/(m+1)).
template <int N>
MIXLAB_INLINE Vec<N> log_above_one(Vec<N> x) {
  constexpr std::int64_t root_half = 0x3fe6a09e667f3bcd;
  constexpr std::int64_t two52 = 0x4330000000000000;
  Vec<N> m, k;
  for (int n = 0; n < N; ++n) {
    const Integers bits = reinterpret_cast<Integers>(x.r[n]);
    const Integers exponent = (bits - root_half) >> 52;
    m.r[n] = reinterpret_cast<Register>(bits - (exponent << 52));
    k.r[n] = reinterpret_cast<Register>(exponent | two52) - 0x1p52;
  }
  const Vec<N> f = (m - 1.0) / (m + 1.0);
  const Vec<N> s = f * f;
  Vec<N> series = 1.0 / 23;
  for (int i = 21; i >= 3; i -= 2) series = fma(series, s, Vec<N>(1.0 / i));
  const Vec<N> twice = f + f;
  return fma(k, Vec<N>(0x1.62e42fefa39efp-1), fma(twice * s, series, twice));
}

#undef MIXLAB_ELEMENTWISE
#undef MIXLAB_OPERATOR
#undef MIXLAB_COMPARISON
#undef MIXLAB_LOGICAL

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
