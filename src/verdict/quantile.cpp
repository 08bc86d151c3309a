#include "mixlab/verdict/quantile.h"

#include <algorithm>
#include <cmath>

namespace mixlab::verdict {
namespace {

/// The largest k in 0..n with lower_tail(k - 1, n, q) <= probability.
std::int64_t lower_rank(std::int64_t n, double q, double probability) {
  std::int64_t low = 0, high = n + 1;  // low satisfies it, high does not
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (lower_tail(middle - 1, n, q) <= probability ? low : high) = middle;
  }
  return low;
}

}  // namespace

double quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) return unknown;
  const double n = static_cast<double>(sorted.size());
  // A product such as 0.95 * 20 may be a hair above the whole number it means.
  const double rank = std::ceil(q * n - 1e-9);
  return sorted[static_cast<std::size_t>(std::clamp(rank, 1.0, n)) - 1];
}

Ranks quantile_ranks(std::int64_t n, double q, double alpha) {
  // The upper rank is the lower one of the mirrored sample.
  return {lower_rank(n, q, alpha / 2), n + 1 - lower_rank(n, 1 - q, alpha / 2)};
}

Interval quantile_interval(const std::vector<double>& sorted, double q, double alpha) {
  const auto n = static_cast<std::int64_t>(sorted.size());
  const Ranks ranks = quantile_ranks(n, q, alpha);
  const auto at = [&](std::int64_t rank) {
    return rank < 1 || rank > n ? unknown : sorted[static_cast<std::size_t>(rank - 1)];
  };
  return {at(ranks.lower), at(ranks.upper)};
}

}  // namespace mixlab::verdict
