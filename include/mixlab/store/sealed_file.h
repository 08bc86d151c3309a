// Sealed files: an HDF5 file behind a 512-byte header that carries the checksum of the rest. A file is verified
// before the HDF5 library sees a byte of it, because that library hangs or reads nonsense from damaged files.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mixlab::store {

inline constexpr std::size_t seal_size = 512;

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

/// Writes header and `image` to a temporary, fsync, rename to `path`, fsync the folder. Throws WriteError, leaving
/// nothing behind.
void write_sealed(const std::string& path, const std::vector<char>& image);

/// Whether a stop ends what takes long, with the exception Stopped.
enum class Stops { obeyed, ignored };

/// Fills in the header of a file made with seal_size bytes of user block, and gives it its final name as above; this
/// process remembers it (known_files.h). A file in another folder is copied next to `path`, in one stream, and not
/// remembered.
void seal(Temporary& made, const std::string& path, Stops stops = Stops::obeyed);

enum class Seal { good, broken, missing };
/// Reads the whole file. Throws InputError if there is none or it may not be read.
Seal examine_seal(const std::string& path);

/// Writes a small text file atomically. Throws WriteError.
void write_text(const std::string& path, const std::string& text);

}  // namespace mixlab::store
