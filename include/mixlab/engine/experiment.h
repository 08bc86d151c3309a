// An experiment: one cell of a study with everything resolved - numbers for every `default` and every rule, objects for
// every name. Constant while trajectories run.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mixlab/bandit/adversary.h"
#include "mixlab/bandit/arms.h"
#include "mixlab/bandit/bounds.h"
#include "mixlab/bandit/confidence_set.h"
#include "mixlab/bandit/policy.h"
#include "mixlab/bandit/problem.h"
#include "mixlab/noise/process.h"
#include "mixlab/study/study.h"

namespace mixlab::engine {

struct MonitoredSet {
  std::string name;
  std::unique_ptr<const bandit::ConfidenceSet> set;
  std::size_t ridge = 0;           ///< index into Experiment::lambdas
  std::string why_not_guaranteed;  ///< empty: the theory covers it
  study::Expected expected = study::Expected::any;
};

struct Experiment {
  study::Cell cell;  ///< values resolved: confidence.delay, policy.delay, ...phi and ...lambda are numbers
  std::uint64_t seed = 0;
  std::uint64_t environment = 0;
  int p = 1;
  double B = 1;
  double scale = 1;  ///< the noise is scale times the process
  double sigma = 1;  ///< sub-Gaussian constant of the noise
  double delta = 0.05;
  double phi = 0;  ///< that the sets assume
  std::int64_t T = 1;
  std::int64_t d = 1;                                   ///< of the monitored sets
  std::unique_ptr<const bandit::LagSchedule> schedule;  ///< of the policy's data
  std::int64_t lag = 1;                                 ///< the largest of it: at the horizon
  /// Of the arms played: X_t depends on samples up to t - d(t) only. That of the policy's data unless an adversary has
  /// newer ones.
  std::unique_ptr<const bandit::LagSchedule> arm_schedule;

  std::unique_ptr<const noise::Process> noise;
  std::unique_ptr<const bandit::LagCertificate> lags;  ///< what the sets assume of it
  std::unique_ptr<const bandit::Arms> arms;
  std::optional<bandit::AdversaryRule> adversary;
  std::unique_ptr<const bandit::Policy> policy;
  std::unique_ptr<const bandit::ConfidenceSet> policy_set;
  std::size_t policy_ridge = 0;
  bool regret_theorem_applies = false;  ///< optimistic policy, set covered by the theory

  std::vector<double> lambdas;  ///< the distinct regularisations of all sets
  std::vector<MonitoredSet> sets;
  std::vector<std::int64_t> checkpoints;
  std::vector<std::string> notes;  ///< what was changed on the way, for the user's eyes
  std::string caveat;              ///< what a reader of the verdict must know about the noise
  bool has_own_code = false;       ///< the study uses entries that mixlab does not ship
  /// Exponents of T and of tau, the memory of geometric mixing, in the regret theorem for the set, delay rule and noise in use,
  /// logarithms aside (MATHEMATICS.md D.7); NaN if it says nothing about this policy.
  double exponent_in_horizon = 0;
  double exponent_in_memory = 0;

  bool has_constant_lag() const { return schedule->growth().empty(); }
  bandit::BoundConstants bound_constants(std::int64_t t) const;
  /// The better one of Theorem 2 and (F8) at round t; NaN if they say nothing about this policy.
  double worst_case_bound(std::int64_t t) const;
  /// Whether that at the horizon is not below the trivial 2BT; false if it does not apply.
  bool bound_is_vacuous() const { return worst_case_bound(T) >= 2 * B * static_cast<double>(T); }
  /// The same of Theorem 3; NaN unless one gap is known for all trajectories.
  double gap_bound(std::int64_t t) const;
  /// The delayed potential lemma, which is about constant lags: else NaN.
  double potential_bound(std::int64_t t) const;
  /// beta_t^2 of a monitored set, with the largest possible determinant where it depends on data.
  double largest_radius2(const bandit::ConfidenceSet& set, std::int64_t t) const;

  /// theta* and arms of a trajectory; of arms that change, those of the first round.
  bandit::Instance instance(std::int64_t trajectory) const;
  arma::vec draw_theta(std::int64_t trajectory) const;
  /// Stream of what is drawn once per trajectory or, by `draw = cell`, once for all.
  random::Stream instance_stream(std::int64_t trajectory, random::Purpose purpose) const;
  random::StreamId stream(std::int64_t trajectory, random::Purpose purpose) const;

 private:
  bool one_instance() const;
  double largest_policy_radius2(std::int64_t t) const;
};

/// Throws InputError naming file, line and key.
std::vector<Experiment> make_experiments(const study::Study& study);

}  // namespace mixlab::engine
