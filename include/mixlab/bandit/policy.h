// Policies: who chooses the arms.
#pragma once

#include <armadillo>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mixlab/bandit/confidence_set.h"
#include "mixlab/bandit/ucb.h"
#include "mixlab/random/stream.h"

namespace mixlab::bandit {

/// What a policy may look at in round t: the arms on offer, and the data up to t - lag.
struct View {
  std::int64_t t = 0;
  const arma::mat& arms;  ///< p x K; no column if the decision set is the unit ball
  const Regression& data;
  const Ridge& ridge;  ///< at the policy's lambda
  const ConfidenceSet& set;
  const arma::vec& theta_star;  ///< for the oracle's eyes only
};

/// What a policy does, by name: an engine that has a player of this name need not ask the policy.
struct Rule {
  std::string_view name;
  std::vector<double> parameters = {};
};

class Policy {
 public:
  virtual ~Policy() = default;
  /// A policy with a memory: what it is on one trajectory of T rounds. It absorbs every sample up to t - lag before it chooses
  /// for round t. nullptr: the same on all trajectories, and no sample is its business.
  virtual std::unique_ptr<Policy> start(std::int64_t /*T*/) const { return nullptr; }
  virtual void absorb(const arma::vec& /*x*/, double /*y*/) {}
  /// How engines other than the reference play it; nothing if only `choose` can tell, then they do not.
  virtual std::optional<Rule> rule() const { return std::nullopt; }
  /// Index of the arm to play. Called from round lag + 1 on; before, the arms are played in turn.
  virtual arma::uword choose(const View& view, random::Stream& stream) const = 0;
  /// The vector to play if the decision set is the unit ball.
  virtual arma::vec choose_in_ball(const View& view, random::Stream& stream) const = 0;
};

enum class DefaultLag { one, delay_of_the_sets };

/// A policy in the catalogue: how it is made and what it takes where the study says `default`.
struct PolicyMaker {
  /// `parameters`: those of [policy].
  std::function<std::unique_ptr<const Policy>(const Values& parameters)> make;
  std::string default_set;
  DefaultLag default_lag = DefaultLag::one;
  /// Whether it maximises the upper confidence bound of its set, so that the regret theorems speak about it.
  bool optimistic = false;
};
Registry<PolicyMaker>& policies();

/// <theta, x> for every arm.
arma::vec rewards_under(const arma::vec& theta, const arma::mat& arms);

/// theta/||theta||, or the first unit vector if theta is 0: the best action of the ball under theta.
arma::vec direction_of(const arma::vec& theta);

/// What the policy's set allows, in the norm of V.
Ellipsoid ellipsoid_of(const View& view);

/// <centre, x> + beta ||x||_{V^{-1}} for every arm: the largest reward that the ellipsoid allows.
arma::vec ellipsoid_ucb(const View& view);
/// The same over the ellipsoid cut with the ball of radius B.
arma::vec ellipsoid_ball_ucb(const Ellipsoid& ellipsoid, const arma::mat& arms, double B);
arma::vec ellipsoid_ball_ucb(const View& view);

/// The lowest index whose score is within 1e-8 max(1, |best|) of the best, so that ties that exist only up to
/// rounding always fall the same way.
arma::uword lowest_near_best(const arma::vec& scores);

}  // namespace mixlab::bandit
