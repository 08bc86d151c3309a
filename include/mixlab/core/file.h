// A file by its descriptor: opened once, so that what was checked is what is read, whatever its name leads to later.
// Opening never waits: a FIFO, a device or a folder is refused at once.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mixlab {

/// Whether a name may be a symbolic link. Where others may plant one, it may not.
enum class Links { followed, refused };

/// Reads and writes are whole or throw: SystemError for reading, WriteError for writing.
class File {
 public:
  File() = default;
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  /// A regular file that exists. Throws InputError if there is none or it may not be read, SystemError if the machine
  /// cannot open it now.
  static File open(const std::string& path, Links links = Links::followed);
  /// A new one, for reading and writing, with the permissions of the user's umask. Throws WriteError, also if there is
  /// anything of that name, be it a link.
  static File create(const std::string& path);
  /// A regular file that several processes write to, created if need be; links are refused, hard ones too. Throws
  /// WriteError.
  static File open_shared(const std::string& path);

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }
  struct stat status() const;
  std::uint64_t size() const { return static_cast<std::uint64_t>(status().st_size); }

  /// Bytes read from `offset` on; fewer than `size` only at the end of the file.
  std::size_t read_at(std::uint64_t offset, char* bytes, std::size_t size) const;
  void write_at(std::uint64_t offset, const char* bytes, std::size_t size);
  /// At the end, in one piece that lines of other processes do not tear.
  void append(std::string_view text);
  void synchronise();
  /// Throws WriteError: on some file systems the last word on what was written.
  void close();

 private:
  File(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_ = -1;
};

/// Whether both are the same file, unchanged: device, inode, size and times.
bool same_file(const struct stat& a, const struct stat& b);
/// Whether an open file, before and now, has not been written to. It may have lost its name meanwhile: to another one that
/// was renamed over it, as results are that grow, or altogether, as parts do that are merged.
bool unwritten(const struct stat& before, const struct stat& now);

/// The folder that a path leads into; `.` if it names none.
std::string folder_of(const std::string& path);

/// Whether something is at `path`; with Links::refused, also a link that leads nowhere. Throws SystemError or InputError if
/// that cannot be seen: what is there must not pass for missing.
bool is_there(const std::string& path, Links links = Links::followed);
/// Names in a folder, sorted; none if there is no such folder. Throws likewise if it cannot be read.
std::vector<std::string> names_in(const std::string& folder);

/// A small file as text. Throws as File::open, and InputError if it has more than `most` bytes.
std::string read_text_file(const std::string& path, std::size_t most, Links links = Links::followed);

/// Throws what a failed write with this errno is: SystemError for want of memory or descriptors, else WriteError with a
/// remedy that fits.
[[noreturn]] void fail_write(const std::string& path, const std::string& what, int code);

/// Whether an errno tells of the machine and not of the file: no descriptor, no memory, a disk that does not answer.
bool is_trouble(int code);

}  // namespace mixlab
