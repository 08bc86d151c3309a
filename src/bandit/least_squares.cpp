#include "mixlab/bandit/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace mixlab::bandit {
namespace {

constexpr double well_conditioned = 1e-9;  // 1/(tr Lambda tr Lambda^{-1}), at least; pivots relative to the trace
constexpr double on_the_sphere = 1e-13;    // relative error of the norm
constexpr double near_enough = 1e-12;      // where rounding stopped it

double norm(const arma::vec& x) {
  return std::sqrt(arma::dot(x, x));
}

// Newton's method for 1/||theta(mu)|| = 1/B, theta(mu) = (Lambda + mu I)^{-1} b. The left side is concave in mu, so
// the steps approach the root from the left and never pass it; when rounding stops that, we are as close as we get, and
// the last step is onto the sphere itself, `step` times its radius. `solve(mu, theta)` gives theta(mu) and returns
// theta' (Lambda + mu I)^{-1} theta.
template <class Solve>
BallMinimiser on_sphere(double B, double mu, double& step, Solve solve) {
  BallMinimiser result;
  double last_excess = std::numeric_limits<double>::infinity();
  for (;;) {
    const double slope = solve(mu, result.theta);
    const double length = norm(result.theta);
    const double excess = length / B - 1;
    if (excess <= on_the_sphere || excess >= last_excess) {
      result.theta *= B / length;
      result.mu = mu;
      step = std::abs(excess);
      return result;
    }
    last_excess = excess;
    mu += length * length / slope * excess;
  }
}

BallMinimiser in_eigenbasis(const arma::mat& Lambda, const arma::vec& b, double B) {
  arma::vec eigenvalue;
  arma::mat eigenvector;
  if (!arma::eig_sym(eigenvalue, eigenvector, Lambda))
    throw std::runtime_error("eigendecomposition failed in constrained least squares");
  const double largest = std::max(0.0, eigenvalue.max());
  arma::vec c = eigenvector.t() * b;
  for (arma::uword i = 0; i < c.n_elem; ++i)
    if (eigenvalue(i) <= zero_eigenvalue * largest) {
      eigenvalue(i) = 0;
      c(i) = 0;
    }
  const auto solve = [&](double mu, arma::vec& x) {
    x.set_size(c.n_elem);
    double slope = 0;
    for (arma::uword i = 0; i < c.n_elem; ++i) {
      x(i) = c(i) == 0 ? 0 : c(i) / (eigenvalue(i) + mu);
      if (x(i) != 0) slope += x(i) * x(i) / (eigenvalue(i) + mu);
    }
    return slope;
  };
  BallMinimiser result;
  solve(0, result.theta);
  double step = 0;
  if (norm(result.theta) > B) result = on_sphere(B, std::max(0.0, norm(c) / B - largest), step, solve);
  result.theta = eigenvector * result.theta;
  return result;
}

}  // namespace

BallMinimiser constrained_least_squares(const arma::mat& Lambda, const arma::vec& b, double B) {
  Cholesky factor;
  const double trace = arma::trace(Lambda);
  // A small eigenvalue shows in a pivot only if the axes suit it, in the trace of the inverse whatever they are.
  if (!factor.factor(Lambda, 0, well_conditioned * trace) || well_conditioned * trace * factor.inverse_trace() > 1)
    return in_eigenbasis(Lambda, b, B);
  BallMinimiser inside{factor.solve(b), 0};
  if (norm(inside.theta) <= B) return inside;
  // The trace bounds the largest eigenvalue, so this start is left of the root.
  double step = 0;
  const auto solve = [&](double mu, arma::vec& theta) {
    if (!factor.factor(Lambda, mu)) throw std::runtime_error("lost positive definiteness in constrained least squares");
    theta = factor.solve(b);
    return factor.inverse_norm2(theta.memptr());
  };
  const BallMinimiser active = on_sphere(B, std::max(0.0, norm(b) / B - trace), step, solve);
  return step <= near_enough ? active : in_eigenbasis(Lambda, b, B);
}

double frank_wolfe_gap(const arma::mat& Lambda, const arma::vec& b, double B, const arma::vec& theta) {
  const arma::vec gradient = Lambda * theta - b;
  return arma::dot(gradient, theta) + B * norm(gradient);
}

}  // namespace mixlab::bandit
