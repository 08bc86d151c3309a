// Samples of a linear bandit with random arms, for the tests of sets with a memory.
#pragma once

#include <armadillo>

#include "mixlab/bandit/arms.h"
#include "seed.h"

namespace mixlab::bandit {

struct Samples {
  arma::mat X;  ///< p x t
  arma::vec Y;
  arma::vec theta;

  Samples(int p, int t, random::Stream& stream)
      : X(static_cast<arma::uword>(p), static_cast<arma::uword>(t)), Y(static_cast<arma::uword>(t)) {
    theta = 0.8 * draw_direction(p, stream);
    for (arma::uword s = 0; s < Y.n_elem; ++s) {
      X.col(s) = uniform_in(stream, 0.1, 1) * draw_direction(p, stream);
      Y(s) = arma::dot(theta, X.col(s)) + normal_in(stream);
    }
  }
};

inline double logdet_of(const arma::mat& A) {
  double value = 0, sign = 0;
  arma::log_det(value, sign, A);
  return value;
}

}  // namespace mixlab::bandit
