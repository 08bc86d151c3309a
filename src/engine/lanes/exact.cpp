#include "exact.h"

#include <algorithm>

#include "mixlab/bandit/least_squares.h"

namespace mixlab::engine::lanes {

double solve_exactly(const double* Lambda, const double* b, int p, double B, double* theta) {
  const auto size = static_cast<arma::uword>(p);
  const bandit::BallMinimiser exact =
      bandit::constrained_least_squares(arma::mat(Lambda, size, size), arma::vec(b, size), B);
  std::copy(exact.theta.begin(), exact.theta.end(), theta);
  return exact.mu;
}

}  // namespace mixlab::engine::lanes
