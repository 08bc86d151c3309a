// What the data say: the regression on the samples absorbed so far, with the estimates the confidence sets need.
#pragma once

#include <armadillo>
#include <vector>

#include "mixlab/bandit/cholesky.h"

namespace mixlab::bandit {

/// Ridge regression with its own lambda: V = Lambda + lambda I, theta = V^{-1} b.
struct Ridge {
  double lambda = 0;
  Cholesky V;
  arma::vec theta;
  double logdet = 0;  ///< log det(I + Lambda/lambda)
};

/// All estimates from the samples 1..t.
class Regression {
 public:
  /// `lambdas`: one ridge estimate each, in this order.
  Regression(int p, double B, const std::vector<double>& lambdas);

  /// Takes in the next sample and brings all estimates up to date. Throws std::runtime_error if the constrained
  /// estimate fails its optimality check.
  void absorb(const arma::vec& x, double y);

  std::int64_t t() const { return t_; }
  const arma::mat& Lambda() const { return Lambda_; }
  const arma::vec& b() const { return b_; }
  double sum_y2() const { return sum_y2_; }
  /// Constrained least squares over the ball.
  const arma::vec& theta_hat() const { return theta_hat_; }
  const Ridge& ridge(std::size_t index) const { return ridges_[index]; }

 private:
  void update_estimates();

  double B_;
  std::int64_t t_ = 0;
  arma::mat Lambda_;
  /// Lambda_ is their sum. Two-level summation: adding the same x x' for ever biases rounding enough to swamp rarely
  /// played directions; a short sum is hardly rounded.
  arma::mat past_, recent_;
  arma::vec b_;
  double sum_y2_ = 0;
  arma::vec theta_hat_;
  std::vector<Ridge> ridges_;
};

/// ||e||^2 in the norm of Lambda + lambda I.
double norm2(const arma::vec& e, const arma::mat& Lambda, double lambda);

}  // namespace mixlab::bandit
