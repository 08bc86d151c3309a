#include "mixlab/store/hdf5_writer.h"

#include <hdf5_hl.h>

#include <bit>
#include <cerrno>
#include <numeric>

#include "mixlab/core/text.h"
#include "mixlab/store/compression.h"
#include "mixlab/store/descriptor_driver.h"

namespace mixlab::store {
namespace {

constexpr unsigned tracked = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
constexpr std::size_t memory_step = 1 << 20;

Handle creation_order() {
  Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_link_creation_order(properties.get(), tracked);
  H5Pset_attr_creation_order(properties.get(), tracked);
  H5Pset_obj_track_times(properties.get(), false);  // the same rows give the same bytes
  return properties;
}

}  // namespace

Writer Writer::in_memory() {
  Writer writer;
  writer.path_ = "file in memory";
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.get(), memory_step, false);
  const Handle creation = creation_order();
  writer.file_ = Handle(H5Fcreate("mixlab", H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose);
  writer.open_root();
  return writer;
}

Writer Writer::on_disk(const File& file, const std::string& path) {
  Writer writer;
  writer.path_ = path;
  const Handle creation = creation_order();
  const Handle access = access_through(file);
  H5Pset_sieve_buf_size(access.get(), 0);  // what is written is not read first
  take_driver_error();
  writer.file_ = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose);
  writer.open_root();
  return writer;
}

void Writer::open_root() {
  if (file_.get() < 0) fail("create");
  root_ = Handle(H5Gopen2(file_.get(), "/", H5P_DEFAULT), H5Gclose);
  if (root_.get() < 0) fail("create");
}

void Writer::fail(const std::string& what) {
  H5Eclear2(H5E_DEFAULT);  // HDF5 keeps an error stack per thread: clear it or it leaks
  abandon_hdf5();
  const int code = take_driver_error();
  fail_write(path_, what, code ? code : ENOMEM);  // where no write has failed, HDF5 found no memory
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
    H5Pset_shuffle(properties.get());
    H5Pset_deflate(properties.get(), static_cast<unsigned>(deflate_level));
  }
  if (options.fill) H5Pset_fill_value(properties.get(), type, options.fill);
  const Handle space = simple_space(extent);
  Handle dataset(H5Dcreate2(root_.get(), name.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                 H5Dclose);
  if (dataset.get() < 0) fail("variable " + name);
  return dataset;
}

void Writer::make_scale(hid_t dataset, const std::string& name, hsize_t size) {
  if (H5DSset_scale(dataset, name.c_str()) < 0) fail("dimension " + name);
  dimensions_.emplace_back(name, size);
}

void Writer::dimension(const std::string& name, const std::vector<std::int64_t>& coordinates,
                       const std::string& meaning) {
  const Handle dataset = create(name, file_type(Type::int64), {coordinates.size()}, {});
  if (H5Dwrite(dataset.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, coordinates.data()) < 0)
    fail("dimension " + name);
  make_scale(dataset.get(), name, coordinates.size());
  write_attribute(dataset.get(), "long_name", meaning);
}

void Writer::dimension(const std::string& name, const std::vector<std::string>& coordinates,
                       const std::string& meaning) {
  put(name, {}, coordinates, meaning);
  make_scale(open(name), name, coordinates.size());
}

void Writer::dimension(const std::string& name, std::int64_t first, std::int64_t size, const std::string& meaning) {
  const Handle dataset = create(name, file_type(Type::int64), {static_cast<hsize_t>(size)}, {});
  make_scale(dataset.get(), name, static_cast<hsize_t>(size));
  write_attribute(dataset.get(), "long_name", meaning);
  for_each_block({static_cast<hsize_t>(size)}, 4096, [&](const Extent& start, const Extent& count) {
    std::vector<std::int64_t> coordinates(count[0]);
    std::iota(coordinates.begin(), coordinates.end(), first + static_cast<std::int64_t>(start[0]));
    write(name, Type::int64, start, count, coordinates.data());
  });
}

