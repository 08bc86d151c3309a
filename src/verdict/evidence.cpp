#include "mixlab/verdict/evidence.h"

#include <algorithm>
#include <cmath>

#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/eprocess.h"
#include "smallest.h"

namespace mixlab::verdict {
namespace {

/// The share of a level that a look has: all of it where there is no fixed test.
double looking_share(std::int64_t n_declared) {
  return n_declared > 0 ? anytime_share : 1;
}

/// P-values of the exact test, its share of the level accounted for.
PValues fixed_p_values(const Look& declared, double delta) {
  return {upper_tail(declared.misses, declared.n, delta) / (1 - anytime_share),
          lower_tail(declared.misses, declared.n, delta) / (1 - anytime_share)};
}

}  // namespace

PValues p_values(const Evidence& evidence, double delta) {
  PValues p;
  for (const Look& look : evidence.looks) {
    if (look.n == evidence.n_declared) {
      const PValues fixed = fixed_p_values(look, delta);
      p.violated = std::min(1.0, fixed.violated);
      p.certified = std::min(1.0, fixed.certified);
    }
    p.log_e_violated = std::max(p.log_e_violated, log_e_violated(look.misses, look.n, delta));
    p.log_e_certified = std::max(p.log_e_certified, log_e_certified(look.misses, look.n, delta));
  }
  const double share = looking_share(evidence.n_declared);
  p.violated = std::min(p.violated, std::exp(-p.log_e_violated) / share);
  p.certified = std::min(p.certified, std::exp(-p.log_e_certified) / share);
  return p;
}

double decisive_log_e(double level) {
  return -std::log(anytime_share * level);
}

bool decided_by_looks(const std::vector<Look>& looks, double delta, double level) {
  const double enough = decisive_log_e(level);
  return std::any_of(looks.begin(), looks.end(), [&](const Look& look) {
    return log_e_violated(look.misses, look.n, delta) >= enough ||
           log_e_certified(look.misses, look.n, delta) >= enough;
  });
}

// The power at mu of a test that rejects from k misses on is P(Bin(n, mu) >= k), increasing in mu.
double smallest_detectable(std::int64_t n, std::int64_t n_declared, double delta, double level, double power) {
  const double enough = -std::log(looking_share(n_declared) * level);
  const std::int64_t k = smallest(n, [&](std::int64_t misses) { return log_e_violated(misses, n, delta) >= enough; });
  double detectable = k > n ? unknown : lower_limit(k, n, power);
  if (n_declared > 0 && n >= n_declared)
    detectable = std::fmin(detectable, smallest_detectable(n_declared, delta, (1 - anytime_share) * level, power));
  return detectable;
}

std::int64_t trials_to_decide(const Evidence& evidence, double rate, double delta, double level, std::int64_t largest) {
  if (rate == delta) return 0;
  const double enough = -std::log(looking_share(evidence.n_declared) * level);
  const auto at_this_rate = [&](std::int64_t n) -> Look {
    const double misses = rate * static_cast<double>(n);
    return {n, static_cast<std::int64_t>(rate < delta ? std::ceil(misses) : std::floor(misses))};
  };
  const bool will_be_tested = evidence.n() < evidence.n_declared;
  const PValues fixed = fixed_p_values(at_this_rate(evidence.n_declared), delta);
  const std::int64_t more = smallest(largest, [&](std::int64_t n) {
    const Look look = at_this_rate(evidence.n() + n);
    if (will_be_tested && look.n >= evidence.n_declared && std::min(fixed.violated, fixed.certified) <= level)
      return true;
    return (rate < delta ? log_e_certified : log_e_violated)(look.misses, look.n, delta) >= enough;
  });
  return more > largest ? 0 : evidence.n() + more;
}

}  // namespace mixlab::verdict
