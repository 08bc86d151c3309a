#include "mixlab/verdict/calibration.h"

#include <algorithm>
#include <cmath>

namespace mixlab::verdict {
namespace {

/// How far a p-value of this rank is out, by either test. Both grow with the rank and fall with p, in the rounded
/// numbers too.
struct Reach {
  double excess;
  double simes;
};
Reach reach_of(double p_value, std::int64_t rank, double n) {
  const double p = std::clamp(p_value, 0.0, 1.0);
  return {static_cast<double>(rank) / n - p, n * p / static_cast<double>(rank)};
}

double size_of(const std::vector<ValueRun>& p_values) {
  return p_values.empty() ? 0 : static_cast<double>(p_values.back().last_rank());
}

}  // namespace

Calibration calibrate(const std::vector<ValueRun>& p_values) {
  const double n = size_of(p_values);
  Calibration result;
  for (const ValueRun& run : p_values) {
    if (run.count == 0) continue;
    const Reach reach = reach_of(run.value, run.last_rank(), n);  // equal p-values: the last reaches furthest
    result.excess = std::max(result.excess, reach.excess);
    result.simes = std::min(result.simes, reach.simes);
  }
  result.dkw = std::exp(-2 * n * result.excess * result.excess);
  return result;
}

std::vector<std::size_t> wanted_by_calibration(const std::vector<ValueRun>& p_values) {
  const Calibration known = calibrate(p_values);
  const double n = size_of(p_values);
  std::vector<std::size_t> gaps;
  for (std::size_t i = 1; i < p_values.size(); ++i) {
    if (p_values[i].before == 0) continue;
    const Reach at_most = reach_of(p_values[i - 1].value, p_values[i].before, n);
    if (at_most.excess > known.excess || at_most.simes < known.simes) gaps.push_back(i);
  }
  return gaps;
}

}  // namespace mixlab::verdict
