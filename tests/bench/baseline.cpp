#include "baseline.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace mixlab::bench {
namespace {

/// Columns of doubles, one after the other.
struct Matrix {
  std::size_t n_rows, n_columns;
  std::vector<double> values;

  Matrix(std::size_t rows, std::size_t columns) : n_rows(rows), n_columns(columns), values(rows * columns) {}
  double* column(std::size_t j) { return values.data() + j * n_rows; }
  const double* column(std::size_t j) const { return values.data() + j * n_rows; }
};

/// y = A x, four columns at a time as the linear algebra libraries do.
void multiply(const Matrix& A, const double* x, double* __restrict y) {
  const std::size_t n = A.n_rows;
  std::fill(y, y + n, 0.0);
  std::size_t j = 0;
  for (; j + 4 <= A.n_columns; j += 4) {
    const double *a = A.column(j), *b = a + n, *c = b + n, *d = c + n;
    const double xa = x[j], xb = x[j + 1], xc = x[j + 2], xd = x[j + 3];
    for (std::size_t i = 0; i < n; ++i) y[i] += a[i] * xa + b[i] * xb + c[i] * xc + d[i] * xd;
  }
  for (; j < A.n_columns; ++j) {
    const double* a = A.column(j);
    for (std::size_t i = 0; i < n; ++i) y[i] += a[i] * x[j];
  }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<double> unit_vector(std::size_t p, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  std::vector<double> x(p);
  for (double& value : x) value = normal(generator);
  const double norm = std::sqrt(dot(x, x));
  for (double& value : x) value /= norm;
  return x;
}

class Oful {
 public:
  Oful(int p, int K, std::uint64_t seed)
      : generator_(seed),
        arms_(static_cast<std::size_t>(K), static_cast<std::size_t>(p)),
        inverse_(arms_.n_columns, arms_.n_columns),
        theta_star_(unit_vector(arms_.n_columns, generator_)),
        error_(arms_.n_columns),
        weighted_error_(arms_.n_columns),
        x_(arms_.n_columns),
        direction_(arms_.n_columns),
        reward_(arms_.n_rows),
        mean_(arms_.n_rows),
        width2_(arms_.n_rows, 1.0),
        score_(arms_.n_rows),
        shared_(arms_.n_rows) {
    for (std::size_t k = 0; k < arms_.n_rows; ++k) {
      const auto x = unit_vector(arms_.n_columns, generator_);
      for (std::size_t j = 0; j < arms_.n_columns; ++j) arms_.column(j)[k] = x[j];
    }
    for (std::size_t j = 0; j < inverse_.n_columns; ++j) inverse_.column(j)[j] = 1 / lambda;
    multiply(arms_, theta_star_.data(), reward_.data());
    best_reward_ = *std::max_element(reward_.begin(), reward_.end());
    for (std::size_t j = 0; j < error_.size(); ++j) {
      error_[j] = -theta_star_[j];
      weighted_error_[j] = -lambda * theta_star_[j];
    }
  }

  void play_round() {
    const double beta = std::sqrt(2 * std::log(1 / delta) + logdet_) + std::sqrt(lambda);
    const std::size_t arm = choose(beta);
    regret_ += best_reward_ - reward_[arm];
    learn(arm, reward_[arm] + noise());
    missed_ = missed_ || dot(error_, weighted_error_) > beta * beta;
  }

  double regret() const { return regret_; }
  bool missed() const { return missed_; }

 private:
  static constexpr double lambda = 1, delta = 0.05;

  std::size_t choose(double beta) {
    for (std::size_t k = 0; k < score_.size(); ++k) score_[k] = mean_[k] + beta * std::sqrt(std::max(0.0, width2_[k]));
    return static_cast<std::size_t>(std::max_element(score_.begin(), score_.end()) - score_.begin());
  }

  // Sherman-Morrison: everything of the next round follows from V^{-1} x and its products with the arms.
  void learn(std::size_t arm, double reward) {
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] = arms_.column(j)[arm];
    multiply(inverse_, x_.data(), direction_.data());
    multiply(arms_, direction_.data(), shared_.data());
    const double grown = 1 + shared_[arm], scale = 1 / grown;
    const double step = scale * (reward - mean_[arm]);
    for (std::size_t k = 0; k < mean_.size(); ++k) {
      mean_[k] += step * shared_[k];
      width2_[k] -= scale * shared_[k] * shared_[k];
    }
    for (std::size_t j = 0; j < x_.size(); ++j) {
      double* column = inverse_.column(j);
      const double factor = scale * direction_[j];
      for (std::size_t i = 0; i < x_.size(); ++i) column[i] -= factor * direction_[i];
    }
    for (std::size_t j = 0; j < x_.size(); ++j) {
      error_[j] += step * direction_[j];
      weighted_error_[j] += x_[j] * (reward - reward_[arm]);
    }
    logdet_ += std::log(grown);
  }

  double noise() {
    if (static_cast<double>(generator_() >> 11) * 0x1p-53 < 0.05) sign_ = -sign_;
    return sign_;
  }

  std::mt19937_64 generator_;
  Matrix arms_;     ///< a row per arm
  Matrix inverse_;  ///< V^{-1}
  std::vector<double> theta_star_;
  std::vector<double> error_;           ///< theta_hat - theta*
  std::vector<double> weighted_error_;  ///< V (theta_hat - theta*)
  std::vector<double> x_, direction_;   ///< the arm played, V^{-1} x
  std::vector<double> reward_, mean_, width2_, score_, shared_;
  double best_reward_ = 0, logdet_ = 0, sign_ = 1, regret_ = 0;
  bool missed_ = false;
};

}  // namespace

double run_baseline(int p, int K, int T, std::uint64_t seed) {
  Oful oful(p, K, seed);
  for (int t = 0; t < T; ++t) oful.play_round();
  return oful.regret() + (oful.missed() ? 2 * T : 0);
}

}  // namespace mixlab::bench
