// OUT.h5 as it is written: assembled from parts and from what was merged before.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/engine/facts.h"
#include "mixlab/store/results_file.h"
#include "mixlab/study/plan.h"
#include "mixlab/study/study.h"

namespace mixlab::store {

/// Where rows lie: a verified part file, or (empty path) the old results file.
struct RowSource {
  std::string path;
  study::Part part;
};

struct ResultsContents {
  const study::Study& study;
  const std::vector<engine::CellFacts>& cells;
  const ResultsFile* old = nullptr;  ///< rows already merged, if any
  std::vector<RowSource> sources;
  std::string runs;             ///< log of runs
  std::string numerics;         ///< of all rows
  std::int64_t n_declared = 0;  ///< trajectories per cell when the study was first run
};

/// Assembles the file in a temporary and gives it its name at the end. Memory does not depend on the number of
/// trajectories. Throws WriteError or InputError.
void write_results(const std::string& path, const ResultsContents& contents);

/// Bytes that a trajectory takes in the file, before compression.
double row_size(const study::Study& study, const std::vector<engine::CellFacts>& cells);

/// Upper bound on a part file's overhead in bytes, for the free-space check.
inline constexpr double part_overhead = 40e3;
/// Bytes the file will need, before compression.
double results_size(const study::Study& study, const std::vector<engine::CellFacts>& cells);

}  // namespace mixlab::store
