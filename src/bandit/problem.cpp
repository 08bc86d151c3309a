#include "mixlab/bandit/problem.h"

#include <cmath>

namespace mixlab::bandit {

void change_arms(Instance& instance, arma::mat arms) {
  instance.arms = std::move(arms);
  instance.means.zeros(instance.arms.n_cols);
  for (arma::uword k = 0; k < instance.arms.n_cols; ++k)  // not by BLAS: the lanes engine computes the same bits
    for (arma::uword i = 0; i < instance.arms.n_rows; ++i)
      instance.means(k) = std::fma(instance.theta(i), instance.arms(i, k), instance.means(k));
  instance.best =
      instance.arms.n_cols > 0 ? instance.means.max() : std::sqrt(arma::dot(instance.theta, instance.theta));
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
