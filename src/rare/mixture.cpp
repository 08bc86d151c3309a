#include "mixlab/rare/mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mixlab::rare {

std::int64_t Mixture::total() const {
  return std::accumulate(n_paths.begin(), n_paths.end(), std::int64_t{0});
}

std::size_t Mixture::component_of(std::int64_t path) const {
  std::size_t component = 0;
  while (path >= n_paths[component]) path -= n_paths[component++];
  return component;
}

std::vector<double> Mixture::log_shares() const {
  const auto all = static_cast<double>(total());
  std::vector<double> logs;
  for (const std::int64_t n : n_paths) logs.push_back(std::log(static_cast<double>(n) / all));
  return logs;
}

// A rotation in the plane, so that angles have the same sense for every theta; else a reflection of the first axis.
arma::mat frame_of(const arma::vec& theta) {
  const arma::uword p = theta.n_elem;
  arma::mat frame(p, p, arma::fill::eye);
  const double length = arma::norm(theta);
  if (length == 0) return frame;
  const arma::vec direction = theta / length;
  if (p == 1) return arma::mat{direction(0)};
  if (p == 2) return {{direction(0), -direction(1)}, {direction(1), direction(0)}};
  const arma::vec normal = frame.col(0) - direction;
  const double norm2 = arma::dot(normal, normal);
  if (norm2 > 1e-20) frame -= (2 / norm2) * normal * normal.t();
  return frame;
}

arma::mat tilt_vectors(const Mixture& mixture, const arma::vec& theta) {
  arma::mat tilts(theta.n_elem, mixture.components.size());
  for (arma::uword c = 0; c < tilts.n_cols; ++c)
    tilts.col(c) = mixture.components[c].eta * arma::vec(mixture.components[c].direction);
  return frame_of(theta) * tilts;
}

double log_sum_exp(const std::vector<double>& x) {
  const double largest = x.empty() ? -std::numeric_limits<double>::infinity() : *std::max_element(x.begin(), x.end());
  if (std::isinf(largest)) return largest;
  double sum = 0;
  for (const double value : x) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

}  // namespace mixlab::rare
