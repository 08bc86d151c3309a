// What is kept of a trajectory.
#pragma once

#include <cstdint>
#include <vector>

namespace mixlab::engine {

struct Row {
  std::vector<double> regret;                 ///< at the cell's checkpoints: cumulative pseudo-regret
  std::vector<std::int32_t> first_violation;  ///< a set: first t with theta* outside C_t, 0 = never
  std::vector<double> log10_p;                ///< a set: anytime p-value, unclipped
  std::vector<double> horizon_log10_p;        ///< a set: p-value of the last set alone, unclipped
  std::vector<double> sup_ratio;              ///< a set: sup_t q_t/beta_t^2
  double potential = 0;                       ///< sum_{t>lag} min(1, ||X_t||^2_{V_{t-lag}^{-1}})
  std::int32_t first_bound_violation = 0;     ///< first t with regret above the worst-case theorem, 0 = never

  bool operator==(const Row&) const = default;
};

}  // namespace mixlab::engine
