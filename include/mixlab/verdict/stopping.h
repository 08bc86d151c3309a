// Where the cells of a study may stop: at the first look at which all that is expected of a cell is decided. A pure
// function of the study and its rows, whoever computed them in whatever order (MATHEMATICS.md D.3).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mixlab/engine/facts.h"
#include "mixlab/store/results_writer.h"
#include "mixlab/study/goal.h"
#include "mixlab/verdict/declared.h"
#include "mixlab/verdict/evidence.h"

namespace mixlab::verdict {

/// The level of the verdict at which cells stop, however it is looked at later.
inline constexpr double stopping_alpha = 0.05;

/// The number of trajectories at the first of the looks 64, 128, ... at which each comparison is decided, then or
/// before; 0 if there is none. `comparisons`: the looks at each, at the same numbers of trajectories; others are
/// passed over.
std::int64_t first_decided(const std::vector<std::vector<Look>>& comparisons, double delta, const LevelSplit& split);

/// Trajectories after which the cell stops if what is expected to hold never misses, and what is expected to break
/// always does; `n_most` if it does not stop before.
std::int64_t earliest_stop(const DeclaredCell& cell, std::int64_t n_words, std::int64_t n_most, LevelSplits& splits);

class Stopping {
 public:
  explicit Stopping(const std::vector<engine::CellFacts>& cells);

  /// By the rows of a results file (nullptr: there is none) and of parts, which are verified; damaged ones count as
  /// missing. Throws InputError for a part of another study.
  study::Goal goal(const study::Study& study, const store::ResultsFile* results,
                   const std::vector<store::RowSource>& parts);

 private:
  class RowReading;
  struct Stage {
    int cell;
    std::int64_t end;
    auto operator<=>(const Stage&) const = default;
  };
  /// Misses of each comparison of the cell among trajectories first..end-1, which are all there.
  const std::vector<std::int64_t>& misses_in(const Stage& stage, std::int64_t first, const RowReading& rows);

  std::vector<DeclaredCell> declared_;
  double level_;
  LevelSplits splits_;
  std::map<Stage, std::vector<std::int64_t>> known_;  ///< they never change
  std::map<std::string, std::int64_t> verified_;      ///< parts, with the trajectories that were declared first
};

}  // namespace mixlab::verdict
