// Writes HDF5 that is also netCDF-4: every dimension a scale, every axis attached, creation order tracked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mixlab/core/file.h"
#include "mixlab/store/hdf5_type.h"

namespace mixlab::store {

/// A file being written. Dimensions first, then variables over them.
class Writer {
 public:
  /// In memory; take it with image().
  static Writer in_memory();
  /// Into an empty file that stays open as long as this; `path` is what messages call it.
  static Writer on_disk(const File& file, const std::string& path);

  /// Attributes of the root.
  void attribute(const std::string& name, const std::string& text);
  void attribute(const std::string& name, double value);
  void attribute(const std::string& name, std::int64_t value);

  void dimension(const std::string& name, const std::vector<std::int64_t>& coordinates, const std::string& meaning);
  void dimension(const std::string& name, const std::vector<std::string>& coordinates, const std::string& meaning);
  /// Of coordinates first, first + 1, ..., first + size - 1.
  void dimension(const std::string& name, std::int64_t first, std::int64_t size, const std::string& meaning);

  struct Options {
    Extent chunk = {};           ///< empty: contiguous; else compressed, and written by write_chunk
    const void* fill = nullptr;  ///< also written as _FillValue
    std::vector<std::pair<std::string, std::string>> attributes = {};
  };
  void variable(const std::string& name, Type type, const std::vector<std::string>& dimensions, const Options& options);
  void write(const std::string& name, Type type, const void* data);
  void write(const std::string& name, Type type, const Extent& start, const Extent& count, const void* data);
  /// The whole chunk that begins at `start`, also where it reaches beyond the variable.
  template <class T>
  void write_chunk(const std::string& name, const Extent& start, std::span<const T> data) {
    write_chunk(name, start, std::as_bytes(data), sizeof(T));
  }
  /// Variable and data at once.
  template <class T>
  void put(const std::string& name, const std::vector<std::string>& dimensions, std::span<const T> data,
           const std::string& meaning, const T* fill = nullptr) {
    variable(name, type_of<T>(), dimensions, {.fill = fill, .attributes = {{"long_name", meaning}}});
    write(name, type_of<T>(), data.data());
  }
  void put(const std::string& name, const std::vector<std::string>& dimensions, const std::vector<std::string>& data,
           const std::string& meaning);

  /// The bytes of a file in memory; the writer is done.
  std::vector<char> image();
  /// Closes a file on disk; throws WriteError if anything was not written.
  void close();

 private:
  Writer() = default;
  void open_root();
  void write_attribute(hid_t object, const std::string& name, const std::string& text);
  template <class T>
  void write_attribute(hid_t object, const std::string& name, T value);
  void write_chunk(const std::string& name, const Extent& start, std::span<const std::byte> data,
                   std::size_t element_size);
  Extent extent_over(const std::vector<std::string>& dimensions) const;
  Handle create(const std::string& name, hid_t type, const Extent& extent, const Options& options);
  /// The variable, opened once and kept so: opening takes longer than writing a few rows.
  hid_t open(const std::string& name);
  void close_variables();
  void attach(const Handle& dataset, const std::vector<std::string>& dimensions, const std::string& name);
  void make_scale(hid_t dataset, const std::string& name, hsize_t size);
  [[noreturn]] void fail(const std::string& what);

  std::string path_;
  Handle file_;
  Handle root_;
  std::map<std::string, Handle> open_;  // closed before the file
  std::vector<std::pair<std::string, hsize_t>> dimensions_;
};

}  // namespace mixlab::store
