#include "mixlab/store/hdf5_type.h"

namespace mixlab::store {

const char* name_of(Type type) {
  switch (type) {
    case Type::float64:
      return "float64";
    case Type::int32:
      return "int32";
    case Type::int64:
      return "int64";
    case Type::uint8:
      return "uint8";
    case Type::text:
      return "string";
  }
  return "";
}

hid_t file_type(Type type) {
  switch (type) {
    case Type::float64:
      return H5T_IEEE_F64LE;
    case Type::int32:
      return H5T_STD_I32LE;
    case Type::int64:
      return H5T_STD_I64LE;
    case Type::uint8:
      return H5T_STD_U8LE;
    case Type::text:
      break;
  }
  return -1;
}

hid_t memory_type(Type type) {
  switch (type) {
    case Type::float64:
      return H5T_NATIVE_DOUBLE;
    case Type::int32:
      return H5T_NATIVE_INT32;
    case Type::int64:
      return H5T_NATIVE_INT64;
    case Type::uint8:
      return H5T_NATIVE_UINT8;
    case Type::text:
      break;
  }
  return -1;
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), size);
  H5Tset_strpad(type.get(), H5T_STR_NULLTERM);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

Handle text_transfer() {
  constexpr std::size_t buffer = 1 << 14;
  Handle properties(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  H5Pset_buffer(properties.get(), buffer, nullptr, nullptr);
  return properties;
}

Handle simple_space(const Extent& extent) {
  return {H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose};
}

}  // namespace mixlab::store
