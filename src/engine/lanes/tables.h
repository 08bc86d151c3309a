// What the lanes engine knows of a cell before it starts: the shape of every set's radius by round, and what it costs to
// look it up. Shared by all packs of a part.
#pragma once

#include <cstdint>
#include <vector>

#include "mixlab/bandit/confidence_set.h"
#include "mixlab/engine/experiment.h"

namespace mixlab::engine::lanes {

/// Rounds of a block: as many as the lag allows, up to this many. A function of the experiment alone, because the last
/// bits depend on it.
inline constexpr int largest_block = 10;
int rounds_a_block(const Experiment& experiment);

/// The radius terms of a set by round, kept where there is room.
class RadiusTable {
 public:
  RadiusTable(const bandit::AnalyticSet& set, std::int64_t T);

  const bandit::AnalyticSet& set() const { return set_; }
  double log_inverse_delta() const { return log_inverse_delta_; }
  /// Neither bias nor log det: the radius is known beforehand.
  bool plain() const { return plain_; }
  bandit::RadiusTerms at(std::int64_t t) const {
    return rounds_.empty() ? set_.terms(t) : rounds_[static_cast<std::size_t>(t)];
  }
  /// The terms of round t or of one shortly before, so none is above those of round t. They lie close together: the
  /// tables of all rounds of all sets would not stay in the second cache.
  bandit::RadiusTerms floor(std::int64_t t) const {
    return some_rounds_.empty() ? set_.terms(t) : some_rounds_[static_cast<std::size_t>((t - 1) / stride)];
  }
  double per_log_delta(std::int64_t t) const { return t >= settled_ ? settled_per_log_delta_ : at(t).per_log_delta; }

 private:
  static constexpr std::int64_t stride = largest_block;

  const bandit::AnalyticSet& set_;
  double log_inverse_delta_;
  bool plain_;
  std::int64_t settled_;          ///< from this round on per_log_delta does not change
  double settled_per_log_delta_;  ///< any more
  std::vector<bandit::RadiusTerms> rounds_, some_rounds_;
};

/// Of the set that the policy scores with.
class PolicyTable : public RadiusTable {
 public:
  PolicyTable(const bandit::AnalyticSet& set, std::int64_t T);
  /// beta_t of the ellipsoid, where plain.
  double beta(std::int64_t t) const { return betas_.empty() ? compute_beta(t) : betas_[static_cast<std::size_t>(t)]; }

 private:
  double compute_beta(std::int64_t t) const;
  std::vector<double> betas_;
};

struct Tables {
  explicit Tables(const Experiment& experiment);

  const Experiment& experiment;
  int block;
  PolicyTable policy;
  std::vector<RadiusTable> sets;  ///< the analytic ones
};

}  // namespace mixlab::engine::lanes
