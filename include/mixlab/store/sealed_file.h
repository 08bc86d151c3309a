// Sealed files: an HDF5 image and behind it a trailer of 512 bytes with its checksum and length (format version 1 had
// them in front). A file is verified before the HDF5 library sees a byte of it, because that library hangs or reads
// nonsense from damaged files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mixlab/core/file.h"

namespace mixlab::store {

inline constexpr std::size_t seal_size = 512;  ///< bytes

inline constexpr const char* temporary_mark = ".tmp.";
/// Name for a file or folder in the making, next to `path`: it tells its process, and is another one with every call.
std::string temporary_name(const std::string& path);

/// A file in the making, next to the path that it is made for. It gets its final name, or is removed.
class Temporary {
 public:
  /// Creates it, as no other process's and through no link. Throws WriteError.
  explicit Temporary(const std::string& made_for) : file_(File::create(temporary_name(made_for))) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();
  File& file() { return file_; }
  const std::string& path() const { return file_.path(); }
  /// Writes it to the disk, renames it and synchronises the folder; says what the file is under its new name, nothing if
  /// another process has put its own there already. Throws WriteError, also if somebody has put another file or a link in
  /// place of this one.
  std::optional<struct stat> become(const std::string& path);

 private:
  File file_;
  bool is_named_ = false;
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
/// Whether there is a file with a seal, good or broken. Reads no more than that.
bool has_seal(const std::string& path);
/// Reads the whole file. Throws SystemError if it cannot be read now.
Seal examine_seal(const File& file);

/// Writes a small text file atomically. Throws WriteError.
void write_text(const std::string& path, const std::string& text);

}  // namespace mixlab::store
