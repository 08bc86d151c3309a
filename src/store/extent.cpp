#include "mixlab/store/extent.h"

#include <algorithm>

namespace mixlab::store {

void for_each_block(const Extent& extent, hsize_t most,
                    const std::function<void(const Extent& start, const Extent& count)>& visit) {
  if (extent.empty()) return visit({}, {});
  if (std::find(extent.begin(), extent.end(), hsize_t{0}) != extent.end()) return;
  std::size_t axis = extent.size() - 1;  // blocks run along this one and hold all of those inside it
  hsize_t inner = 1;
  while (axis > 0 && extent[axis] <= most / inner) inner *= extent[axis--];
  const hsize_t step = std::max<hsize_t>(1, most / inner);
  Extent start(extent.size(), 0);
  Extent count(extent);
  std::fill(count.begin(), count.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  for (;;) {
    for (start[axis] = 0; start[axis] < extent[axis]; start[axis] += count[axis]) {
      count[axis] = std::min(step, extent[axis] - start[axis]);
      visit(start, count);
    }
    std::size_t outer = axis;  // those outside count up, the last of them fastest
    while (outer > 0 && ++start[outer - 1] == extent[outer - 1]) start[--outer] = 0;
    if (outer == 0) return;
  }
}

void for_each_piece(const Extent& extent, const Extent& piece, const std::function<void(const Extent& start)>& visit) {
  if (std::find(extent.begin(), extent.end(), hsize_t{0}) != extent.end()) return;
  Extent start(extent.size(), 0);
  std::size_t axis = 0;
  do {
    visit(start);
    for (axis = 0; axis < extent.size(); start[axis++] = 0)
      if ((start[axis] += piece[axis]) < extent[axis]) break;
  } while (axis < extent.size());
}

}  // namespace mixlab::store
