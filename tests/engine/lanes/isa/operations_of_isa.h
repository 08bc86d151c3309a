// The body of scalar.cpp, avx2.cpp and avx512.cpp in this folder.
#pragma once

#include "engine/lanes/singles.h"
#include "engine/lanes/vector.h"
#include "operations.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

using Numbers = const double*;

inline Vec load(Numbers from) {
  Vec v;
  for (int lane = 0; lane < n_lanes; ++lane) v.set(lane, from[lane]);
  return v;
}
inline void store(Vec v, double* to) {
  for (int lane = 0; lane < n_lanes; ++lane) to[lane] = v[lane];
}
inline void store(Mask mask, double* to) {
  store(select(mask, Vec(1.0), Vec(0.0)), to);
}
inline void store(bool truth, double* to) {
  store(Vec(truth ? 1.0 : 0.0), to);
}
/// A bit per lane, and none beyond.
inline void store(unsigned bits, double* to) {
  for (int lane = 0; lane < n_lanes; ++lane) to[lane] = lane + 1 < n_lanes ? bits >> lane & 1 : bits >> lane;
}
inline void store(Integers v, double* to) {
  for (int lane = 0; lane < n_lanes; ++lane) to[lane] = static_cast<double>(v[lane]);
}
inline void store(Words v, double* to) {
  store(Vec(reinterpret_cast<Register>(v)), to);
}
inline void store(Singles v, double* to) {
  store(to_double<Half::lower>(v), to);
  store(to_double<Half::upper>(v), to + n_numbers);
}
inline void store(Indices v, double* to) {
  store(widen<Half::lower>(v), to);
  store(widen<Half::upper>(v), to + n_numbers);
}
inline Words words(Vec v) {
  return reinterpret_cast<Words>(v.r[0]);
}
/// 0, 1, 2, ... in the lower half, then in the upper.
inline Indices count() {
  Indices index{};
  for (int l = 0; l < 2 * n_lanes; ++l) index[l] = l;
  return index;
}

#define MIXLAB_OPERATION(name, result)                                                            \
  {                                                                                               \
    name, [](Numbers A, Numbers B, Numbers C, double* out) {                                      \
      for (int first = 0; first < n_numbers; first += n_lanes) {                                  \
        [[maybe_unused]] const Vec a = load(A + first), b = load(B + first), c = load(C + first); \
        store(result, out + first);                                                               \
      }                                                                                           \
    }                                                                                             \
  }

inline Vec gather_lanes(Vec a, Vec b) {
  Vec table[2] = {a, b};
  const double* from[n_lanes];
  for (int lane = 0; lane < n_lanes; ++lane) from[lane] = table[0].lanes() + (n_lanes - 1 - lane);  // in reverse
  return gather(from, 1);
}

inline constexpr Operation operations[] = {
    MIXLAB_OPERATION("broadcast", Vec(A[0])),
    MIXLAB_OPERATION("gather", gather_lanes(a, b)),
    MIXLAB_OPERATION("+", a + b),
    MIXLAB_OPERATION("-", a - b),
    MIXLAB_OPERATION("*", a* b),
    MIXLAB_OPERATION("/", a / b),
    MIXLAB_OPERATION("minus", -a),
    MIXLAB_OPERATION("abs", abs(a)),
    MIXLAB_OPERATION("<", a < b),
    MIXLAB_OPERATION("<=", a <= b),
    MIXLAB_OPERATION(">", a > b),
    MIXLAB_OPERATION(">=", a >= b),
    MIXLAB_OPERATION("and", (a < b) & (b < c)),
    MIXLAB_OPERATION("or", (a < b) | (b < c)),
    MIXLAB_OPERATION("not", !(a < b)),
    MIXLAB_OPERATION("nowhere", nowhere()),
    MIXLAB_OPERATION("everywhere", everywhere()),
    MIXLAB_OPERATION("lanes_of", lanes_of(a < b)),
    MIXLAB_OPERATION("any", any(a < b)),
    MIXLAB_OPERATION("all", all(a < b)),
    MIXLAB_OPERATION("select", select(a < b, b, c)),
    MIXLAB_OPERATION("fma", fma(a, b, c)),
    MIXLAB_OPERATION("fnma", fnma(a, b, c)),
    MIXLAB_OPERATION("sqrt", sqrt(a)),
    MIXLAB_OPERATION("max", max(a, b)),
    MIXLAB_OPERATION("min", min(a, b)),
    MIXLAB_OPERATION("log_above_one", log_above_one(max(1.0 + abs(a), Vec(1.0)))),
    MIXLAB_OPERATION("multiply_low", multiply_low(words(a), words(b))),
    MIXLAB_OPERATION("with_low", with_low(words(a), words(b))),
    MIXLAB_OPERATION("pair", pair(a, b)),
    MIXLAB_OPERATION("in_both_halves", in_both_halves(to_single(a))),
    MIXLAB_OPERATION("widen", count()),
    MIXLAB_OPERATION("single fma", fma(pair(a, b), pair(b, c), pair(c, a))),
    MIXLAB_OPERATION("single sqrt", sqrt(pair(a, b))),
    MIXLAB_OPERATION("single max", max(pair(a, b), pair(b, c))),
    MIXLAB_OPERATION("single min", min(pair(a, b), pair(b, c))),
    MIXLAB_OPERATION("later_where_greater", later_where_greater(pair(a, b), pair(b, c), count() + 100, count())),
};
#undef MIXLAB_OPERATION

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