void Writer::put(const std::string& name, const std::vector<std::string>& dimensions,
                 const std::vector<std::string>& data, const std::string& meaning) {
  const Handle type = text_type(H5T_VARIABLE);
  const Handle dataset =
      create(name, type.get(), dimensions.empty() ? Extent{data.size()} : extent_over(dimensions), {});
  std::vector<const char*> pointers;
  for (const auto& text : data) pointers.push_back(text.c_str());
  if (H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, text_transfer().get(), pointers.data()) < 0)
    fail("variable " + name);
  write_attribute(dataset.get(), "long_name", meaning);
  write_attribute(dataset.get(), "names", join(data, "\n"));
  attach(dataset, dimensions, name);
}

void Writer::variable(const std::string& name, Type type, const std::vector<std::string>& dimensions,
                      const Options& options) {
  const Handle dataset = create(name, file_type(type), extent_over(dimensions), options);
  attach(dataset, dimensions, name);
  if (options.fill) {
    const Handle space = simple_space({1});
    const Handle attribute(
        H5Acreate2(dataset.get(), "_FillValue", file_type(type), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    if (H5Awrite(attribute.get(), memory_type(type), options.fill) < 0) fail("variable " + name);
  }
  for (const auto& [key, text] : options.attributes) write_attribute(dataset.get(), key, text);
}

Extent Writer::extent_over(const std::vector<std::string>& dimensions) const {
  Extent extent;
  for (const auto& dimension : dimensions)
    for (const auto& [known, size] : dimensions_)
      if (known == dimension) extent.push_back(size);
  return extent;
}

hid_t Writer::open(const std::string& name) {
  Handle& dataset = open_[name];
  if (dataset.get() < 0) dataset = Handle(H5Dopen2(root_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  return dataset.get();
}

void Writer::close_variables() {
  for (auto& [name, dataset] : open_)
    if (!dataset.close()) fail("close of " + name);
  open_.clear();
}

void Writer::attach(const Handle& dataset, const std::vector<std::string>& dimensions, const std::string& name) {
  for (unsigned axis = 0; axis < dimensions.size(); ++axis)
    if (H5DSattach_scale(dataset.get(), open(dimensions[axis]), axis) < 0) fail("variable " + name);
}

void Writer::write(const std::string& name, Type type, const void* data) {
  if (H5Dwrite(open(name), memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) fail("variable " + name);
}

void Writer::write(const std::string& name, Type type, const Extent& start, const Extent& count, const void* data) {
  const hid_t dataset = open(name);
  const Handle in_file(H5Dget_space(dataset), H5Sclose);
  H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  const Handle in_memory = simple_space(count);
  if (H5Dwrite(dataset, memory_type(type), in_memory.get(), in_file.get(), H5P_DEFAULT, data) < 0)
    fail("variable " + name);
}

void Writer::write_chunk(const std::string& name, const Extent& start, std::span<const std::byte> data,
                         std::size_t element_size) {
  static_assert(std::endian::native == std::endian::little, "as in the file");
  const std::vector<unsigned char> bytes = compress(data, element_size);
  constexpr std::uint32_t all_filters = 0;
  if (H5Dwrite_chunk(open(name), H5P_DEFAULT, all_filters, start.data(), bytes.size(), bytes.data()) < 0)
    fail("variable " + name);
}

std::vector<char> Writer::image() {
  if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) fail("flush");
  const ssize_t size = H5Fget_file_image(file_.get(), nullptr, 0);
  if (size <= 0) fail("image");
  std::vector<char> bytes(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file_.get(), bytes.data(), bytes.size()) != size) fail("image");
  close_variables();
  root_.close();
  file_.close();
  return bytes;
}

void Writer::close() {
  if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0) fail("flush");
  close_variables();
  root_.close();
  if (!file_.close()) fail("close");
}

}  // namespace mixlab::store
