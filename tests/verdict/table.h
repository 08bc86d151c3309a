// Tables of regret for the tests of the verdict.
#pragma once

#include <vector>

#include "mixlab/verdict/regrets.h"

namespace mixlab::verdict {

/// The rows of a table that is given by its columns.
inline RegretTable rows_of(const std::vector<std::vector<double>>& columns) {
  return [columns](const std::function<void(RegretRow)>& visit) {
    for (std::size_t i = 0; i < columns.front().size(); ++i) {
      std::vector<double> row;
      for (const auto& column : columns) row.push_back(column[i]);
      visit(row);
    }
  };
}

}  // namespace mixlab::verdict
