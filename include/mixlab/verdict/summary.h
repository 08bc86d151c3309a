// Statistics of trajectories whose distribution no finding shows, in a few numbers: what `check` and the report show of a column
// without knowing it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/verdict/binomial.h"

namespace mixlab::store {
class ResultsFile;
}

namespace mixlab::verdict {

/// One column in one cell, over the trajectories that were run and have a value.
struct Summary {
  std::int64_t cell = 0;
  std::string label;
  std::string column;
  std::string set;  ///< of columns over sets; else empty
  std::int64_t n = 0;
  double mean = unknown;
  double median = unknown;
  double q99 = unknown;
  double smallest = unknown;
  double largest = unknown;
};

/// The columns of rows in a file of this version, with one value per trajectory or per set, whose distribution no
/// finding shows.
std::vector<std::string> columns_without_finding(std::int64_t version);

/// Column by column, cell by cell. Memory does not depend on the number of trajectories.
std::vector<Summary> summarise(const store::ResultsFile& results, const std::vector<std::string>& columns);

}  // namespace mixlab::verdict
