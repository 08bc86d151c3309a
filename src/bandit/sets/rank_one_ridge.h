// Ridge regression by rank-one updates, for sets that keep regressions of their own.
#pragma once

#include <armadillo>
#include <cmath>

namespace mixlab::bandit {

class RankOneRidge {
 public:
  RankOneRidge(int p, double lambda)
      : inverse_(arma::eye(static_cast<arma::uword>(p), static_cast<arma::uword>(p)) / lambda),
        b_(static_cast<arma::uword>(p), arma::fill::zeros) {}

  void absorb(const arma::vec& x, double y) {
    const arma::vec g = inverse_ * x;
    const double growth = 1 + arma::dot(x, g);
    inverse_ -= g * g.t() / growth;
    logdet_ += std::log(growth);
    b_ += y * x;
  }
  arma::vec theta() const { return inverse_ * b_; }
  double explained() const { return arma::dot(b_, inverse_ * b_); }  ///< b' V^{-1} b
  double logdet() const { return logdet_; }                          ///< of V/lambda

 private:
  arma::mat inverse_;
  arma::vec b_;
  double logdet_ = 0;
};

}  // namespace mixlab::bandit
