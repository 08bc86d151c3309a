// The mixture of tilted laws that twisted paths are drawn from (MATHEMATICS.md D.5).
#pragma once

#include <armadillo>
#include <cstdint>
#include <vector>

namespace mixlab::rare {

/// Noise tilted by h_s = eta <v, X_s> in round s, at the unit scale of the process: it pushes the estimate along v.
struct Component {
  std::vector<double> direction;  ///< v, a unit vector, seen from theta*: first coordinate along theta*
  double eta = 0;                 ///< 0: the process itself

  bool operator==(const Component&) const = default;
};

/// Components and how many paths are drawn from each. The first is the process itself.
struct Mixture {
  /// Paths per component come in multiples of this, so that batches contain all components in the same proportions.
  static constexpr std::int64_t n_batches = 20;

  std::vector<Component> components;
  std::vector<std::int64_t> n_paths;

  std::int64_t total() const;
  /// The component that path i is drawn from.
  std::size_t component_of(std::int64_t path) const;
  /// log(n_paths/total), per component.
  std::vector<double> log_shares() const;
};

/// The tilts as vectors: column c is eta_c v_c on the axes in which theta* is `theta`.
arma::mat tilt_vectors(const Mixture& mixture, const arma::vec& theta);

/// An orthogonal matrix whose first column points along theta.
arma::mat frame_of(const arma::vec& theta);

/// log sum_i exp(x_i); -infinity of nothing.
double log_sum_exp(const std::vector<double>& x);

}  // namespace mixlab::rare
