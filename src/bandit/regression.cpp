#include "mixlab/bandit/regression.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "mixlab/bandit/least_squares.h"
#include "mixlab/core/parameter.h"
#include "mixlab/core/text.h"

namespace mixlab::bandit {
namespace {

constexpr std::int64_t recent = 512;        // samples that are summed by themselves
constexpr double largest_gap = 1e-9;        // relative to max(1, loss)
constexpr double largest_rounding = 1e-12;  // relative to the terms of the gap

/// What may be left out of b where arms lie so nearly in a plane that Lambda counts as singular: b has at most
/// sqrt(eigenvalue sum y^2) along an eigenvector.
double left_out(const arma::mat& Lambda, double sum_y2) {
  const arma::vec eigenvalues = arma::eig_sym(Lambda);
  double sum = 0;
  for (const double each : eigenvalues)
    if (each <= zero_eigenvalue * eigenvalues.max()) sum += std::max(0.0, each) * sum_y2;
  return std::sqrt(sum);
}

}  // namespace

Regression::Regression(int p, double B, const std::vector<double>& lambdas) : B_(B) {
  const auto size = static_cast<arma::uword>(p);
  Lambda_.zeros(size, size);
  past_ = recent_ = Lambda_;
  b_.zeros(size);
  theta_hat_.zeros(size);
  for (const double lambda : lambdas) {
    ridges_.push_back({lambda, {}, arma::vec(size, arma::fill::zeros), 0});
    ridges_.back().V.factor(Lambda_, lambda);
  }
}

void Regression::absorb(const arma::vec& x, double y) {
  ++t_;
  for (arma::uword j = 0; j < x.n_elem; ++j) {
    for (arma::uword i = 0; i < x.n_elem; ++i) {
      recent_.at(i, j) += x.at(i) * x.at(j);
      Lambda_.at(i, j) = past_.at(i, j) + recent_.at(i, j);
    }
    b_.at(j) += x.at(j) * y;
  }
  sum_y2_ += y * y;
  if (t_ % recent == 0) {
    past_ = Lambda_;
    recent_.zeros();
  }
  update_estimates();
}

void Regression::update_estimates() {
  theta_hat_ = constrained_least_squares(Lambda_, b_, B_).theta;
  const double loss = 0.5 * (sum_y2_ + norm2(theta_hat_, Lambda_, 0)) - arma::dot(b_, theta_hat_);
  const double gap = frank_wolfe_gap(Lambda_, b_, B_, theta_hat_);
  const double rounding = largest_rounding * B_ * (B_ * arma::trace(Lambda_) + arma::norm(b_));
  const double allowed = largest_gap * std::max(1.0, loss) + rounding;
  if (!(gap <= allowed) && !(gap <= allowed + 2 * B_ * left_out(Lambda_, sum_y2_)))
    throw std::runtime_error("constrained least squares is not optimal at t = " + std::to_string(t_) + ": gap " +
                             to_text(gap) + " (must be at most 1e-9 max(1, loss)); please report this study");
  for (auto& ridge : ridges_) {
    if (!ridge.V.factor(Lambda_, ridge.lambda))
      throw std::runtime_error("V is not positive definite at t = " + std::to_string(t_) + "; raise lambda");
    ridge.theta = ridge.V.solve(b_);
    ridge.logdet = ridge.V.log_determinant() - static_cast<double>(b_.n_elem) * std::log(ridge.lambda);
  }
}

double norm2(const arma::vec& e, const arma::mat& Lambda, double lambda) {
  double sum = 0;
  for (arma::uword j = 0; j < e.n_elem; ++j) {
    double column = lambda * e.at(j);
    for (arma::uword i = 0; i < e.n_elem; ++i) column += Lambda.at(i, j) * e.at(i);
    sum += column * e.at(j);
  }
  return sum;
}

}  // namespace mixlab::bandit
