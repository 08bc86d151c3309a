// The unit ball as decision set: the best action under theta is theta/||theta||.
#pragma once

#include "absorbed.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

/// x: the unit vectors in turn, of which there are p.
template <int P>
void unit_vector(std::int64_t t, int p, Vec* x) {
  for (int i = 0; i < P; ++i) x[i] = i == (t - 1) % p ? 1.0 : 0.0;
}

/// x = theta/||theta||, or the first unit vector where theta is 0.
template <int P>
void direction_of(const Vec* theta, Vec* x) {
  const Vec norm = sqrt(dot<P>(theta, theta));
  const Mask somewhere = norm > Vec(0.0);
  for (int i = 0; i < P; ++i) x[i] = select(somewhere, theta[i] / norm, Vec(i == 0 ? 1.0 : 0.0));
}

/// x: one random direction per lane.
template <int P>
void draw_directions(int p, std::vector<random::Stream>& streams, Vec* x) {
  for (int lane = 0; lane < Vec::width; ++lane) {
    double direction[P] = {};
    draw_direction(p, streams[static_cast<std::size_t>(lane)], direction);
    for (int i = 0; i < P; ++i) x[i].set(lane, direction[i]);
  }
}

/// ||x||^2 in V^{-1} as it was after sample r of a block, from V^{-1} after the whole block:
///   V_{s-1}^{-1} = V_s^{-1} + V_{s-1}^{-1} x_s x_s' V_{s-1}^{-1}/(1 + x_s' V_{s-1}^{-1} x_s).
template <int P>
Vec width2_after(int r, const Absorbed<P>& block, const Symmetric<P>& inverse, const Vec* x) {
  Vec y[P];
  inverse.multiply(x, y);
  Vec width2 = dot<P>(x, y);
  for (int s = r + 1; s < block.n; ++s) {
    const Vec along = dot<P>(x, block.vx + s * P);
    width2 = fma(along * along, block.gain[s], width2);
  }
  return width2;
}

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
