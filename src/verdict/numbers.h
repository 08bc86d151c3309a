#pragma once

#include <vector>

#include "mixlab/store/hdf5_reader.h"
#include "mixlab/store/layout.h"
#include "mixlab/verdict/binomial.h"

namespace mixlab::verdict {

/// Part of a column of rows, whatever type its numbers are stored as; NaN where a row was not run.
inline std::vector<double> read_numbers(const store::Reader& file, const store::Variable& column,
                                        const store::Extent& start, const store::Extent& count) {
  if (column.type == store::Type::float64) return file.read<double>(column.name, start, count);
  std::vector<double> values;
  for (const auto number : file.read<std::int32_t>(column.name, start, count))
    values.push_back(number < 0 ? unknown : number);
  return values;
}

}  // namespace mixlab::verdict
