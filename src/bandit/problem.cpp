#include "mixlab/bandit/problem.h"

namespace mixlab::bandit {

Instance make_instance(arma::vec theta, arma::mat arms) {
  Instance instance{std::move(theta), std::move(arms), {}, 0};
  instance.means = instance.arms.t() * instance.theta;
  instance.best = instance.means.max();
  return instance;
}

double minimum_gap(const Instance& instance) {
  if (instance.means.n_elem < 2) return 0;
  const arma::vec sorted = arma::sort(instance.means, "descend");
  return sorted(0) - sorted(1);
}

}  // namespace mixlab::bandit
