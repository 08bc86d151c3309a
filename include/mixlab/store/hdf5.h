// A small RAII layer over the HDF5 C library, just enough for files that are also netCDF-4: every dimension a scale,
// every axis attached, creation order tracked. HDF5 is touched by one thread at a time.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mixlab::store {

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle();
  hid_t get() const { return id_; }
  /// Closes and says whether that went well: for files, the last chance to hear of a failed write.
  bool close();

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// After a failed write HDF5's own cleanup may crash: from now on no handle is closed any more.
void abandon_hdf5();
/// Silences HDF5's error printing and its cleanup at exit; we report errors ourselves. Call once at start.
void prepare_hdf5();
std::string hdf5_version();

enum class Type { float64, int32, int64, uint8 };
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

using Extent = std::vector<hsize_t>;

/// A file being written. Dimensions first, then variables over them.
class Writer {
 public:
  /// In memory; take it with image().
  static Writer in_memory();
  /// On disk, behind `user_block` bytes left free at the start.
  static Writer on_disk(const std::string& path, hsize_t user_block);

  /// Attributes of the root.
  void attribute(const std::string& name, const std::string& text);
  void attribute(const std::string& name, double value);
  void attribute(const std::string& name, std::int64_t value);

  void dimension(const std::string& name, const std::vector<std::int64_t>& coordinates, const std::string& meaning);
  void dimension(const std::string& name, const std::vector<std::string>& coordinates, const std::string& meaning);
  /// Of coordinates 0 .. size - 1.
  void dimension(const std::string& name, std::int64_t size, const std::string& meaning);

  struct Options {
    Extent chunk = {};  ///< empty: contiguous
    bool compress = false;
    const void* fill = nullptr;  ///< also written as _FillValue
    std::vector<std::pair<std::string, std::string>> attributes = {};
  };
  void variable(const std::string& name, Type type, const std::vector<std::string>& dimensions, const Options& options);
  void write(const std::string& name, Type type, const void* data);
  void write(const std::string& name, Type type, const Extent& start, const Extent& count, const void* data);
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
  void write_attribute(hid_t object, const std::string& name, const std::string& text);
  template <class T>
  void write_attribute(hid_t object, const std::string& name, T value);
  Handle create(const std::string& name, hid_t type, const Extent& extent, const Options& options);
  void make_scale(const Handle& dataset, const std::string& name, hsize_t size);
  [[noreturn]] void fail(const std::string& what);

  std::string path_;
  Handle file_;
  Handle root_;
  std::vector<std::pair<std::string, hsize_t>> dimensions_;
};

/// A file being read. Errors are InputError.
class Reader {
 public:
  explicit Reader(const std::string& path);

  bool has(const std::string& name) const;
  std::vector<std::string> variables() const;
  Extent extent(const std::string& name) const;
  bool is_text(const std::string& name) const;
  std::size_t element_size(const std::string& name) const;
  /// Stored type and class, to compare two files.
  std::string type_name(const std::string& name) const;

  /// Names of the dimensions of a variable, as far as they are attached.
  std::vector<std::string> dimensions(const std::string& name) const;
  /// Throws unless the variable has this type and stands over these dimensions.
  void require(const std::string& name, Type type, const std::vector<std::string>& dimensions) const;
  void require_text(const std::string& name, const std::vector<std::string>& dimensions) const;
  void require_extent(const std::string& name, const std::vector<std::string>& dimensions) const;

  /// Names; of the root if `variable` is empty.
  std::vector<std::string> attributes(const std::string& variable = {}) const;
  /// Of whatever type we know; others are left alone.
  void read_attribute(const std::string& variable, const std::string& name) const;
  std::string text_attribute(const std::string& name) const;  ///< of the root
  std::string text_attribute(const std::string& variable, const std::string& name) const;
  std::int64_t integer_attribute(const std::string& name) const;

  template <class T>
  std::vector<T> read(const std::string& name) const {
    std::vector<T> data(n_elements(extent(name)));
    read_into(name, type_of<T>(), data.data());
    return data;
  }
  template <class T>
  std::vector<T> read(const std::string& name, const Extent& start, const Extent& count) const {
    std::vector<T> data(n_elements(count));
    read_into(name, type_of<T>(), start, count, data.data());
    return data;
  }
  std::vector<std::string> read_text(const std::string& name) const;
  /// The stored bytes of a block, in the file's own type.
  std::vector<char> read_raw(const std::string& name, const Extent& start, const Extent& count) const;

 private:
  std::size_t n_elements(const Extent& extent) const;
  void read_into(const std::string& name, Type type, void* data) const;
  void read_into(const std::string& name, Type type, const Extent& start, const Extent& count, void* data) const;
  Handle open(const std::string& name) const;
  /// The part of a variable's space that a block selects.
  Handle select(const Handle& dataset, const std::string& name, const Extent& start, const Extent& count) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  Handle file_;
};

/// Calls `visit(start, count)` for blocks of at most `most` elements, as large as they come, that together are
/// `extent`, in the order in which the elements lie in the file.
void for_each_block(const Extent& extent, hsize_t most,
                    const std::function<void(const Extent& start, const Extent& count)>& visit);

}  // namespace mixlab::store
