#include "mixlab/bandit/policy.h"

#include <algorithm>
#include <cmath>

namespace mixlab::bandit {
namespace {

constexpr double tie = 1e-8;

}  // namespace

study::Registry<PolicyMaker>& policies() {
  static study::Registry<PolicyMaker> registry(study::Kind::policies);
  return registry;
}

arma::vec ellipsoid_ucb(const View& view) {
  const arma::vec& centre = view.set.centre_of(view.data, view.ridge);
  const double beta = std::sqrt(view.set.radius2(view.data.t(), view.ridge.logdet));
  arma::vec scores(view.arms.n_cols);
  for (arma::uword k = 0; k < view.arms.n_cols; ++k) {
    const double* x = view.arms.colptr(k);
    double mean = 0;
    for (arma::uword i = 0; i < centre.n_elem; ++i) mean += centre.at(i) * x[i];
    scores.at(k) = mean + beta * std::sqrt(view.ridge.V.inverse_norm2(x));
  }
  return scores;
}

arma::uword lowest_near_best(const arma::vec& scores) {
  const double best = scores.max();
  const double enough = best - tie * std::max(1.0, std::abs(best));
  arma::uword k = 0;
  while (scores.at(k) < enough) ++k;
  return k;
}

}  // namespace mixlab::bandit
