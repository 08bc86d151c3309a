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

std::int64_t count_values(const std::vector<ValueRun>& runs) {
  return runs.empty() ? 0 : runs.back().last_rank();
}

/// n >= 1.
std::int64_t quantile_rank(std::int64_t n, double q) {
  // A product such as 0.95 * 20 may be a hair above the whole number it means.
  const auto rank = static_cast<std::int64_t>(std::ceil(q * static_cast<double>(n) - 1e-9));
  return std::clamp<std::int64_t>(rank, 1, n);
}

}  // namespace

double quantile(const std::vector<ValueRun>& runs, double q) {
  const std::int64_t n = count_values(runs);
  return n == 0 ? unknown : value_at(runs, quantile_rank(n, q));
}

Ranks quantile_ranks(std::int64_t n, double q, double alpha) {
  // The upper rank is the lower one of the mirrored sample.
  return {lower_rank(n, q, alpha / 2), n + 1 - lower_rank(n, 1 - q, alpha / 2)};
}

Interval quantile_interval(const std::vector<ValueRun>& runs, double q, double alpha) {
  const Ranks ranks = quantile_ranks(count_values(runs), q, alpha);
  return {value_at(runs, ranks.lower), value_at(runs, ranks.upper)};
}

Sieve::Wanted wanted_quantiles(std::vector<double> shares, double alpha) {
  return [shares = std::move(shares), alpha](const std::vector<ValueRun>& runs) {
    const std::int64_t n = count_values(runs);
    std::vector<std::size_t> gaps;
    for (const double q : shares) {
      const Ranks ranks = quantile_ranks(n, q, alpha);
      for (const std::int64_t rank : {quantile_rank(n, q), ranks.lower, ranks.upper})
        for (std::size_t i = 1; i < runs.size(); ++i)
          if (runs[i - 1].last_rank() < rank && rank <= runs[i].before) gaps.push_back(i);
    }
    return gaps;
  };
}

}  // namespace mixlab::verdict
