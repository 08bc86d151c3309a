// The linear bandit: at round t play X_t with ||X_t|| <= 1, see Y_t = <theta*, X_t> + eps_t.
//
// Glossary of this folder; these symbols, and no other single letters, name things in the code:
//   p       dimension                       B       known bound on ||theta*||
//   K       number of arms                  T       horizon; t a round, 1..T
//   d       delay of a confidence set       lag     delay of the policy's data (plays X_t from samples up to t-lag)
//   phi     bias bound phi_d of the noise   sigma   sub-Gaussian scale of the noise
//   delta   allowed probability of a miss   lambda  regularisation
//   Lambda  sum of X_s X_s'                 V       Lambda + lambda I
//   b       sum of X_s Y_s                  theta   a parameter; theta* the true one, theta_hat an estimate
//   beta    radius: beta_t^2 = radius2(t)   q       squared distance of theta* from the centre in the set's norm
//   C, tau  phi_d <= C exp(-d/tau)
#pragma once

#include <armadillo>
#include <cstdint>

namespace mixlab::bandit {

/// One instance of the problem: what the environment knows and the policy does not, and the decision set.
struct Instance {
  arma::vec theta;  ///< theta*
  arma::mat arms;   ///< p x K, one arm per column; no column if the decision set is the unit ball
  arma::vec means;  ///< K: <theta*, arm>
  double best = 0;  ///< largest mean over the decision set
};

/// <x, y> for whatever an instance is made of: the same bits everywhere. Beyond 32 components arma::dot asks BLAS, whose
/// last bits depend on the processor.
double portable_dot(const arma::vec& x, const arma::vec& y);

Instance make_instance(arma::vec theta, arma::mat arms);
/// Another decision set for the same theta*.
void change_arms(Instance& instance, arma::mat arms);

/// Smallest positive difference between the best mean and another; 0 if the best arm is not unique.
double minimum_gap(const Instance& instance);

}  // namespace mixlab::bandit
