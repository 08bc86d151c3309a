// Cholesky factor of a small symmetric matrix: plain loops in a fixed order, so the bits depend neither on the BLAS
// nor on the processor, and no call overhead at p = 2.
#pragma once

#include <armadillo>

namespace mixlab::bandit {

class Cholesky {
 public:
  /// Factors A + shift I = L L'. False, and no factor, if a pivot is not above `smallest_pivot`.
  bool factor(const arma::mat& A, double shift = 0, double smallest_pivot = 0);

  /// x with (A + shift I) x = b.
  arma::vec solve(const arma::vec& b) const;
  /// x' (A + shift I)^{-1} x = ||L^{-1} x||^2.
  double inverse_norm2(const double* x) const;
  /// L'^{-1} g: covariance (A + shift I)^{-1} for a standard normal g.
  arma::vec half_solve(const arma::vec& g) const;
  double log_determinant() const;
  /// tr (A + shift I)^{-1} = ||L^{-1}||^2.
  double inverse_trace() const;

 private:
  void forward(const double* b, double* y) const;
  void backward(arma::vec& x) const;

  arma::mat L_;
  mutable arma::vec work_;
};

}  // namespace mixlab::bandit
