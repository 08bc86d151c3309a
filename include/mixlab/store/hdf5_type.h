// The types and shapes of our variables, as HDF5 knows them.
#pragma once

#include <cstdint>

#include "mixlab/store/extent.h"
#include "mixlab/store/hdf5.h"

namespace mixlab::store {

enum class Type { float64, int32, int64, uint8, text };
/// "float64", ..., "string".
const char* name_of(Type type);

template <class T>
constexpr Type type_of();
template <>
constexpr Type type_of<double>() {
  return Type::float64;
}
template <>
constexpr Type type_of<std::int32_t>() {
  return Type::int32;
}
template <>
constexpr Type type_of<std::int64_t>() {
  return Type::int64;
}
template <>
constexpr Type type_of<std::uint8_t>() {
  return Type::uint8;
}

// Of numbers; for texts see text_type.
hid_t file_type(Type type);    ///< little-endian, whatever the machine
hid_t memory_type(Type type);  ///< the machine's own
/// UTF-8 of so many bytes with the final zero, or H5T_VARIABLE.
Handle text_type(std::size_t size);
/// How texts of variable length are moved: by itself HDF5 clears two megabytes for each of these small variables.
Handle text_transfer();
Handle simple_space(const Extent& extent);

}  // namespace mixlab::store
