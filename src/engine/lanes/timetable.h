// When samples enter and rounds are played. What a lane computes does not depend on it but for the last bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace mixlab::engine::lanes {

/// Samples enter, then rounds are played. Either may be none.
struct Step {
  std::int64_t first_sample = 0;
  int n_samples = 0;
  std::int64_t first_round = 0;
  int n_rounds = 0;
};

/// The steps of a trajectory of T rounds: the first `lag` rounds without data, then the samples up to t - lag before round
/// t, at last the samples that no round waited for, so that every C_t, t = 1..T, is looked at. At most `block`, at most
/// lag, of each per step, and samples that enter together never lie on both sides of a multiple of `block`.
class Timetable {
 public:
  Timetable(std::int64_t lag, int block, std::int64_t T) : lag_(lag), T_(T), block_(block) {}

  /// Nothing after the last step.
  std::optional<Step> next() {
    if (t_ > T_ + std::min(lag_, T_)) return std::nullopt;
    if (t_ > T_) return next_without_rounds();
    const std::int64_t end = t_ <= lag_ ? std::min(lag_, T_) : T_;
    const int n = static_cast<int>(std::min<std::int64_t>(block_, end - t_ + 1));
    const std::int64_t t = t_;
    t_ += n;
    return t <= lag_ ? Step{.first_round = t, .n_rounds = n}
                     : Step{.first_sample = t - lag_, .n_samples = n, .first_round = t, .n_rounds = n};
  }

 private:
  Step next_without_rounds() {
    const std::int64_t sample = t_ - std::min(lag_, T_);
    const std::int64_t aligned = block_ - (sample - 1) % block_;
    const int n = static_cast<int>(std::min(aligned, T_ - sample + 1));
    t_ += n;
    return {.first_sample = sample, .n_samples = n};
  }

  std::int64_t lag_, T_;
  int block_;
  std::int64_t t_ = 1;  ///< next round to play, or beyond T, min(lag, T) more than the next sample to enter
};

}  // namespace mixlab::engine::lanes
