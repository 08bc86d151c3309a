#pragma once

#include <algorithm>
#include <vector>

#include "mixlab/bandit/delay.h"

namespace mixlab::bandit {

/// Final squared radius of the policy's own set for the delays 1, 2, ...: every one, since it is not unimodal (union bound
/// for d <= 2, then another).
inline std::vector<double> final_radii2(const DelayQuestion& question) {
  constexpr std::int64_t longest_search = 1000000;
  std::vector<double> radii2;
  for (std::int64_t d = 1; d <= std::min(question.T, longest_search); ++d) radii2.push_back(question.final_radius2(d));
  return radii2;
}

/// The delay of one of them.
inline double delay_at(const std::vector<double>& radii2, std::vector<double>::const_iterator radius2) {
  return static_cast<double>(radius2 - radii2.begin() + 1);
}

}  // namespace mixlab::bandit
