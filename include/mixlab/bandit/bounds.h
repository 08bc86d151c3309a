// Regret theorems as explicit numbers, never their O(): the paper's (MATHEMATICS.md A.7) and those in which the delay is
// additive (F.4). They hold for any valid non-decreasing radius; d is the lag of the policy, its largest if it grows.
#pragma once

#include <cstdint>

namespace mixlab::bandit {

struct BoundConstants {
  int p = 1;
  double B = 1;
  double lambda = 1;
  std::int64_t d = 1;
};

/// Delayed elliptical potential lemma: sum_{t=d+1}^T min(1, ||X_t||^2_{V_{t-d}^{-1}}) <= 2 d p log(1 + T/(lambda d p)).
double potential_bound(const BoundConstants& constants, std::int64_t T);

/// Theorem 2: 2 d B + sqrt(8 d p T max(B^2, beta_T^2) log(1 + T/(lambda d p))).
double worst_case_bound(const BoundConstants& constants, std::int64_t T, double radius2);

/// Theorem 3, minimum gap Delta: 2 d B + (8 d p/Delta) max(B^2, beta_T^2) log(1 + T/(lambda d p)).
double gap_bound(const BoundConstants& constants, std::int64_t T, double radius2, double gap);

/// (F8), the least over some c > 0: 2 B d + 2 B (d-1) G/log(1+c) + sqrt(4 T max(B^2, beta_T^2) G/log(1 + 1/(1+c))),
/// G = p log(1 + T/(lambda p)). The lag may grow.
double additive_delay_bound(const BoundConstants& constants, std::int64_t T, double radius2);
/// The same with a minimum gap.
double additive_delay_gap_bound(const BoundConstants& constants, std::int64_t T, double radius2, double gap);

/// (F9) at c = 1, on every path: at most this many rounds t > d(t) have det V_{t-1} > 2 det V_{t-d(t)}, ...
double stale_rounds_bound(const BoundConstants& constants, std::int64_t T);
/// ... and over the others min(1, ||X_t||^2_{V_{t-d(t)}^{-1}}) sums to this at most.
double fresh_potential_bound(const BoundConstants& constants, std::int64_t T);

}  // namespace mixlab::bandit
