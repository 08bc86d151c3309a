#include "mixlab/store/row_block.h"

namespace mixlab::store {

RowBlock side_by_side(const std::vector<engine::Row>& rows) {
  RowBlock block;
  const auto append = [](auto& all, const auto& some) { all.insert(all.end(), some.begin(), some.end()); };
  for (const auto& row : rows) {
    append(block.regret, row.regret);
    append(block.first_violation, row.first_violation);
    append(block.log10_p, row.log10_p);
    append(block.horizon_log10_p, row.horizon_log10_p);
    append(block.sup_ratio, row.sup_ratio);
    block.potential.push_back(row.potential);
    block.first_bound_violation.push_back(row.first_bound_violation);
  }
  return block;
}

void require_rows(const Reader& file, const std::vector<std::string>& leading) {
  for_each_column([&]<class T>(const RowColumn& column, std::vector<T> RowBlock::*) {
    file.require(column.name, type_of<T>(), column.dimensions(leading));
  });
}

RowBlock read_rows(const Reader& file, const Extent& start, const Extent& count) {
  RowBlock block;
  for_each_column([&]<class T>(const RowColumn& column, std::vector<T> RowBlock::*member) {
    Extent from = start, size = count;
    if (*column.last) {
      from.push_back(0);
      size.push_back(file.extent(column.last).at(0));
    }
    block.*member = file.read<T>(column.name, from, size);
  });
  return block;
}

}  // namespace mixlab::store
