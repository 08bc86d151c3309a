// The HDF5 C library: its start, its end, and handles that close themselves. It is touched by one thread at a time.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

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
/// Silences HDF5's cleanup at exit, and shuts the ways out of a file: external links, filter plugins. Call once at start.
void prepare_hdf5();
/// Silences HDF5's error printing in this thread; we report errors ourselves.
void silence_hdf5();
std::string hdf5_version();

}  // namespace mixlab::store
