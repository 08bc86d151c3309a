// Upper confidence bounds: the largest reward <theta, x> that a confidence set allows. MATHEMATICS.md C.3 to C.5.
#pragma once

#include <armadillo>

namespace mixlab::bandit {

/// {theta : ||theta - centre||_V^2 <= radius2} in the eigenbasis of V, cut with the ball of radius B or not.
class Ellipsoid {
 public:
  Ellipsoid(const arma::mat& Lambda, double lambda, const arma::vec& centre, double radius2);

  /// max <theta, x> over the ellipsoid: <centre, x> + radius ||x||_{V^{-1}}.
  double ucb(const arma::vec& x) const;

  /// max <theta, x> over the ellipsoid cut with {||theta|| <= B}, by the dual over kappa >= 0 (C.4). If the two do not
  /// meet (the centre may lie outside the ball), the value of the ellipsoid alone.
  double ucb_in_ball(const arma::vec& x, double B) const;

  /// The point of largest norm (C.5); of two opposite ones, that with a non-negative component along the longest axis.
  arma::vec longest() const;
  /// The point of smallest norm.
  arma::vec shortest() const;
  /// A point of largest norm of the ellipsoid cut with {||theta|| <= B}; if the two do not meet, of the ellipsoid.
  arma::vec longest_in_ball(double B) const;

 private:
  arma::vec v_;     ///< eigenvalues of V, ascending
  arma::mat axes_;  ///< eigenvectors
  arma::vec c_;     ///< centre in the eigenbasis
  double radius2_;
};

}  // namespace mixlab::bandit
