// What the kernels know of a cell: plain numbers, the shape of every set's radius by round, and whom to ask for what is
// drawn per trajectory. Shared by all packs of a part. Kernels are compiled many times, so no Armadillo in here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "mixlab/bandit/lag_schedule.h"
#include "mixlab/bandit/radius.h"
#include "mixlab/noise/chase.h"
#include "mixlab/noise/path.h"
#include "mixlab/random/stream.h"

namespace mixlab::bandit {
class AnalyticSet;
}
namespace mixlab::engine {
struct Experiment;
}

namespace mixlab::engine::lanes {

/// Rounds per block: as many as the lag allows, up to this many. A function of the experiment alone, because the last
/// bits depend on it.
inline constexpr int largest_block = 10;
int rounds_per_block(const Experiment& experiment);
/// Samples that are looked at together, once the last of them has entered: a multiple of that, where nobody needs Lambda
/// before; else 1, as soon as they enter.
int samples_per_look(const Experiment& experiment);
/// Axes that the kernels need: p, or fewer where there are few arms (span.h).
int n_axes(const Experiment& experiment);
/// Kernels of a smaller dimension compute the mean of what is played as <theta*, x> (environment.h). Others look it up.
inline constexpr int first_with_known_means = 4;
/// The dimension to choose a kernel for: on new axes <theta*, x> is not the mean of an arm to the last bit.
int kernel_axes(const Experiment& experiment);

/// The radius terms of a set by round, kept where there is room.
class RadiusTable {
 public:
  RadiusTable(const bandit::AnalyticSet& set, std::int64_t T);

  const bandit::AnalyticSet& set() const { return set_; }
  bandit::Centre centre() const { return centre_; }
  bandit::Distance distance() const { return distance_; }
  double lambda() const { return lambda_; }
  double log_inverse_delta() const { return log_inverse_delta_; }
  /// Neither bias nor log det: the radius is known beforehand.
  bool is_deterministic() const { return is_deterministic_; }
  bandit::RadiusTerms at(std::int64_t t) const {
    return rounds_.empty() ? compute(t) : rounds_[static_cast<std::size_t>(t)];
  }
  /// The terms of round t or of one shortly before, so none is above those of round t. They lie close together: the
  /// tables of all rounds of all sets would not stay in the second cache.
  bandit::RadiusTerms floor(std::int64_t t) const {
    return some_rounds_.empty() ? compute(t) : some_rounds_[static_cast<std::size_t>((t - 1) / stride)];
  }
  double per_log_delta(std::int64_t t) const { return t >= settled_ ? settled_per_log_delta_ : at(t).per_log_delta; }

 private:
  static constexpr std::int64_t stride = largest_block;

  bandit::RadiusTerms compute(std::int64_t t) const;

  const bandit::AnalyticSet& set_;
  bandit::Centre centre_;
  bandit::Distance distance_;
  double lambda_;
  double log_inverse_delta_;
  bool is_deterministic_;
  std::int64_t settled_;          ///< from this round on per_log_delta does not change
  double settled_per_log_delta_;  ///< any more
  std::vector<bandit::RadiusTerms> rounds_, some_rounds_;
};

/// Of the set that the policy scores with.
class PolicyTable : public RadiusTable {
 public:
  PolicyTable(const bandit::AnalyticSet& set, std::int64_t T);
  /// beta_t of the ellipsoid, where deterministic.
  double beta(std::int64_t t) const { return betas_.empty() ? compute_beta(t) : betas_[static_cast<std::size_t>(t)]; }
  /// From round t on, if they are kept.
  const double* betas(std::int64_t t) const { return betas_.empty() ? nullptr : betas_.data() + t; }
  double ellipsoid_surplus() const { return ellipsoid_surplus_; }
  /// The ball and the noise that the set assumes.
  double B() const { return B_; }
  double sigma() const { return sigma_; }

 private:
  double compute_beta(std::int64_t t) const;

  double ellipsoid_surplus_, B_, sigma_;
  std::vector<double> betas_;
};

/// theta* and arms of one trajectory (cf. bandit::Instance).
struct Instance {
  std::vector<double> theta;
  std::vector<double> arms;  ///< K vectors of p
  std::vector<double> means;
  double best = 0;
  std::vector<double> axes =
      {};  ///< vectors of p that theta and arms are given on, where these are not the experiment's
};

class OldAxes;

enum class Decisions { fixed_arms, fresh_arms, unit_ball };

struct Tables {
  explicit Tables(const Experiment& experiment);

  const Experiment& experiment;
  int p;          ///< axes
  int n_spanned;  ///< of these, those on which arms have a part: the first ones
  double B, sigma;
  double noise_scale;
  std::int64_t T, lag;  ///< the largest
  const bandit::LagSchedule& schedule;
  int block;  ///< rounds
  int look;   ///< samples
  Decisions decisions;
  int n_arms;     ///< 0 in the ball
  double lambda;  ///< of the policy's ridge regression
  std::string_view rule;
  std::vector<double> rule_parameters;
  PolicyTable policy;
  std::vector<RadiusTable> sets;  ///< the analytic ones
  std::vector<std::int64_t> checkpoints;
  bool regret_theorem_applies;
  double worst_case_bound(std::int64_t t) const;

  Instance instance(std::int64_t trajectory) const;
  /// Nothing where the axes are those of the experiment.
  std::optional<OldAxes> old_axes(std::int64_t trajectory) const;
  random::Stream policy_stream(std::int64_t trajectory) const;
  /// Of arms that change every round.
  random::Stream arm_stream(std::int64_t trajectory) const;
  /// Sign-chasing noise, which the kernels make themselves from the words of the stream.
  std::optional<noise::Chase> chase;
  random::Stream noise_stream(std::int64_t trajectory) const;
  /// One of the two is nothing: noise is reactive or not.
  std::unique_ptr<noise::Path> start_noise(std::int64_t trajectory) const;
  std::unique_ptr<noise::ReactivePath> start_reactive_noise(std::int64_t trajectory) const;
};

}  // namespace mixlab::engine::lanes
