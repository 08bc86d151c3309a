// Rows side by side, as they lie in files: row-major, trajectory first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/engine/row.h"
#include "mixlab/store/hdf5_reader.h"

namespace mixlab::store {

struct RowBlock {
  std::vector<double> regret;
  std::vector<std::int32_t> first_violation;
  std::vector<double> log10_p;
  std::vector<double> horizon_log10_p;
  std::vector<double> sup_ratio;
  std::vector<double> potential;
  std::vector<std::int32_t> first_bound_violation;
};

RowBlock side_by_side(const std::vector<engine::Row>& rows);

/// A variable of the files.
struct RowColumn {
  const char* name;
  const char* last;  ///< dimension behind that of trajectories, if any
  const char* meaning;

  /// The dimensions of the variable in a file whose rows stand over `leading`.
  std::vector<std::string> dimensions(std::vector<std::string> leading) const {
    if (*last) leading.emplace_back(last);
    return leading;
  }
};

/// visit(column, member of RowBlock), column by column.
template <class Visit>
void for_each_column(Visit visit) {
  visit(RowColumn{"regret", "round", "cumulative pseudo-regret"}, &RowBlock::regret);
  visit(RowColumn{"first_violation", "set", "first round with theta* outside the set, 0 = never, -1 = not run"},
        &RowBlock::first_violation);
  visit(RowColumn{"log10_p", "set", "log10 of the anytime p-value, unclipped"}, &RowBlock::log10_p);
  visit(RowColumn{"horizon_log10_p", "set", "log10 of the p-value of the last set alone, unclipped"},
        &RowBlock::horizon_log10_p);
  visit(RowColumn{"sup_ratio", "set", "largest squared distance over squared radius, over all rounds"},
        &RowBlock::sup_ratio);
  visit(RowColumn{"potential", "", "sum of the delayed elliptical potential"}, &RowBlock::potential);
  visit(RowColumn{"first_bound_violation", "",
                  "first round with regret above the worst-case theorem, 0 = never, -1 = not run"},
        &RowBlock::first_bound_violation);
}

/// Throws InputError unless the file has all of these variables, its rows over the `leading` dimensions.
void require_rows(const Reader& file, const std::vector<std::string>& leading);
/// The rows that `start` and `count` select in the leading dimensions.
RowBlock read_rows(const Reader& file, const Extent& start, const Extent& count);

}  // namespace mixlab::store
