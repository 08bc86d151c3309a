#include "mixlab/verdict/evidence.h"

#include <algorithm>
#include <cmath>

#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/eprocess.h"
#include "smallest.h"

namespace mixlab::verdict {
namespace {

/// What a claim has for it.
struct Grounds {
  double fixed = 1;  ///< p-value of the exact test; 1 while it cannot be made
  bool is_rejected = false;
  double log_e = 0;  ///< the largest of all looks
};

/// A p-value at every level: that of looks and exact test with their shares, but `level` where the exact test rejects
/// there with more than its share, as it may at this one level. To make room for that, no other p-value is slightly
/// above it.
double p_value(const Grounds& grounds, const LevelSplit& split) {
  const double rest = 1 - split.looks;
  const double p = std::min(grounds.fixed < 1 ? grounds.fixed / rest : 1.0, std::exp(-grounds.log_e) / split.looks);
  if (grounds.is_rejected) return std::min(p, split.level);
  const bool is_slightly_above = rest > 0 && p > split.level && p < split.level / rest;
  return std::min(1.0, is_slightly_above ? split.level / rest : p);
}

}  // namespace

PValues p_values(const Evidence& evidence, double delta, const LevelSplit& split) {
  Grounds violated, certified;
  for (const Look& look : evidence.looks) {
    if (look.n == evidence.n_declared) {
      violated.fixed = upper_tail(look.misses, look.n, delta);
      violated.is_rejected = look.misses >= split.fewest_violated;
      certified.fixed = lower_tail(look.misses, look.n, delta);
      certified.is_rejected = look.misses <= split.most_certified;
    }
    violated.log_e = std::max(violated.log_e, log_e_violated(look.misses, look.n, delta));
    certified.log_e = std::max(certified.log_e, log_e_certified(look.misses, look.n, delta));
  }
  return {p_value(violated, split), p_value(certified, split), violated.log_e, certified.log_e};
}

bool decided_by_looks(const std::vector<Look>& looks, double delta, const LevelSplit& split) {
  const double enough = split.decisive_log_e();
  return std::any_of(looks.begin(), looks.end(), [&](const Look& look) {
    return log_e_violated(look.misses, look.n, delta) >= enough ||
           log_e_certified(look.misses, look.n, delta) >= enough;
  });
}

// The power at mu of a test that rejects from k misses on is P(Bin(n, mu) >= k), increasing in mu.
double smallest_detectable(std::int64_t n, std::int64_t n_declared, double delta, const LevelSplit& split,
                           double power) {
  const double enough = split.decisive_log_e();
  const std::int64_t k = smallest(n, [&](std::int64_t misses) { return log_e_violated(misses, n, delta) >= enough; });
  double detectable = k > n ? unknown : lower_limit(k, n, power);
  if (n_declared > 0 && n >= n_declared && split.fewest_violated <= n_declared)
    detectable = std::fmin(detectable, lower_limit(split.fewest_violated, n_declared, power));
  return detectable;
}

std::int64_t trials_to_decide(const Evidence& evidence, double rate, double delta, const LevelSplit& split,
                              std::int64_t largest) {
  if (rate == delta) return 0;
  const double enough = split.decisive_log_e();
  const auto at_this_rate = [&](std::int64_t n) -> Look {
    const double misses = rate * static_cast<double>(n);
    return {n, static_cast<std::int64_t>(rate < delta ? std::ceil(misses) : std::floor(misses))};
  };
  const std::int64_t declared_misses = at_this_rate(evidence.n_declared).misses;
  const bool exact_test_will_decide = evidence.n() < evidence.n_declared && (declared_misses >= split.fewest_violated ||
                                                                             declared_misses <= split.most_certified);
  const std::int64_t more = smallest(largest, [&](std::int64_t n) {
    const Look look = at_this_rate(evidence.n() + n);
    if (exact_test_will_decide && look.n >= evidence.n_declared) return true;
    return (rate < delta ? log_e_certified : log_e_violated)(look.misses, look.n, delta) >= enough;
  });
  return more > largest ? 0 : evidence.n() + more;
}

}  // namespace mixlab::verdict
