#include "mixlab/verdict/calibration.h"

#include <algorithm>
#include <cmath>

namespace mixlab::verdict {

Calibration calibrate(const std::vector<double>& sorted) {
  const double n = static_cast<double>(sorted.size());
  Calibration result;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double rank = static_cast<double>(i + 1);
    const double p = std::min(1.0, sorted[i]);
    result.excess = std::max(result.excess, rank / n - p);
    result.simes = std::min(result.simes, n * p / rank);
  }
  result.dkw = std::exp(-2 * n * result.excess * result.excess);
  return result;
}

}  // namespace mixlab::verdict
