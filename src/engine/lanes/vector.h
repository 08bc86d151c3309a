// Arithmetic of the lanes engine on top of an instruction set (isa/): lane l of every variable belongs to trajectory l of
// a group. All operations act on each lane alone and are exact IEEE operations, so a lane's bits depend neither on its
// neighbours nor on the width. A product is fused with a sum only where the source says fma.
#pragma once

namespace mixlab::engine::lanes::MIXLAB_LANES {

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

MIXLAB_INLINE Vec abs(Vec a) {
  return Vec(reinterpret_cast<Register>(reinterpret_cast<Integers>(a.r[0]) & std::numeric_limits<std::int64_t>::max()));
}

MIXLAB_INLINE Singles abs(Singles a) {
  return reinterpret_cast<Singles>(reinterpret_cast<Indices>(a) & std::numeric_limits<std::int32_t>::max());
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
  const Vec double_f = f + f;
  return fma(k, Vec(0x1.62e42fefa39efp-1), fma(double_f * s, series, double_f));
}

/// body(r) for r = 0, ..., n - 1: the rounds of a block, most of which have the same number.
template <class Body>
MIXLAB_INLINE void each_round(int n, Body body) {
  if (n == largest_block) {
    MIXLAB_UNROLL(16)
    for (int r = 0; r < largest_block; ++r) body(r);
  } else {
    for (int r = 0; r < n; ++r) body(r);
  }
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
