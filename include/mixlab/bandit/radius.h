// The shape of a confidence set: its centre, its distance and the terms of its radius.
#pragma once

namespace mixlab::bandit {

enum class Centre { least_squares, ridge };

/// beta_t = bias + sqrt(constant + per_logdet logdet + per_log_delta log(1/delta)). No term falls as t grows.
struct RadiusTerms {
  double bias = 0;
  double constant = 0;
  double per_logdet = 0;
  double per_log_delta = 0;
};

/// How far theta is from the centre theta_c.
enum class Distance {
  in_V,       ///< ||theta - theta_c||_V^2, V = Lambda + lambda I
  in_Lambda,  ///< ||theta - theta_c||_Lambda^2
  in_loss,    ///< 2 (L_t(theta) - L_t(theta_c)), L_t(theta) = (1/2) sum (Y_s - <theta, X_s>)^2
};

}  // namespace mixlab::bandit
