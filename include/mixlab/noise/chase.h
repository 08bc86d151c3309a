// Sign-chasing noise taken apart, for engines that follow many trajectories at once (MATHEMATICS.md W3):
//   eps_t = frozen s_t + sqrt(1 - frozen^2) xi_t,   s_t = sign <Lambda^+ sum, X_t>,
// Lambda = sum of X_s X_s' and sum = sum of X_s eps_s over the samples up to t - lag.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "mixlab/noise/process.h"

namespace mixlab::noise {

/// A round takes two words of the stream: random::sign of the first is s_t where there is no telling, the second gives xi_t.
struct Chase {
  double frozen = 0;
  std::int64_t lag = 1;
  void (*draw_all)(std::span<const std::uint64_t> words, std::span<double> xi) = nullptr;

  double weight() const { return std::sqrt(1 - frozen * frozen); }  ///< of xi
};

class ChasingProcess : public Process {
 public:
  virtual Chase chase() const = 0;
};

/// A push that is not longer than this tells no direction.
inline constexpr double least_push = 1e-12;
/// Eigenvalues of Lambda up to this, relative to its trace, count as 0.
inline constexpr double least_eigenvalue = 1e-9;

/// <Lambda^+ sum, x>. `Lambda`: p x p.
double push_along(const double* Lambda, const double* sum, const double* x, int p);

}  // namespace mixlab::noise
