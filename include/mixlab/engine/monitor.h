// What is kept of a confidence set that is watched along a trajectory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numbers>

#include "mixlab/engine/row.h"

namespace mixlab::engine {

struct Monitor {
  std::int64_t first_violation = 0;
  double sup_ratio = 0;
  double log_p = std::numeric_limits<double>::infinity();
  double last_log_p = 0;

  void see(std::int64_t t, double q, double radius2, double log_p_now) {
    if (q > radius2 && first_violation == 0) first_violation = t;
    sup_ratio = std::max(sup_ratio, q / radius2);
    log_p = std::min(log_p, log_p_now);
    last_log_p = log_p_now;
  }

  /// As set i of the row, before those that are there from i on.
  void write(Row& row, std::size_t i) const {
    const auto at = static_cast<std::ptrdiff_t>(i);
    row.first_violation.insert(row.first_violation.begin() + at, static_cast<std::int32_t>(first_violation));
    row.sup_ratio.insert(row.sup_ratio.begin() + at, sup_ratio);
    row.log10_p.insert(row.log10_p.begin() + at, log_p * std::numbers::log10e);
    row.horizon_log10_p.insert(row.horizon_log10_p.begin() + at, last_log_p * std::numbers::log10e);
  }
};

}  // namespace mixlab::engine
