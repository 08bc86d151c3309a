#include "mixlab/bandit/lag_schedule.h"

#include <algorithm>

namespace mixlab::bandit {

LagSchedule::LagSchedule(const std::function<double(std::int64_t t)>& rule, std::int64_t T) : n_data_free_(1) {
  while (n_data_free_ < T && rule(n_data_free_ + 1) > static_cast<double>(n_data_free_)) ++n_data_free_;
  std::int64_t t = n_data_free_;
  for (auto d = static_cast<double>(n_data_free_); t < T && rule(T) > d; d += 1) {
    std::int64_t low = t, high = T;  // the lag grows in the first round after t whose rule is above d
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (rule(middle) > d ? high : low) = middle;
    }
    growth_.push_back(t = high);
  }
}

std::int64_t LagSchedule::at(std::int64_t t) const {
  if (t <= n_data_free_) return t;
  return n_data_free_ + (std::upper_bound(growth_.begin(), growth_.end(), t) - growth_.begin());
}

std::int64_t LagSchedule::last_with_lag_of(std::int64_t t, std::int64_t T) const {
  const auto next = std::upper_bound(growth_.begin(), growth_.end(), t);
  return next == growth_.end() ? T : std::min(T, *next - 1);
}

}  // namespace mixlab::bandit
