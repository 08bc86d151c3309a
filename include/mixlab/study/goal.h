// What it means that a cell, a shard or a study is complete. Everybody who asks, asks here.
#pragma once

#include <cstdint>
#include <vector>

#include "mixlab/study/plan.h"
#include "mixlab/study/study.h"

namespace mixlab::study {

/// How many trajectories each cell is to have: its first ones.
class Goal {
 public:
  /// All cells to the number that the study declares.
  explicit Goal(const Study& study);
  /// Cells that may stop before: `wanted` as far as is known, `due` before more can be known. One per cell each.
  Goal(std::vector<std::int64_t> wanted, std::vector<std::int64_t> due);

  std::int64_t n_cells() const { return static_cast<std::int64_t>(wanted_.size()); }
  /// At most: less where a cell has stopped.
  std::int64_t wanted(std::int64_t cell) const { return wanted_.at(static_cast<std::size_t>(cell)); }
  std::int64_t wanted() const;
  const std::vector<std::int64_t>& wanted_per_cell() const { return wanted_; }
  /// Cells that want fewer than `n` trajectories.
  std::int64_t n_stopped_before(std::int64_t n) const;
  /// To be computed now; what comes after depends on it.
  const std::vector<std::int64_t>& due_per_cell() const { return due_; }
  /// Of the wanted rows, those that are not among `rows`.
  std::int64_t missing(const RowRanges& rows) const;
  bool met_by(const RowRanges& rows) const { return missing(rows) == 0; }

 private:
  std::vector<std::int64_t> wanted_;
  std::vector<std::int64_t> due_;
};

}  // namespace mixlab::study
