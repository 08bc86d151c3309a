// How old the data are that a policy plays with: round t knows the samples 1..t - d(t) (MATHEMATICS.md G.1). d(1) = 1, and
// d(t) <= d(t+1) <= d(t) + 1, so that t - d(t) never decreases; rounds with d(t) = t know nothing and are the first ones.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace mixlab::bandit {

class LagSchedule {
 public:
  /// d(t) = min(t, lag).
  LagSchedule(std::int64_t lag = 1) : n_data_free_(lag) {}
  /// d(t+1) = min(d(t) + 1, max(d(t), rule(t+1))) up to round T. The rule must not decrease.
  LagSchedule(const std::function<double(std::int64_t t)>& rule, std::int64_t T);

  std::int64_t at(std::int64_t t) const;
  /// The first rounds, which know nothing; no later lag is shorter than they are many.
  std::int64_t n_data_free() const { return n_data_free_; }
  /// The rounds after them in which the lag is one longer than in the round before.
  const std::vector<std::int64_t>& growth() const { return growth_; }
  /// Rounds t, t+1, ... with the lag of round t, at most to T.
  std::int64_t last_with_lag_of(std::int64_t t, std::int64_t T) const;

 private:
  std::int64_t n_data_free_;
  std::vector<std::int64_t> growth_;
};

}  // namespace mixlab::bandit
