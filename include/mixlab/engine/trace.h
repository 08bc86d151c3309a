// A trajectory round by round, enough for anyone to recompute everything.
#pragma once

#include <armadillo>
#include <cstdint>
#include <vector>

namespace mixlab::engine {

/// A trajectory round by round. Column t-1 belongs to round t; theta_hat, theta_ridge, q and radius2 there belong to
/// C_t, made of the samples up to t.
struct Trace {
  std::int64_t cell = 0;
  std::int64_t trajectory = 0;
  std::uint64_t seed = 0;
  std::vector<double> lambda;  ///< of each monitored set
  arma::vec theta_star;
  arma::cube arms;   ///< p x K x T if the arms change, NaN where not on offer; p x K x 1 if not; empty in the ball
  arma::mat action;  ///< p x T
  arma::ivec action_index;
  arma::vec reward;
  arma::vec noise;
  arma::mat theta_hat;    ///< p x T
  arma::mat theta_ridge;  ///< p x T, at the lambda of the first monitored set
  arma::mat q;            ///< sets x T
  arma::mat radius2;      ///< sets x T
  arma::cube quadric;     ///< 6 x sets x T if p = 2, else empty: distance2 of each set as bandit::Quadric
  arma::vec regret;
};

}  // namespace mixlab::engine
