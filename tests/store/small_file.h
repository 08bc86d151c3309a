// A file with a little of everything, for the tests of HDF5's writer and reader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/store/hdf5_writer.h"

namespace mixlab::store {

inline constexpr std::int32_t small_fill = -1;
inline const std::vector<std::int32_t> small_chunk = {1, 2, 3, 4};

/// x(row, column) of 3 x 2 int32 in chunks of 2 x 2, of which the first is written; names, labels and attributes.
inline void write_small_file(const std::string& path) {
  const File bytes = File::create(path);
  Writer file = Writer::on_disk(bytes, path);
  file.attribute("word", "Étude");
  file.attribute("number", 0.1);
  file.attribute("count", std::int64_t{7});
  file.dimension("row", 10, 3, "rows from 10");
  file.dimension("column", std::vector<std::string>{"a", "long name"}, "columns");
  file.variable("x", Type::int32, {"row", "column"},
                {.chunk = {2, 2}, .fill = &small_fill, .attributes = {{"long_name", "numbers"}}});
  file.write_chunk<std::int32_t>("x", {0, 0}, small_chunk);
  file.put("label", {"row"}, {"one", "", "drei"}, "words");
  file.close();
}

}  // namespace mixlab::store
