#include "mixlab/bandit/bounds.h"

#include <algorithm>
#include <cmath>

namespace mixlab::bandit {

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

}  // namespace mixlab::bandit
