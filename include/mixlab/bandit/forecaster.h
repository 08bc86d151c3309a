// A player of the online game behind the paper's sets (MATHEMATICS.md A.2, J): it forecasts rewards by exponential
// weights, from a uniform prior on a ball, and pays the logarithmic loss. Its cumulative loss is exact: a closed form for
// p = 1, a quadrature for p = 2.
#pragma once

#include <armadillo>
#include <cstdint>

namespace mixlab::bandit {

/// In units of sigma. Throws std::invalid_argument unless p is 1 or 2.
class Forecaster {
 public:
  /// `radius` of the ball, B + 1 in the paper.
  Forecaster(int p, double radius);

  void absorb(const arma::vec& x, double y);

  std::int64_t n_rounds() const { return n_; }
  /// -log Z, Z the mean of exp(-loss) over the ball: the sum of its log losses.
  double cumulative_loss() const { return cumulative_loss_; }
  /// sum of (Y - <theta, X>)^2/2.
  double loss_of(const arma::vec& theta) const;
  /// Cumulative loss less that of the best theta of norm at most B.
  double regret(double B) const;

 private:
  double radius_;
  std::int64_t n_ = 0;
  double sum_of_squares_ = 0;
  arma::vec b_;
  arma::mat Lambda_;
  double cumulative_loss_ = 0;
};

}  // namespace mixlab::bandit
