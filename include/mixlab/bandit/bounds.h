// The paper's regret theorems as explicit numbers, never their O(). They hold for any valid non-decreasing radius;
// d is the lag of the policy. MATHEMATICS.md A.6 no. 26 to 29.
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

}  // namespace mixlab::bandit
