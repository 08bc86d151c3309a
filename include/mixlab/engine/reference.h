// The reference engine: one trajectory at a time, written to be read. What it computes is what mixlab means.
#pragma once

#include <armadillo>
#include <cstdint>
#include <optional>

#include "mixlab/engine/experiment.h"
#include "mixlab/engine/row.h"

namespace mixlab::engine {

/// A trajectory round by round. Column t-1 belongs to round t; theta_hat, theta_ridge, q and radius2 there belong to
/// C_t, made of the samples up to t.
struct Trace {
  bandit::Instance instance;
  arma::cube arms;   ///< p x K x T if the arms change, else empty
  arma::mat action;  ///< p x T
  arma::ivec action_index;
  arma::vec reward;
  arma::vec noise;
  arma::mat theta_hat;    ///< p x T
  arma::mat theta_ridge;  ///< p x T, at the lambda of the first monitored set
  arma::mat q;            ///< sets x T
  arma::mat radius2;      ///< sets x T
  arma::vec regret;
};

/// The row of a trajectory; nothing if a stop was requested meanwhile. Fills `trace` if there is one.
std::optional<Row> run_reference(const Experiment& experiment, std::int64_t trajectory, Trace* trace = nullptr);

}  // namespace mixlab::engine
