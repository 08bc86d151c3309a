// Sealed files: an HDF5 image and behind it a trailer of 512 bytes with its checksum and length (format version 1 had
// them in front). A file is verified before the HDF5 library sees a byte of it, because that library hangs or reads
// nonsense from damaged files.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mixlab::store {

inline constexpr std::size_t seal_size = 512;  ///< bytes

inline constexpr const char* temporary_mark = ".tmp.";
/// Name for a file in the making, next to `path`: it tells its process.
std::string temporary_name(const std::string& path);

/// A file in the making. It gets its final name, or is removed.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();
  const std::string& path() const { return path_; }
  /// Also synchronises the folder. Throws WriteError.
  void become(const std::string& path);

 private:
  std::string path_;
};

/// Writes `image` and its seal to a temporary, fsync, rename to `path`, fsync the folder. Throws WriteError, leaving
/// nothing behind.
void write_sealed(const std::string& path, const std::vector<char>& image);

/// Whether a stop request interrupts it, with the exception Stopped.
enum class Interruptible { yes, no };

/// Adds its seal to a finished HDF5 file and gives it its final name as above; this process remembers it
/// (known_files.h). A file in another folder is copied next to `path`, in one stream, and not remembered.
void seal(Temporary& made, const std::string& path, Interruptible interruptible = Interruptible::yes);

enum class Seal { good, broken, missing };
/// Whether a file has a seal, good or broken. Reads no more than that.
bool has_seal(const std::string& path);
/// Reads the whole file. Throws InputError if there is none or it may not be read.
Seal examine_seal(const std::string& path);

/// Writes a small text file atomically. Throws WriteError.
void write_text(const std::string& path, const std::string& text);

}  // namespace mixlab::store
