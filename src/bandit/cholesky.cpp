#include "mixlab/bandit/cholesky.h"

#include <cmath>

namespace mixlab::bandit {

bool Cholesky::factor(const arma::mat& A, double shift, double smallest_pivot) {
  const arma::uword p = A.n_rows;
  L_.set_size(p, p);
  work_.set_size(p);
  for (arma::uword j = 0; j < p; ++j) {
    double pivot = A.at(j, j) + shift;
    for (arma::uword k = 0; k < j; ++k) pivot -= L_.at(j, k) * L_.at(j, k);
    if (!(pivot > smallest_pivot)) return false;
    const double root = std::sqrt(pivot);
    L_.at(j, j) = root;
    for (arma::uword i = j + 1; i < p; ++i) {
      double sum = A.at(i, j);
      for (arma::uword k = 0; k < j; ++k) sum -= L_.at(i, k) * L_.at(j, k);
      L_.at(i, j) = sum / root;
    }
  }
  return true;
}

void Cholesky::forward(const double* b, double* y) const {
  const arma::uword p = L_.n_rows;
  for (arma::uword i = 0; i < p; ++i) {
    double sum = b[i];
    for (arma::uword k = 0; k < i; ++k) sum -= L_.at(i, k) * y[k];
    y[i] = sum / L_.at(i, i);
  }
}

void Cholesky::backward(arma::vec& x) const {
  const arma::uword p = L_.n_rows;
  for (arma::uword i = p; i-- > 0;) {
    double sum = x.at(i);
    for (arma::uword k = i + 1; k < p; ++k) sum -= L_.at(k, i) * x.at(k);
    x.at(i) = sum / L_.at(i, i);
  }
}

arma::vec Cholesky::solve(const arma::vec& b) const {
  arma::vec x(L_.n_rows);
  forward(b.memptr(), x.memptr());
  backward(x);
  return x;
}

arma::vec Cholesky::half_solve(const arma::vec& g) const {
  arma::vec x = g;
  backward(x);
  return x;
}

double Cholesky::inverse_norm2(const double* x) const {
  forward(x, work_.memptr());
  double sum = 0;
  for (const double value : work_) sum += value * value;
  return sum;
}

double Cholesky::inverse_trace() const {
  const arma::uword p = L_.n_rows;
  double* column = work_.memptr();  // of L^{-1}: 0 above the diagonal
  double trace = 0;
  for (arma::uword j = 0; j < p; ++j)
    for (arma::uword i = j; i < p; ++i) {
      double sum = i == j ? 1 : 0;
      for (arma::uword k = j; k < i; ++k) sum -= L_.at(i, k) * column[k];
      column[i] = sum / L_.at(i, i);
      trace += column[i] * column[i];
    }
  return trace;
}

double Cholesky::log_determinant() const {
  double sum = 0;
  for (arma::uword i = 0; i < L_.n_rows; ++i) sum += std::log(L_.at(i, i));
  return 2 * sum;
}

}  // namespace mixlab::bandit
