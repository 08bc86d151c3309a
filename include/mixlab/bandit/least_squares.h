// Constrained least squares, the centre of the paper's set (MATHEMATICS.md C.1):
//   theta_hat = argmin (1/2) theta' Lambda theta - b' theta   over   ||theta|| <= B,
// the minimiser of least norm where it is not unique.
#pragma once

#include <armadillo>

#include "mixlab/bandit/cholesky.h"

namespace mixlab::bandit {

/// theta_hat solves (Lambda + mu I) theta_hat = b with mu >= 0, and mu (||theta_hat|| - B) = 0.
struct BallMinimiser {
  arma::vec theta;
  double mu = 0;
};

/// Eigenvalues of Lambda up to this part of the largest count as 0, and what b has along them is left out.
inline constexpr double zero_eigenvalue = 1e-11;

/// b must lie in the range of Lambda, as it does for every regression.
BallMinimiser constrained_least_squares(const arma::mat& Lambda, const arma::vec& b, double B);

/// Frank-Wolfe gap <grad, theta> + B ||grad||: how far theta, in the ball, is from optimal; 0 at the minimiser.
double frank_wolfe_gap(const arma::mat& Lambda, const arma::vec& b, double B, const arma::vec& theta);

}  // namespace mixlab::bandit
