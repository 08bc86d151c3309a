#include "mixlab/store/hdf5.h"

#include <atomic>
#include <cstdlib>

namespace mixlab::store {
namespace {

std::atomic<bool> abandoned{false};

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
  H5PLset_loading_state(0);          // no filter from a library that a file names
  H5Lunregister(H5L_TYPE_EXTERNAL);  // no link leads into another file
  silence_hdf5();
}

void silence_hdf5() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace mixlab::store
