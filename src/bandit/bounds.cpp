#include "mixlab/bandit/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mixlab::bandit {
namespace {

double largest_gain(const BoundConstants& c, std::int64_t T) {  // G
  return c.p * std::log1p(static_cast<double>(T) / (c.lambda * c.p));
}

/// The least over c of 2 B d + 2 B (d-1) G/log(1+c) + rest(sum of bounded squares of the other rounds).
template <class Rest>
double least_over_c(const BoundConstants& constants, std::int64_t T, Rest rest) {
  const double d = static_cast<double>(constants.d), B = constants.B, G = largest_gain(constants, T);
  double least = std::numeric_limits<double>::infinity();
  for (const double c : {1.0, 0.7, 0.5, 0.3, 0.2, 0.1})
    least = std::min(least, 2 * B * d + 2 * B * (d - 1) * G / std::log1p(c) + rest(G / std::log1p(1 / (1 + c))));
  return least;
}

}  // namespace

double potential_bound(const BoundConstants& constants, std::int64_t T) {
  const double dp = static_cast<double>(constants.d) * constants.p;
  return 2 * dp * std::log1p(static_cast<double>(T) / (constants.lambda * dp));
}

double worst_case_bound(const BoundConstants& constants, std::int64_t T, double radius2) {
  const double start = 2 * static_cast<double>(constants.d) * constants.B;
  const double scale = std::max(constants.B * constants.B, radius2);
  return start + std::sqrt(4 * static_cast<double>(T) * scale * potential_bound(constants, T));
}

double gap_bound(const BoundConstants& constants, std::int64_t T, double radius2, double gap) {
  const double start = 2 * static_cast<double>(constants.d) * constants.B;
  const double scale = std::max(constants.B * constants.B, radius2);
  return start + 4 * scale / gap * potential_bound(constants, T);
}

double additive_delay_bound(const BoundConstants& constants, std::int64_t T, double radius2) {
  const double scale = std::max(constants.B * constants.B, radius2);
  return least_over_c(constants, T,
                      [&](double squares) { return std::sqrt(4 * static_cast<double>(T) * scale * squares); });
}

double additive_delay_gap_bound(const BoundConstants& constants, std::int64_t T, double radius2, double gap) {
  const double scale = std::max(constants.B * constants.B, radius2);
  return least_over_c(constants, T, [&](double squares) { return 4 * scale / gap * squares; });
}

double stale_rounds_bound(const BoundConstants& constants, std::int64_t T) {
  return static_cast<double>(constants.d - 1) * largest_gain(constants, T) / std::log(2.0);
}

double fresh_potential_bound(const BoundConstants& constants, std::int64_t T) {
  return largest_gain(constants, T) / std::log(1.5);
}

}  // namespace mixlab::bandit
