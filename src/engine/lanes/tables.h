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
  RadiusTable(const bandit::AnalyticSet& set, std::int64_t T, int block);

  const bandit::AnalyticSet& set() const { return set_; }
  double log_inverse_delta() const { return log_inverse_delta_; }
  /// Neither bias nor log det: the radius is known beforehand.
  bool plain() const { return plain_; }
  bandit::RadiusTerms at(std::int64_t t) const {
    return rounds_.empty() ? set_.terms(t) : rounds_[static_cast<std::size_t>(t)];
  }

  /// Of a deterministic radius over one block: its smallest value and the extremes of the terms of the p-value.
  struct Bounds {
    double inverse_radius2;  ///< largest 1/beta^2
    double constant;         ///< smallest
    double inverse_cost[2];  ///< of per_log_delta, first and last round
  };
  const Bounds& bounds(std::int64_t block) const { return bounds_[static_cast<std::size_t>(block)]; }

 private:
  const bandit::AnalyticSet& set_;
  double log_inverse_delta_;
  bool plain_;
  std::vector<bandit::RadiusTerms> rounds_;
  std::vector<Bounds> bounds_;
};

struct Tables {
  explicit Tables(const Experiment& experiment);

  const Experiment& experiment;
  int block;
  RadiusTable policy;
  std::vector<RadiusTable> sets;
};

}  // namespace mixlab::engine::lanes
