// Single-precision screening: two floats per lane, so that one instruction scores two rounds or two arms. It only sorts
// out what is worth a look in full precision, so its last bits, which may depend on the instruction set, decide nothing.
#pragma once

#include "choice.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// For containers (cf. Vec).
struct alignas(register_bytes) StoredSingles {
  Singles r[1];
};

MIXLAB_INLINE HalfSingles to_single(Vec a) {
  HalfSingles half;
  for (int l = 0; l < Vec::width; ++l) half.lane[l] = static_cast<float>(a[l]);
  return half;
}

/// The best two of the scores seen so far, and the index of the best. Indices must come in increasing order.
struct BestTwo {
  Singles first = Singles{} - std::numeric_limits<float>::infinity();
  Singles second = first;
  Indices index = {};

  BestTwo() {}
  MIXLAB_INLINE void see(Singles score, Indices number) {
    index = later_where_greater(score, first, number, index);
    second = max(second, min(first, score));
    first = max(first, score);
  }
};

/// Where the best score, `first`, is so far above the second that the true scores are in the same order, and no tie.
/// `longest`: length of an arm, at most; `growth`: g >= 1, by which a squared width has shrunk at most since the numbers
/// that it is made of. With u = 2^-24, these are known to u/2 and their difference is off by (3 g + 1) u of it; so a score
/// m + w of a mean m and a width w = beta ||x||_{V^{-1}} is off by (P + 2) u ||x|| ||theta|| + 4 g u w + u |m + w|, and w <=
/// |m + w| + ||x|| ||theta||; so two of them by less than
///   (P + 6) g u longest (1 + ||theta||^2) + 10 g u |first|
/// (2 ||theta|| <= 1 + ||theta||^2). Squared widths below the smallest normal number add 2^-74 beta.
template <int P>
MIXLAB_INLINE Mask is_clear(Vec first, Vec second, Vec longest, const Vec* theta, Vec beta, Vec growth) {
  constexpr double u = 0x1p-24, doubt = (P + 10) * u;
  static_assert(doubt >= 10 * u + tie);
  const Vec terms = fma(beta, Vec(0x1p-50), 1.0 + abs(first) + longest * (1.0 + dot<P>(theta, theta)));
  return second < fnma(doubt * growth, terms, first);
}

/// Indices for arms with even numbers in the lower halves, odd ones in the upper: 0 and 1.
MIXLAB_INLINE Indices even_and_odd() {
  Indices index = {};
  for (int upper = Vec::width; upper < 2 * Vec::width; ++upper) index[upper] = 1;
  return index;
}

/// The better one of the two halves; says where that is certain, as above.
template <int P>
MIXLAB_INLINE Mask choose_better_half(const BestTwo& best, Vec longest, const Vec* theta, Vec beta, Vec growth,
                                      Choice& choice) {
  const Vec lower = to_double<Half::lower>(best.first), upper = to_double<Half::upper>(best.first);
  const Vec others = max(to_double<Half::lower>(best.second), to_double<Half::upper>(best.second));
  const Vec ahead = upper - lower;
  const Integers even = widen<Half::lower>(best.index), odd = widen<Half::upper>(best.index);
  *reinterpret_cast<Integers*>(choice.arm) = ahead.r[0] > 0.0 ? odd : even;
  return is_clear<P>(max(lower, upper), max(min(lower, upper), others), longest, theta, beta, growth);
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
