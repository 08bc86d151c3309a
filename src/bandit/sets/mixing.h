// What the sets for mixing noise have in common.
#pragma once

#include <string>

#include "mixlab/bandit/confidence_set.h"
#include "mixlab/core/text.h"

namespace mixlab::bandit {

/// The delay of the set is within the lag of the data.
inline std::string needs_lag(const SetConstants& c, const Collection& collection) {
  const std::int64_t lag = collection.schedule.n_data_free();
  if (c.d <= lag) return {};
  return "delay " + std::to_string(c.d) + " of the set exceeds lag " + std::to_string(lag) + " of the policy";
}

/// The conditions that nearly all of them share: that, and phi not understated.
inline std::string needs_lag_and_phi(const SetConstants& c, const Collection& collection) {
  if (std::string reason = needs_lag(c, collection); !reason.empty()) return reason;
  const double certified = collection.scale * collection.noise.phi(c.d);
  if (!(c.phi >= certified)) return "phi is set below the certified " + to_text(certified);
  return {};
}

/// The constant B + sigma of the paper's bias is a theorem for B <= sigma + phi/2 (A8), and needless without bias.
inline std::string needs_small_B(const SetConstants& c) {
  return c.phi > 0 && c.B > c.sigma + c.phi / 2 ? "the constant B + sigma is proved for B <= sigma + phi/2 only (A8)"
                                                : std::string{};
}

}  // namespace mixlab::bandit
