// Reads what hdf5_writer.h writes; the file was checked before (guard.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/core/file.h"
#include "mixlab/store/hdf5_type.h"

namespace mixlab::store {

/// A file being read. What it holds lies in it alone: variables stored in other files do not open. Errors are InputError
/// if the contents are to blame, SystemError if the disk or the machine is.
class Reader {
 public:
  explicit Reader(File file);

  const std::string& path() const { return bytes_.path(); }
  /// Of the file as it is now.
  struct stat status() const {
    return bytes_.status();
  }

  bool has(const std::string& name) const;
  bool has_attribute(const std::string& name) const;  ///< of the root
  std::vector<std::string> variables() const;
  /// Whether its data went through the filters that we use, and no other.
  bool has_own_filters(const std::string& name) const;
  /// Whether through some of them, or none.
  bool has_known_filters(const std::string& name) const;
  /// Throws InputError unless the data are, unpacked, as many bytes as claimed: HDF5 copies that many from its memory,
  /// whatever there is. For data with known filters; of pieces without any, all together are looked at.
  void require_whole(const std::string& name) const;
  Extent extent(const std::string& name) const;
  /// As it is stored in pieces; the whole extent if it is not.
  Extent chunk(const std::string& name) const;
  bool is_text(const std::string& name) const;
  std::size_t element_size(const std::string& name) const;
  /// Stored type and class, to compare two files.
  std::string type_name(const std::string& name) const;

  /// Names of the dimensions of a variable, as far as they are attached.
  std::vector<std::string> dimensions(const std::string& name) const;
  /// Throws unless the variable has this type and stands over these dimensions.
  void require(const std::string& name, Type type, const std::vector<std::string>& dimensions) const;
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
  std::vector<H5Z_filter_t> filters(const std::string& name) const;
  std::size_t n_elements(const Extent& extent) const;
  void read_into(const std::string& name, Type type, void* data) const;
  void read_into(const std::string& name, Type type, const Extent& start, const Extent& count, void* data) const;
  /// Stays open until another is asked for.
  const Handle& open(const std::string& name) const;
  /// The part of a variable's space that a block selects.
  Handle select(const Handle& dataset, const std::string& name, const Extent& start, const Extent& count) const;
  [[noreturn]] void fail(const std::string& what) const;

  File bytes_;  // closed after the HDF5 file, which is closed after what is open in it
  Handle file_;
  mutable Handle dataset_;  ///< the last one asked for, mostly the next one
  mutable std::string dataset_name_;
};

}  // namespace mixlab::store
