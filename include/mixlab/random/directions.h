// Independent uniform directions, many at a time. They are drawn so that whole vectors of them can be computed in
// lockstep: no rejection, no logarithm, 32 random bits per number.
#pragma once

#include <array>
#include <cstdint>

#include "mixlab/random/stream.h"

namespace mixlab::random {

/// Philox4x32-10.
std::array<std::uint32_t, 4> philox32(const std::array<std::uint32_t, 4>& counter,
                                      const std::array<std::uint32_t, 2>& key);

/// How a direction of R^{2m} is made from 2m-1 words:
/// - the squared lengths of its m pairs of components are uniform on the simplex: the spacings of m-1 uniform numbers,
/// - the angle of each pair is uniform: 31 bits place it in a half circle, the highest one tells in which.
/// In odd dimension one component is left out, and the others are brought back to length 1.
struct Direction {
  static constexpr int n_pairs(int p) { return (p + 1) / 2; }
  static constexpr int n_words(int p) { return 2 * n_pairs(p) - 1; }

  /// sin(pi z/2)/z and cos(pi z/2) for |z| <= 1 as polynomials in z^2, lowest power first; error below 2e-15.
  static constexpr double sine[] = {1.5707963267948963,    -0.6459640975062232,   0.07969262624568337,
                                    -0.004681754131447062, 0.0001604411695631063, -3.5988107063136794e-06,
                                    5.688318064017795e-08, -6.449471237809134e-10};
  static constexpr double cosine[] = {0.9999999999999981,    -1.2337005501359215,    0.2536695078958309,
                                      -0.020863480721590055, 0.0009192601105983545,  -2.52016913827359e-05,
                                      4.706713995845052e-07, -6.1289345837731264e-09};
};

/// n unit vectors of p components, one after the other. Takes two words of the stream, key and nonce of Philox4x32-10:
/// every four vectors take n_words blocks, block b holds word b of each of the four.
void draw_directions(Stream& stream, int p, int n, double* x);

}  // namespace mixlab::random
