#include "mixlab/store/hdf5.h"

#include <hdf5_hl.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "mixlab/error.h"

namespace mixlab::store {
namespace {

std::atomic<bool> abandoned{false};

constexpr unsigned tracked = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
constexpr std::size_t memory_step = 1 << 20;
constexpr unsigned deflate_level = 4;
constexpr hsize_t most_elements = hsize_t{1} << 40;  // of one variable; products of more could overflow

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

Handle simple_space(const Extent& extent) {
  return {H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose};
}

Handle creation_order() {
  Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_link_creation_order(properties.get(), tracked);
  H5Pset_attr_creation_order(properties.get(), tracked);
  H5Pset_obj_track_times(properties.get(), false);  // the same rows give the same bytes
  return properties;
}

}  // namespace

Handle::~Handle() {
  close();
}

bool Handle::close() {
  if (id_ < 0 || !close_ || abandoned.load()) return true;
  return close_(std::exchange(id_, -1)) >= 0;
}

void abandon_hdf5() {
  abandoned = true;
}

void prepare_hdf5() {
  // Nobody reads a file that is being written, and some network file systems refuse every lock.
  setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
  H5dont_atexit();
  H5open();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

// ---------------------------------------------------------------- Writer

Writer Writer::in_memory() {
  Writer writer;
  writer.path_ = "file in memory";
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.get(), memory_step, false);
  const Handle creation = creation_order();
  writer.file_ = Handle(H5Fcreate("mixlab-part", H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose);
  writer.root_ = Handle(H5Gopen2(writer.file_.get(), "/", H5P_DEFAULT), H5Gclose);
  if (writer.root_.get() < 0) writer.fail("create");
  return writer;
}

Writer Writer::on_disk(const std::string& path, hsize_t user_block) {
  Writer writer;
  writer.path_ = path;
  const Handle creation = creation_order();
  H5Pset_userblock(creation.get(), user_block);
  errno = 0;
  writer.file_ = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), H5P_DEFAULT), H5Fclose);
  writer.root_ = Handle(H5Gopen2(writer.file_.get(), "/", H5P_DEFAULT), H5Gclose);
  if (writer.root_.get() < 0) writer.fail("create");
  return writer;
}

void Writer::fail(const std::string& what) {
  const int code = errno;
  abandon_hdf5();
  throw WriteError("cannot write " + path_ + ": " + what + " failed" +
                   (code ? " (" + std::string(std::strerror(code)) + ")" : "") +
                   "; free some space or choose another place, then run the same command again");
}

void Writer::write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = text_type(text.size() + 1);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (H5Awrite(attribute.get(), type.get(), text.c_str()) < 0) fail("attribute " + name);
}

