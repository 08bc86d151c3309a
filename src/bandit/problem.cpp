#include "mixlab/bandit/problem.h"

#include <cmath>

namespace mixlab::bandit {

double portable_dot(const arma::vec& x, const arma::vec& y) {
  double even = 0, odd = 0;
  for (arma::uword i = 0; i + 1 < x.n_elem; i += 2) {
    even += x(i) * y(i);
    odd += x(i + 1) * y(i + 1);
  }
  if (x.n_elem % 2 != 0) even += x(x.n_elem - 1) * y(x.n_elem - 1);
  return even + odd;
}

void change_arms(Instance& instance, arma::mat arms) {
  instance.arms = std::move(arms);
  instance.means.zeros(instance.arms.n_cols);
  for (arma::uword k = 0; k < instance.arms.n_cols; ++k)  // as the lanes engine does
    for (arma::uword i = 0; i < instance.arms.n_rows; ++i)
      instance.means(k) = std::fma(instance.theta(i), instance.arms(i, k), instance.means(k));
  instance.best =
      instance.arms.n_cols > 0 ? instance.means.max() : std::sqrt(portable_dot(instance.theta, instance.theta));
}

Instance make_instance(arma::vec theta, arma::mat arms) {
  Instance instance;
  instance.theta = std::move(theta);
  change_arms(instance, std::move(arms));
  return instance;
}

double minimum_gap(const Instance& instance) {
  if (instance.means.n_elem < 2) return 0;
  const arma::vec sorted = arma::sort(instance.means, "descend");
  return sorted(0) - sorted(1);
}

}  // namespace mixlab::bandit
