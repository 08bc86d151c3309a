#include "mixlab/store/descriptor_driver.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace mixlab::store {
namespace {

thread_local int failed_with = 0;

herr_t fail(int code) {
  if (failed_with == 0) failed_with = code;
  return -1;
}

/// What HDF5 keeps of an open file; begins with what HDF5 itself wants to know.
struct OpenFile {
  H5FD_t common{};
  int descriptor = -1;
  haddr_t end_of_allocation = 0;
  haddr_t end_of_file = 0;
};

OpenFile* open_file(H5FD_t* file) {
  return reinterpret_cast<OpenFile*>(file);
}
const OpenFile* open_file(const H5FD_t* file) {
  return reinterpret_cast<const OpenFile*>(file);
}

H5FD_t* open(const char*, unsigned flags, hid_t access, haddr_t) {
  const auto* descriptor = static_cast<const int*>(H5Pget_driver_info(access));
  struct stat status {};
  if (!descriptor || ::fstat(*descriptor, &status) != 0) {
    fail(errno);
    return nullptr;
  }
  auto* file = new OpenFile;
  file->descriptor = *descriptor;
  file->end_of_file = (flags & H5F_ACC_TRUNC) ? 0 : static_cast<haddr_t>(status.st_size);
  return &file->common;
}

herr_t close(H5FD_t* file) {
  delete open_file(file);
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) {
  return open_file(file)->end_of_allocation;
}
herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  open_file(file)->end_of_allocation = address;
  return 0;
}
haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) {
  return open_file(file)->end_of_file;
}

/// Beyond the end of the file there are zeros, as HDF5 expects.
herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  auto* bytes = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t got = ::pread(open_file(file)->descriptor, bytes, size, static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(errno);
    if (got == 0) {
      std::memset(bytes, 0, size);
      return 0;
    }
    bytes += got;
    address += static_cast<haddr_t>(got);
    size -= static_cast<size_t>(got);
  }
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  const auto* bytes = static_cast<const char*>(buffer);
  while (size > 0) {
    const ssize_t written = ::pwrite(open_file(file)->descriptor, bytes, size, static_cast<off_t>(address));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail(written < 0 ? errno : ENOSPC);
    bytes += written;
    address += static_cast<haddr_t>(written);
    size -= static_cast<size_t>(written);
  }
  open_file(file)->end_of_file = std::max(open_file(file)->end_of_file, address);
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  OpenFile& open = *open_file(file);
  if (open.end_of_allocation == open.end_of_file) return 0;
  if (::ftruncate(open.descriptor, static_cast<off_t>(open.end_of_allocation)) != 0) return fail(errno);
  open.end_of_file = open.end_of_allocation;
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(600);  // above those that HDF5 keeps for itself
#endif
  driver.name = "mixlab descriptor";
  driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(int);
  driver.open = open;
  driver.close = close;
  driver.query = query;
  driver.get_eoa = get_eoa;
  driver.set_eoa = set_eoa;
  driver.get_eof = get_eof;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  constexpr H5FD_mem_t kinds[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;  // as HDF5's own driver has it
  std::copy(std::begin(kinds), std::end(kinds), std::begin(driver.fl_map));
  return driver;
}

hid_t driver() {
  static const H5FD_class_t driver = driver_class();
  static const hid_t id = H5FDregister(&driver);
  return id;
}

}  // namespace

Handle access_through(const File& file) {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const int descriptor = file.descriptor();
  H5Pset_driver(properties.get(), driver(), &descriptor);
  return properties;
}

int take_driver_error() {
  return std::exchange(failed_with, 0);
}

}  // namespace mixlab::store
