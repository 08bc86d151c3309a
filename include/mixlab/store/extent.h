// How many elements a variable has along each axis.
#pragma once

#include <hdf5.h>

#include <functional>
#include <vector>

namespace mixlab::store {

using Extent = std::vector<hsize_t>;

inline std::size_t n_elements(const Extent& extent) {
  std::size_t n = 1;
  for (const hsize_t size : extent) n *= size;
  return n;
}

/// Calls `visit(start, count)` for blocks of at most `most` elements, as large as they come, that together are
/// `extent`, in the order in which the elements lie in the file.
void for_each_block(const Extent& extent, hsize_t most,
                    const std::function<void(const Extent& start, const Extent& count)>& visit);

/// Calls `visit(start)` for every piece of a variable that is stored in pieces of this extent, the last ones perhaps cut.
void for_each_piece(const Extent& extent, const Extent& piece, const std::function<void(const Extent& start)>& visit);

}  // namespace mixlab::store
