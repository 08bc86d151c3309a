// The results as tidy CSV: one table for each combination of dimensions, one column for each variable over it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/store/results_file.h"

namespace mixlab::store {

struct CsvTable {
  std::string name;  ///< "cell-trajectory-set.csv"
  std::int64_t n_rows = 0;
};

/// Writes the tables and the study into `folder`, which must be new or empty and appears complete or not at all. Memory
/// does not depend on the number of trajectories. Throws InputError or WriteError.
std::vector<CsvTable> write_csv_folder(const std::string& folder, const ResultsFile& results);

}  // namespace mixlab::store
