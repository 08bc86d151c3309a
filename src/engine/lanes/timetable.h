// When samples enter and rounds are played. What a lane computes does not depend on it but for the last bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "mixlab/bandit/lag_schedule.h"

namespace mixlab::engine::lanes {

/// Samples enter, then rounds are played. Either may be none.
struct Step {
  std::int64_t first_sample = 0;
  int n_samples = 0;
  std::int64_t first_round = 0;
  int n_rounds = 0;
  bool again = false;  ///< the lag grows: one round, with the samples of the round before
  bool look = false;   ///< the samples, and those before them since the last look, are looked at together
};

/// The steps of a trajectory of T rounds: the first rounds without data, then the samples up to t - d(t) before round t, at
/// last the samples that no round waits for, in the steps that a longer trajectory would take, so that every C_t, t =
/// 1..T, is looked at and nothing depends on T. At most `block` of each per step, which must not be above the first lag
/// with data, and samples that enter together never lie on both sides of a multiple of `block`. Looks are at multiples of
/// `look` samples, which is one of `block` or 1, and wherever fewer enter.
class Timetable {
 public:
  Timetable(const bandit::LagSchedule& schedule, int block, int look, std::int64_t T)
      : schedule_(schedule), T_(T), block_(block), look_(look) {}

  /// Nothing after the last step.
  std::optional<Step> next() {
    while (n_entered_ < T_) {
      const std::int64_t t = t_;
      Step step;
      if (t <= schedule_.n_data_free())
        step = next_without_data();
      else if (t - schedule_.at(t) == n_entered_)
        step = {.first_round = t_++, .n_rounds = 1, .again = true};
      else
        step = next_samples();
      step.n_rounds = static_cast<int>(std::clamp<std::int64_t>(T_ - t + 1, 0, step.n_rounds));
      if (step.n_samples + step.n_rounds > 0) return step;
    }
    return std::nullopt;
  }

 private:
  Step next_without_data() {
    const int n = static_cast<int>(std::min<std::int64_t>(block_, schedule_.n_data_free() - t_ + 1));
    const Step step{.first_round = t_, .n_rounds = n};
    t_ += n;
    return step;
  }

  Step next_samples() {
    const std::int64_t aligned = block_ - n_entered_ % block_;
    const std::int64_t with_this_lag = schedule_.last_with_lag_of(t_, t_ + block_) - t_ + 1;
    const int n = static_cast<int>(std::min({aligned, with_this_lag, T_ - n_entered_}));
    Step step{.first_sample = n_entered_ + 1, .n_samples = n, .first_round = t_, .n_rounds = n};
    n_entered_ += n;
    step.look = n < block_ || n_entered_ % look_ == 0 || n_entered_ == T_;
    t_ += n;
    return step;
  }

  const bandit::LagSchedule& schedule_;
  std::int64_t T_;
  int block_, look_;
  std::int64_t t_ = 1;          ///< next round to play
  std::int64_t n_entered_ = 0;  ///< samples
};

}  // namespace mixlab::engine::lanes
