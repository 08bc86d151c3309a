#include "mixlab/verdict/holm.h"

#include <algorithm>
#include <numeric>

namespace mixlab::verdict {

std::vector<double> holm(const std::vector<double>& p_values) {
  const std::size_t n = p_values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(n);
  double largest = 0;
  for (std::size_t rank = 0; rank < n; ++rank) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(n - rank) * p_values[order[rank]]));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace mixlab::verdict
