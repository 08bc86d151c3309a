// Rules for a lag that grows with t (MATHEMATICS.md G.1).
#pragma once

#include <cstdint>
#include <string>

#include "mixlab/bandit/lag_path.h"
#include "mixlab/bandit/lag_schedule.h"

namespace mixlab::bandit {

/// What a schedule is made from. Nothing in it depends on the horizon: a longer run begins like a shorter one.
struct ScheduleQuestion {
  const LagCertificate& lags;
  std::int64_t step = 1;  ///< all lags are multiples of it, and none is shorter
  std::int64_t T = 1;     ///< how far the schedule is needed
};

/// `text`: schedule:geometric, schedule:algebraic, or schedule:FACTOR, which is geometric with FACTOR times tau (G1). Throws
/// KeyError for policy.delay.
LagSchedule make_schedule(const std::string& text, const ScheduleQuestion& question);

/// Whether a policy.delay asks for a schedule.
inline bool is_schedule(const std::string& text) {
  return text.starts_with("schedule:");
}

}  // namespace mixlab::bandit
