// Confidence sequences C_t = {theta : distance2(theta) <= beta_t^2}, t = 1, 2, ...: with probability 1 - delta they
// contain theta* at all t at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "mixlab/bandit/lag_path.h"
#include "mixlab/bandit/lag_schedule.h"
#include "mixlab/bandit/radius.h"
#include "mixlab/bandit/regression.h"
#include "mixlab/core/catalogue.h"
#include "mixlab/noise/process.h"
#include "mixlab/random/stream.h"

namespace mixlab::bandit {

/// The constants of a set.
struct SetConstants {
  int p = 1;
  double B = 1;
  double sigma = 1;
  double phi = 0;  ///< bias bound at lag d that the set assumes
  std::int64_t d = 1;
  double delta = 0.05;
  double lambda = 1;
  Values parameters = {};                 ///< the keys of [confidence], for sets that have some of their own
  std::int64_t T = 0;                     ///< horizon, for choices that are made in advance; 0: unknown
  const LagSchedule* schedule = nullptr;  ///< of the policy's data, for sets that follow it; nothing: constant lag d
  const LagCertificate* lags = nullptr;  ///< the noise at every lag; nothing: sigma, and phi at lag d, are all there is
};

/// How the data came about: what a guarantee depends on.
struct Collection {
  const noise::Process& noise;  ///< unit scale
  double scale = 1;             ///< the noise is scale times the process
  LagSchedule schedule = 1;     ///< X_t depends on samples up to t - d(t) only
};

class ConfidenceSet {
 public:
  explicit ConfidenceSet(const SetConstants& constants) : constants_(constants) {}
  virtual ~ConfidenceSet() = default;

  const SetConstants& constants() const { return constants_; }
  virtual Centre centre() const = 0;
  /// beta_t^2. `logdet` = log det(I + Lambda_t/lambda); sets with a deterministic radius ignore it.
  virtual double radius2(std::int64_t t, double logdet) const = 0;
  /// Natural log of the smallest delta at which C_t alone misses a point at squared distance q (unclipped: it may
  /// exceed 0). MATHEMATICS.md D.1.
  virtual double log_p(std::int64_t t, double q, double logdet) const = 0;
  /// Why the theory does not cover this set on such data; empty if it does.
  virtual std::string why_not_guaranteed(const Collection& collection) const = 0;

  const arma::vec& centre_of(const Regression& data, const Ridge& ridge) const {
    return centre() == Centre::ridge ? ridge.theta : data.theta_hat();
  }
  /// Squared distance of `theta` from the centre; by default in the norm of V = Lambda + lambda I.
  virtual double distance2(const arma::vec& theta, const Regression& data, const Ridge& ridge) const {
    return norm2(theta - centre_of(data, ridge), data.Lambda(), constants_.lambda);
  }

  /// A set with a memory or randomness of its own: what it is on one trajectory of T rounds. It absorbs every sample
  /// before anything is asked of it. nullptr: the same on all trajectories, and the samples are not its business.
  virtual std::unique_ptr<ConfidenceSet> start(random::Stream, std::int64_t) const { return nullptr; }
  virtual void absorb(const arma::vec& /*x*/, double /*y*/) {}

  /// Whether theta lies in the set made of these data.
  bool contains(const arma::vec& theta, const Regression& data, const Ridge& ridge) const {
    return distance2(theta, data, ridge) <= radius2(data.t(), ridge.logdet);
  }
  /// Squared radius of an ellipsoid around the centre, in the norm of V, that contains the set cut with the ball: what
  /// a policy maximises over. Differs from radius2 for sets in another norm.
  virtual double ellipsoid_radius2(std::int64_t t, double logdet) const { return radius2(t, logdet); }

 private:
  SetConstants constants_;
};

/// A set that does not look at the data: distance and radius are a matter of the round alone. Every engine knows it.
class BlindSet : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  virtual double distance2_at(std::int64_t t) const = 0;
  double distance2(const arma::vec&, const Regression& data, const Ridge&) const final {
    return distance2_at(data.t());
  }
};

/// beta_t^2 at level delta, and the log of the smallest delta at which a point at squared distance q is outside.
double radius2_of(const RadiusTerms& terms, double logdet, double delta);
double log_p_of(const RadiusTerms& terms, double q, double logdet);

/// A set whose radius is given by its terms, as nearly all in the catalogue are. Radius and p-value follow, and every
/// engine knows the set.
class AnalyticSet : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  virtual RadiusTerms terms(std::int64_t t) const = 0;
  virtual Distance distance() const { return Distance::in_V; }
  /// ellipsoid_radius2 - radius2
  virtual double ellipsoid_surplus() const { return 0; }

  double radius2(std::int64_t t, double logdet) const final;
  double log_p(std::int64_t t, double q, double logdet) const final;
  double distance2(const arma::vec& theta, const Regression& data, const Ridge& ridge) const final;
  double ellipsoid_radius2(std::int64_t t, double logdet) const final {
    return radius2(t, logdet) + ellipsoid_surplus();
  }
};

/// A set in the catalogue: how it is made and the lambda it takes when the study says `default`.
struct SetMaker {
  std::function<std::unique_ptr<const ConfidenceSet>(const SetConstants&)> make;
  std::function<double(const SetConstants&)> default_lambda = [](const SetConstants& constants) {
    return constants.sigma * constants.sigma / (constants.B * constants.B);
  };
  /// Exponent of T in beta_T, logarithms aside, when d ~ T^g and phi_d ~ d^{-r} (MATHEMATICS.md D.7). By default that
  /// of the paper: beta_T^2 ~ d + T phi_d.
  std::function<double(double g, double r)> radius_exponent = [](double g, double r) {
    return std::max(g, 1 - r * g) / 2;
  };
  /// Step of the lags that a schedule should take for this set.
  std::function<std::int64_t(const SetConstants&)> schedule_step = [](const SetConstants&) { return std::int64_t{1}; };
  /// The g at which that is smallest.
  std::function<double(double r)> best_delay_growth = [](double r) { return 1 / (1 + r); };
};
Registry<SetMaker>& confidence_sets();

/// Largest possible log det(I + Lambda_t/lambda) with ||X_s|| <= 1: p log(1 + t/(p lambda)).
double largest_logdet(int p, double lambda, std::int64_t t);

}  // namespace mixlab::bandit