template <class T>
void Writer::write_attribute(hid_t object, const std::string& name, T value) {
  const Handle space = simple_space({1});
  const Handle attribute(
      H5Acreate2(object, name.c_str(), file_type(type_of<T>()), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (H5Awrite(attribute.get(), memory_type(type_of<T>()), &value) < 0) fail("attribute " + name);
}

void Writer::attribute(const std::string& name, const std::string& text) {
  write_attribute(root_.get(), name, text);
}
void Writer::attribute(const std::string& name, double value) {
  write_attribute(root_.get(), name, value);
}
void Writer::attribute(const std::string& name, std::int64_t value) {
  write_attribute(root_.get(), name, value);
}

Handle Writer::create(const std::string& name, hid_t type, const Extent& extent, const Options& options) {
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_attr_creation_order(properties.get(), tracked);
  H5Pset_obj_track_times(properties.get(), false);
  if (!options.chunk.empty()) {
    H5Pset_chunk(properties.get(), static_cast<int>(options.chunk.size()), options.chunk.data());
    if (options.compress) {
      H5Pset_shuffle(properties.get());
      H5Pset_deflate(properties.get(), deflate_level);
    }
  }
  if (options.fill) H5Pset_fill_value(properties.get(), type, options.fill);
  const Handle space = simple_space(extent);
  Handle dataset(H5Dcreate2(root_.get(), name.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                 H5Dclose);
  if (dataset.get() < 0) fail("variable " + name);
  return dataset;
}

void Writer::make_scale(const Handle& dataset, const std::string& name, hsize_t size) {
  if (H5DSset_scale(dataset.get(), name.c_str()) < 0) fail("dimension " + name);
  dimensions_.emplace_back(name, size);
}

void Writer::dimension(const std::string& name, const std::vector<std::int64_t>& coordinates,
                       const std::string& meaning) {
  const Handle dataset = create(name, file_type(Type::int64), {coordinates.size()}, {});
  if (H5Dwrite(dataset.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, coordinates.data()) < 0)
    fail("dimension " + name);
  make_scale(dataset, name, coordinates.size());
  write_attribute(dataset.get(), "long_name", meaning);
}

void Writer::dimension(const std::string& name, const std::vector<std::string>& coordinates,
                       const std::string& meaning) {
  put(name, {}, coordinates, meaning);
  const Handle dataset(H5Dopen2(root_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  make_scale(dataset, name, coordinates.size());
}

void Writer::dimension(const std::string& name, std::int64_t size, const std::string& meaning) {
  const Handle dataset = create(name, file_type(Type::int64), {static_cast<hsize_t>(size)}, {});
  make_scale(dataset, name, static_cast<hsize_t>(size));
  write_attribute(dataset.get(), "long_name", meaning);
  for_each_block({static_cast<hsize_t>(size)}, 4096, [&](const Extent& start, const Extent& count) {
    std::vector<std::int64_t> coordinates(count[0]);
    std::iota(coordinates.begin(), coordinates.end(), static_cast<std::int64_t>(start[0]));
    write(name, Type::int64, start, count, coordinates.data());
  });
}

void Writer::put(const std::string& name, const std::vector<std::string>& dimensions,
                 const std::vector<std::string>& data, const std::string& meaning) {
  const Handle type = text_type(H5T_VARIABLE);
  const Handle dataset = create(name, type.get(), {data.size()}, {});
  std::vector<const char*> pointers;
  std::string names;
  for (const auto& text : data) {
    pointers.push_back(text.c_str());
    names += (names.empty() ? "" : "\n") + text;
  }
  if (H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) fail("variable " + name);
  write_attribute(dataset.get(), "long_name", meaning);
  write_attribute(dataset.get(), "names", names);
  for (unsigned axis = 0; axis < dimensions.size(); ++axis) {
    const Handle scale(H5Dopen2(root_.get(), dimensions[axis].c_str(), H5P_DEFAULT), H5Dclose);
    if (H5DSattach_scale(dataset.get(), scale.get(), axis) < 0) fail("variable " + name);
  }
}

void Writer::variable(const std::string& name, Type type, const std::vector<std::string>& dimensions,
                      const Options& options) {
  Extent extent;
  for (const auto& dimension : dimensions)
    for (const auto& [known, size] : dimensions_)
      if (known == dimension) extent.push_back(size);
  const Handle dataset = create(name, file_type(type), extent, options);
  for (unsigned axis = 0; axis < dimensions.size(); ++axis) {
    const Handle scale(H5Dopen2(root_.get(), dimensions[axis].c_str(), H5P_DEFAULT), H5Dclose);
    if (H5DSattach_scale(dataset.get(), scale.get(), axis) < 0) fail("variable " + name);
  }
  if (options.fill) {
    const Handle space = simple_space({1});
    const Handle attribute(
        H5Acreate2(dataset.get(), "_FillValue", file_type(type), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    if (H5Awrite(attribute.get(), memory_type(type), options.fill) < 0) fail("variable " + name);
  }
  for (const auto& [key, text] : options.attributes) write_attribute(dataset.get(), key, text);
}

void Writer::write(const std::string& name, Type type, const void* data) {
  const Handle dataset(H5Dopen2(root_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  errno = 0;
  if (H5Dwrite(dataset.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail("variable " + name);
}

void Writer::write(const std::string& name, Type type, const Extent& start, const Extent& count, const void* data) {
  const Handle dataset(H5Dopen2(root_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle in_file(H5Dget_space(dataset.get()), H5Sclose);
  H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  const Handle in_memory = simple_space(count);
  errno = 0;
  if (H5Dwrite(dataset.get(), memory_type(type), in_memory.get(), in_file.get(), H5P_DEFAULT, data) < 0)
    fail("variable " + name);
}

std::vector<char> Writer::image() {
  if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) fail("flush");
  const ssize_t size = H5Fget_file_image(file_.get(), nullptr, 0);
  if (size <= 0) fail("image");
  std::vector<char> bytes(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file_.get(), bytes.data(), bytes.size()) != size) fail("image");
  root_.close();
  file_.close();
  return bytes;
}

void Writer::close() {
  errno = 0;
  if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) fail("flush");
  root_.close();
  if (!file_.close()) fail("close");
}

// ---------------------------------------------------------------- Reader

Reader::Reader(const std::string& path) : path_(path) {
  file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file_.get() < 0) fail("not readable as HDF5");
}

void Reader::fail(const std::string& what) const {
  throw InputError("cannot read " + path_ + ": " + what + " (must be a whole mixlab file); restore or recompute it");
}

bool Reader::has(const std::string& name) const {
  return H5Lexists(file_.get(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Reader::variables() const {
  H5G_info_t info{};
  if (H5Gget_info(file_.get(), &info) < 0) fail("root group");
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[256] = {};
    if (H5Lget_name_by_idx(file_.get(), "/", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT) < 0)
      fail("list of variables");
    names.emplace_back(name);
  }
  return names;
}

Handle Reader::open(const std::string& name) const {
  if (!has(name)) fail("variable " + name + " is missing");
  Handle dataset(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset.get() < 0) fail("variable " + name);
  return dataset;
}

Extent Reader::extent(const std::string& name) const {
  const Handle dataset = open(name);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0) fail("shape of " + name);
  Extent extent(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
  return extent;
}

std::size_t Reader::n_elements(const Extent& extent) const {
  std::size_t size = 1;
  for (const hsize_t n : extent)
    if (n > most_elements || (size *= n) > most_elements) fail("a variable is too large");
  return size;
}

std::vector<std::string> Reader::dimensions(const std::string& name) const {
  const Handle dataset = open(name);
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
  const Handle dataset = open(name);
  const Handle stored(H5Dget_type(dataset.get()), H5Tclose);
  if (H5Tequal(stored.get(), file_type(type)) <= 0) fail("type of " + name);
  require_extent(name, dimensions);
}

void Reader::require_text(const std::string& name, const std::vector<std::string>& dimensions) const {
  if (!is_text(name)) fail("type of " + name);
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
  const Handle dataset = open(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  return H5Tget_class(type.get()) == H5T_STRING;
}

std::size_t Reader::element_size(const std::string& name) const {
  const Handle dataset = open(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  return H5Tget_size(type.get());
}

std::string Reader::type_name(const std::string& name) const {
  const Handle dataset = open(name);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  for (const auto& [known, text] :
       {std::pair{Type::float64, "float64"}, {Type::int32, "int32"}, {Type::int64, "int64"}, {Type::uint8, "uint8"}})
    if (H5Tequal(type.get(), file_type(known)) > 0) return text;
  return H5Tget_class(type.get()) == H5T_STRING ? "string" : "other";
}

std::vector<std::string> Reader::attributes(const std::string& variable) const {
  Handle object;
  if (!variable.empty()) object = open(variable);
  std::vector<std::string> names;
  const auto keep = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  const hid_t owner = variable.empty() ? file_.get() : object.get();
  if (H5Aiterate2(owner, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names) < 0) fail("attributes");
  return names;
}

void Reader::read_attribute(const std::string& variable, const std::string& name) const {
  Handle object;
  if (!variable.empty()) object = open(variable);
  const Handle attribute(H5Aopen(variable.empty() ? file_.get() : object.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
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
  Handle object;
  if (!variable.empty()) object = open(variable);
  const hid_t owner = variable.empty() ? file_.get() : object.get();
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
  if (H5Aexists(file_.get(), name.c_str()) <= 0) fail("attribute " + name + " is missing");
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
  const Handle dataset = open(name);
  if (H5Dread(dataset.get(), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail("variable " + name);
}

void Reader::read_into(const std::string& name, Type type, const Extent& start, const Extent& count, void* data) const {
  const Handle dataset = open(name);
  const Handle in_file = select(dataset, name, start, count);
  const Handle in_memory = simple_space(count);
  if (H5Dread(dataset.get(), memory_type(type), in_memory.get(), in_file.get(), H5P_DEFAULT, data) < 0)
    fail("variable " + name);
}

std::vector<char> Reader::read_raw(const std::string& name, const Extent& start, const Extent& count) const {
  const Handle dataset = open(name);
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
  const Handle dataset = open(name);
  const Handle stored(H5Dget_type(dataset.get()), H5Tclose);
  if (H5Tget_class(stored.get()) != H5T_STRING || H5Tis_variable_str(stored.get()) <= 0) fail("variable " + name);
  const Handle type = text_type(H5T_VARIABLE);
  std::vector<char*> pointers(n_elements(extent(name)));
  if (H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) fail("variable " + name);
  std::vector<std::string> texts;
  for (const char* pointer : pointers) texts.emplace_back(pointer ? pointer : "");
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
  return texts;
}

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

}  // namespace mixlab::store
