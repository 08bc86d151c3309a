#include "mixlab/store/row_block.h"

namespace mixlab::store {

std::vector<std::string> dimensions_of(Axis axis, std::vector<std::string> leading) {
  if (axis != Axis::none) leading.emplace_back(dimension_of(axis));
  return leading;
}

}  // namespace mixlab::store
