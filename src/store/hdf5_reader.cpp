#include "mixlab/store/hdf5_reader.h"

#include <hdf5_hl.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "mixlab/core/error.h"
#include "mixlab/store/descriptor_driver.h"

namespace mixlab::store {
namespace {

constexpr hsize_t most_elements = hsize_t{1} << 40;  // of one variable; products of more could overflow
constexpr std::size_t most_metadata = 4 << 20;  // bytes in memory; by itself HDF5 would take ever more, up to 32 MB

Handle access(const File& file) {
  Handle properties = access_through(file);
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(properties.get(), &cache);
  cache.max_size = most_metadata;
  H5Pset_mdc_config(properties.get(), &cache);
  return properties;
}

/// Bytes of a chunk as HDF5 would have it. `skipped`: a bit for each filter that it did not go through.
std::optional<std::size_t> unpacked_size(const std::vector<Bytef>& packed, const std::vector<H5Z_filter_t>& filters,
                                         std::uint32_t skipped, std::vector<Bytef>& room) {
  const auto deflate = std::find(filters.begin(), filters.end(), H5Z_FILTER_DEFLATE);
  if (deflate == filters.end() || (skipped >> (deflate - filters.begin()) & 1) != 0) return packed.size();
  if (std::count(deflate, filters.end(), H5Z_FILTER_DEFLATE) > 1) return {};
  uLongf size = room.size();
  if (uncompress(room.data(), &size, packed.data(), packed.size()) != Z_OK) return {};
  return size;
}

}  // namespace

Reader::Reader(File file) : bytes_(std::move(file)) {
  take_driver_error();
  file_ = Handle(H5Fopen(bytes_.path().c_str(), H5F_ACC_RDONLY, access(bytes_).get()), H5Fclose);
  if (file_.get() < 0) fail("not readable as HDF5");
}

void Reader::fail(const std::string& what) const {
  H5Eclear2(H5E_DEFAULT);
  if (const int code = take_driver_error())
    throw SystemError("cannot read '" + bytes_.path() + "': " + std::strerror(code) + "; check the disk");
  throw InputError("cannot read " + bytes_.path() + ": " + what +
                   " (must be a whole mixlab file); restore or recompute it");
}

bool Reader::has(const std::string& name) const {
  return H5Lexists(file_.get(), name.c_str(), H5P_DEFAULT) > 0;
}

bool Reader::has_attribute(const std::string& name) const {
  return H5Aexists(file_.get(), name.c_str()) > 0;
}

// In the order of the file: where HDF5 1.10 sorts the links itself, a failing disk makes it crash.
std::vector<std::string> Reader::variables() const {
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  if (H5Literate(file_.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, keep, &names) < 0) fail("list of variables");
  std::sort(names.begin(), names.end());
  return names;
}

const Handle& Reader::open(const std::string& name) const {
  if (dataset_.get() >= 0 && name == dataset_name_) return dataset_;
  if (!has(name)) fail("variable " + name + " is missing");
  Handle dataset(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset.get() < 0) fail("variable " + name);
  const Handle properties(H5Dget_create_plist(dataset.get()), H5Pclose);
  if (H5Pget_layout(properties.get()) == H5D_VIRTUAL || H5Pget_external_count(properties.get()) != 0)
    fail("variable " + name + " is stored in another file");
  dataset_ = std::move(dataset);
  dataset_name_ = name;
  return dataset_;
}

std::vector<H5Z_filter_t> Reader::filters(const std::string& name) const {
  const Handle& dataset = open(name);
  const Handle properties(H5Dget_create_plist(dataset.get()), H5Pclose);
  const int n = H5Pget_nfilters(properties.get());
  if (n < 0) fail("filters of " + name);
  std::vector<H5Z_filter_t> filters;
  for (int i = 0; i < n; ++i) {
    unsigned flags = 0, configuration = 0;
    std::size_t n_values = 0;
    filters.push_back(H5Pget_filter2(properties.get(), static_cast<unsigned>(i), &flags, &n_values, nullptr, 0, nullptr,
                                     &configuration));
  }
  return filters;
}

bool Reader::has_known_filters(const std::string& name) const {
  const auto all = filters(name);
  return std::all_of(all.begin(), all.end(),
                     [](H5Z_filter_t filter) { return filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_DEFLATE; });
}

bool Reader::has_own_filters(const std::string& name) const {
  const Handle& dataset = open(name);
  const Handle properties(H5Dget_create_plist(dataset.get()), H5Pclose);
  const bool in_pieces = H5Pget_layout(properties.get()) == H5D_CHUNKED;
  return filters(name) ==
         (in_pieces ? std::vector<H5Z_filter_t>{H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE} : std::vector<H5Z_filter_t>{});
}

void Reader::require_whole(const std::string& name) const {
  const Handle& dataset = open(name);
  const Handle properties(H5Dget_create_plist(dataset.get()), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(properties.get());
  const std::string shorter = "variable " + name + " is shorter than it says";
  if (layout == H5D_COMPACT && H5Dget_storage_size(dataset.get()) < n_elements(extent(name)) * element_size(name))
    fail(shorter);
  if (layout != H5D_CHUNKED) return;
  unsigned options = 0;
  if (H5Pget_chunk_opts(properties.get(), &options) < 0 || options != 0) fail("pieces of " + name);
  const Extent whole = extent(name), piece = chunk(name);
  if (whole.size() != piece.size() || n_elements(piece) == 0) fail("pieces of " + name);
  const auto all_filters = filters(name);
  const std::size_t wanted = n_elements(piece) * element_size(name);
  hsize_t n_pieces = 0;
  std::vector<Bytef> packed, room;
  for_each_piece(whole, piece, [&](const Extent& start) {
    hsize_t stored = 0;
    if (H5Dget_chunk_storage_size(dataset.get(), start.data(), &stored) < 0) fail("pieces of " + name);
    if (stored == 0) return;  // fill values
    ++n_pieces;
    if (all_filters.empty()) return;  // HDF5 says what should be stored
    if (stored > bytes_.size()) fail(shorter);
    packed.resize(stored);
    room.resize(wanted);
    std::uint32_t skipped = 0;
    if (H5Dread_chunk(dataset.get(), H5P_DEFAULT, start.data(), &skipped, packed.data()) < 0) fail("pieces of " + name);
    if (unpacked_size(packed, all_filters, skipped, room) != wanted) fail(shorter);
  });
  if (all_filters.empty() && H5Dget_storage_size(dataset.get()) != n_pieces * wanted) fail(shorter);
}

Extent Reader::extent(const std::string& name) const {
  const Handle& dataset = open(name);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0) fail("shape of " + name);
  Extent extent(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
  return extent;
}

Extent Reader::chunk(const std::string& name) const {
  const Handle& dataset = open(name);
  const Handle properties(H5Dget_create_plist(dataset.get()), H5Pclose);
  Extent chunk = extent(name);
  if (H5Pget_layout(properties.get()) == H5D_CHUNKED)
    H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
  return chunk;
}

std::size_t Reader::n_elements(const Extent& extent) const {
  std::size_t size = 1;
  for (const hsize_t n : extent)
    if (n > most_elements || (size *= n) > most_elements) fail("a variable is too large");
  return size;
}

std::vector<std::string> Reader::dimensions(const std::string& name) const {
  const Handle& dataset = open(name);
  std::vector<std::string> names;
  const auto keep = [](hid_t, unsigned, hid_t scale, void* list) -> herr_t {
    char path[256] = {};
    if (H5Iget_name(scale, path, sizeof path) <= 0) return -1;
    static_cast<std::vector<std::string>*>(list)->emplace_back(path[0] == '/' ? path + 1 : path);
    return 1;  // the first scale of an axis is enough
  };
  if (H5DSis_scale(dataset.get()) > 0) return {name};
  const auto rank = static_cast<unsigned>(extent(name).size());
  for (unsigned axis = 0; axis < rank; ++axis)
    if (H5DSiterate_scales(dataset.get(), axis, nullptr, keep, &names) < 0) fail("dimensions of " + name);
  return names;
}

void Reader::require(const std::string& name, Type type, const std::vector<std::string>& dimensions) const {
  if (type_name(name) != name_of(type)) fail("type of " + name);
  if (this->dimensions(name) != dimensions) fail("dimensions of " + name);
  require_extent(name, dimensions);
}

void Reader::require_extent(const std::string& name, const std::vector<std::string>& dimensions) const {
  Extent wanted;
  for (const auto& dimension : dimensions) {
    const Extent size = extent(dimension);
    if (size.size() != 1) fail("dimension " + dimension);
    wanted.push_back(size[0]);
  }
  if (extent(name) != wanted) fail("shape of " + name);
}

bool Reader::is_text(const std::string& name) const {
  const Handle& dataset = open(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  return H5Tget_class(type.get()) == H5T_STRING;
}

std::size_t Reader::element_size(const std::string& name) const {
  const Handle& dataset = open(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  return H5Tget_size(type.get());
}

std::string Reader::type_name(const std::string& name) const {
  const Handle& dataset = open(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  for (const Type known : {Type::float64, Type::int32, Type::int64, Type::uint8})
    if (H5Tequal(type.get(), file_type(known)) > 0) return name_of(known);
  return H5Tget_class(type.get()) == H5T_STRING ? name_of(Type::text) : "other";
}

std::vector<std::string> Reader::attributes(const std::string& variable) const {
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  const hid_t owner = variable.empty() ? file_.get() : open(variable).get();
  if (H5Aiterate2(owner, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names) < 0) fail("attributes");
  return names;
}

void Reader::read_attribute(const std::string& variable, const std::string& name) const {
  const hid_t owner = variable.empty() ? file_.get() : open(variable).get();
  const Handle attribute(H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute.get()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind == H5T_STRING && H5Tis_variable_str(type.get()) == 0)
    text_attribute(variable, name);
  else if (variable.empty() && (kind == H5T_INTEGER || kind == H5T_FLOAT))
    integer_attribute(name);
}

std::string Reader::text_attribute(const std::string& name) const {
  return text_attribute("", name);
}

std::string Reader::text_attribute(const std::string& variable, const std::string& name) const {
  const hid_t owner = variable.empty() ? file_.get() : open(variable).get();
  if (H5Aexists(owner, name.c_str()) <= 0) fail("attribute " + name + " is missing");
  const Handle attribute(H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute.get()), H5Tclose);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 ||
      H5Sget_simple_extent_npoints(space.get()) != 1)
    fail("attribute " + name);
  std::string text(n_elements({H5Tget_size(type.get())}), '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) fail("attribute " + name);
  return text.c_str();
}

std::int64_t Reader::integer_attribute(const std::string& name) const {
  if (!has_attribute(name)) fail("attribute " + name + " is missing");
  const Handle attribute(H5Aopen(file_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose);
  std::int64_t value = 0;
  if (H5Sget_simple_extent_npoints(space.get()) != 1 || H5Aread(attribute.get(), H5T_NATIVE_INT64, &value) < 0)
    fail("attribute " + name);
  return value;
}

Handle Reader::select(const Handle& dataset, const std::string& name, const Extent& start, const Extent& count) const {
  Handle space(H5Dget_space(dataset.get()), H5Sclose);
  if (H5Sget_simple_extent_ndims(space.get()) != static_cast<int>(count.size()) ||
      H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0)
    fail("shape of " + name);
  return space;
}

void Reader::read_into(const std::string& name, Type type, void* data) const {
  const Handle& dataset = open(name);
  if (H5Dread(dataset.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail("variable " + name);
}

void Reader::read_into(const std::string& name, Type type, const Extent& start, const Extent& count, void* data) const {
  const Handle& dataset = open(name);
  const Handle in_file = select(dataset, name, start, count);
  const Handle in_memory = simple_space(count);
  if (H5Dread(dataset.get(), memory_type(type), in_memory.get(), in_file.get(), H5P_DEFAULT, data) < 0)
    fail("variable " + name);
}

std::vector<char> Reader::read_raw(const std::string& name, const Extent& start, const Extent& count) const {
  const Handle& dataset = open(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) fail("type of " + name);
  const Handle in_file = select(dataset, name, start, count);
  const Handle in_memory = simple_space(count);
  std::vector<char> bytes(H5Tget_size(type.get()) * n_elements(count));
  if (H5Dread(dataset.get(), type.get(), in_memory.get(), in_file.get(), H5P_DEFAULT, bytes.data()) < 0)
    fail("variable " + name);
  return bytes;
}

std::vector<std::string> Reader::read_text(const std::string& name) const {
  const Handle& dataset = open(name);
  const Handle stored(H5Dget_type(dataset.get()), H5Tclose);
  if (H5Tget_class(stored.get()) != H5T_STRING || H5Tis_variable_str(stored.get()) <= 0) fail("variable " + name);
  const Handle type = text_type(H5T_VARIABLE);
  std::vector<char*> pointers(n_elements(extent(name)));
  if (H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, text_transfer().get(), pointers.data()) < 0)
    fail("variable " + name);
  std::vector<std::string> texts;
  for (const char* pointer : pointers) texts.emplace_back(pointer ? pointer : "");
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
  return texts;
}

}  // namespace mixlab::store
