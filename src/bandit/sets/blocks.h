// The d interleaved blocks of the proof: block j holds the rounds j, j+d, j+2d, ... MATHEMATICS.md A.2, E.2.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace mixlab::bandit {

/// sum over the blocks of regret(number of rounds of the block in 1..t); regret(0) must be 0.
template <class Regret>
double sum_over_blocks(std::int64_t t, std::int64_t d, Regret regret) {
  const auto longer = static_cast<double>(t % d);
  return longer * regret(t / d + 1) + (static_cast<double>(d) - longer) * regret(t / d);
}

/// Regret of one forecaster over k rounds against a comparator in the ball of radius B, in units of sigma (A2).
inline double block_regret(std::int64_t k, int p, double B) {
  if (k == 0) return 0;
  const auto rounds = static_cast<double>(k);
  const double dimension = p;
  return dimension * std::log(B + 1) + dimension / 2 * std::log(std::max(dimension, rounds) / dimension) +
         std::min(rounds, dimension) / 2;
}

/// The same with the exact second moment c^2/(p+2) of the uniform law on a ball (A3).
inline double tight_block_regret(std::int64_t k, int p, double B) {
  if (k == 0) return 0;
  const auto rounds = static_cast<double>(k);
  const double dimension = p;
  const double threshold = dimension * (dimension + 2);
  return dimension * std::log(B + 1) + (rounds <= threshold
                                            ? rounds / (2 * (dimension + 2))
                                            : dimension / 2 * std::log(rounds / threshold) + dimension / 2);
}

/// The same for a prior on the ball of radius B + margin; (A3) has margin 1.
inline double margin_block_regret(std::int64_t k, int p, double B, double margin) {
  if (k == 0) return 0;
  const auto rounds = static_cast<double>(k);
  const double dimension = p;
  const double threshold = dimension * (dimension + 2);
  if (rounds * margin * margin <= threshold)
    return dimension * std::log((B + margin) / margin) + rounds * margin * margin / (2 * (dimension + 2));
  return dimension * std::log(B + margin) + dimension / 2 * std::log(rounds / threshold) + dimension / 2;
}

/// Of the margins that a prior may have the one with the least squared radius; radius2_with(margin) is that at the horizon.
template <class Radius2>
double best_margin(Radius2 radius2_with) {
  constexpr int finest = -64, widest = 16;  // eighths of a power of two
  double best = 1, least = radius2_with(best);
  for (int step = finest; step <= widest; ++step) {
    const double margin = std::exp2(step / 8.0);
    if (const double radius2 = radius2_with(margin); radius2 < least) {
      least = radius2;
      best = margin;
    }
  }
  return best;
}

/// kappa: what a round's bias costs, in units of sigma, if the penalty stays inside the integral (A9).
inline double bias_constant(int p, double B, double margin = 1) {
  return 2 * B >= margin ? 2 * B : std::sqrt(4 * B * B + margin * margin / (p + 2));
}

/// m_t: blocks that have begun by round t.
inline double n_active_blocks(std::int64_t t, std::int64_t d) {
  return static_cast<double>(std::min(t, d));
}

/// What the d supermartingales cost together: n_active log(1/delta) + this. The union bound for d <= 2, else (E.2).
inline double cost_of_blocks(std::int64_t t, std::int64_t d) {
  const auto blocks = static_cast<double>(d);
  return d <= 2 ? n_active_blocks(t, d) * std::log(blocks) : blocks;
}

/// Bias over the rounds after the first d. An infinite phi does no harm before they come.
inline double total_bias(std::int64_t t, std::int64_t d, double phi) {
  return t <= d ? 0 : static_cast<double>(t - d) * phi;
}

}  // namespace mixlab::bandit
