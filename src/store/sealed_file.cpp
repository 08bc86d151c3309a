#include "mixlab/store/sealed_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "mixlab/core/error.h"
#include "mixlab/core/hash.h"
#include "mixlab/core/process_id.h"
#include "mixlab/core/stop.h"
#include "mixlab/store/known_files.h"

namespace mixlab::store {
namespace {

constexpr const char* magic = "mixlab sealed file 2\n";
constexpr const char* magic_in_front = "mixlab sealed file 1\n";
constexpr std::size_t buffer_size = 1 << 20;

[[noreturn]] void fail_write(const std::string& path, const char* what) {
  const std::string reason = std::strerror(errno);
  throw WriteError("cannot write " + path + ": " + what + " failed (" + reason +
                   "); free some space or choose another place, then run the same command again");
}

/// A file descriptor that closes itself.
class File {
 public:
  File(const std::string& path, int flags) : path_(path), descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  bool is_open() const { return descriptor_ >= 0; }

  void write(const char* bytes, std::size_t size) {
    while (size > 0) {
      const ssize_t written = ::write(descriptor_, bytes, size);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail_write(path_, "write");
      bytes += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  void synchronise() {
    if (::fsync(descriptor_) != 0) fail_write(path_, "fsync");
  }
  void close() {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail_write(path_, "close");
  }
  /// All zero if the file system does not say.
  struct stat status() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) return {};
    return status;
  }
  void seek(std::uint64_t offset) {
    if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) fail_write(path_, "seek");
  }
  /// Bytes read; fewer than `size` only at the end.
  std::size_t read(char* bytes, std::size_t size) {
    std::size_t total = 0;
    while (total < size) {
      const ssize_t got = ::read(descriptor_, bytes + total, size - total);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw InputError("cannot read " + path_ + ": " + std::strerror(errno) + "; check the disk");
      if (got == 0) break;
      total += static_cast<std::size_t>(got);
    }
    return total;
  }

 private:
  std::string path_;
  int descriptor_;
};

std::string seal_text(const char* first_line, const std::string& checksum, std::uint64_t size) {
  std::string text = first_line + ("xxh3-128 " + checksum + "\nbytes " + std::to_string(size) + "\n");
  text.resize(seal_size, '\0');
  return text;
}

void synchronise_folder(const std::string& path) {
  const std::string folder = std::filesystem::absolute(path).parent_path();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);  // some network file systems refuse: the rename has happened all the same
  ::close(descriptor);
}

bool same_folder(const std::string& a, const std::string& b) {
  const auto folder = [](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path).parent_path());
  };
  return folder(a) == folder(b);
}

/// Remembers the file at `path` if it is the one that was `written`: a new name changes nothing but the time of change.
void remember_written(const struct stat& written, const std::string& path) {
  struct stat now {};
  if (::stat(path.c_str(), &now) != 0 || now.st_dev != written.st_dev || now.st_ino != written.st_ino ||
      now.st_size != written.st_size || now.st_mtim.tv_sec != written.st_mtim.tv_sec ||
      now.st_mtim.tv_nsec != written.st_mtim.tv_nsec)
    return;
  remember_file(now, Vetted::written_here);
}

/// The seal that the next `size` bytes should have; fewer if the file ends before.
std::string seal_of_next(File& file, std::uint64_t size, const char* first_line, Interruptible interruptible) {
  Hasher hasher;
  std::uint64_t total = 0;
  std::vector<char> buffer(buffer_size);
  while (total < size) {
    const std::size_t got =
        file.read(buffer.data(), static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), size - total)));
    if (got == 0) break;
    if (interruptible == Interruptible::yes) Stop::check();
    hasher.add(buffer.data(), got);
    total += got;
  }
  return seal_text(first_line, hasher.hex(), total);
}

/// Where a file carries its seal, and how long what it seals is.
struct SealPlace {
  enum class Side { none, front, back } side = Side::none;
  std::uint64_t image_size = 0;
  std::string text;
};

SealPlace find_seal(File& file) {
  const auto size = static_cast<std::uint64_t>(file.status().st_size);
  const auto text_at = [&](std::uint64_t offset) {
    std::string text(seal_size, '\0');
    file.seek(offset);
    file.read(text.data(), text.size());
    return text;
  };
  if (const std::string front = text_at(0); front.starts_with(magic_in_front))
    return {SealPlace::Side::front, size < seal_size ? 0 : size - seal_size, front};
  if (size < seal_size) return {};
  const std::string back = text_at(size - seal_size);
  if (!back.starts_with(magic)) return {};
  return {SealPlace::Side::back, size - seal_size, back};
}

void write_whole(const std::string& path, const std::vector<std::pair<const char*, std::size_t>>& pieces) {
  Temporary temporary(temporary_name(path));
  File file(temporary.path(), O_CREAT | O_TRUNC | O_WRONLY);
  if (!file.is_open()) fail_write(path, "open");
  for (const auto& [bytes, size] : pieces) file.write(bytes, size);
  file.synchronise();
  file.close();
  temporary.become(path);
}

}  // namespace

std::string temporary_name(const std::string& path) {
  return path + temporary_mark + ProcessId::self().text();
}

Temporary::~Temporary() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

void Temporary::become(const std::string& path) {
  if (::rename(path_.c_str(), path.c_str()) != 0) fail_write(path, "rename");
  path_.clear();
  synchronise_folder(path);
}

void write_sealed(const std::string& path, const std::vector<char>& image) {
  Hasher hasher;
  hasher.add(image.data(), image.size());
  const std::string text = seal_text(magic, hasher.hex(), image.size());
  write_whole(path, {{image.data(), image.size()}, {text.data(), text.size()}});
}

void write_text(const std::string& path, const std::string& text) {
  write_whole(path, {{text.data(), text.size()}});
}

void seal(Temporary& made, const std::string& path, Interruptible interruptible) {
  File file(made.path(), O_RDWR);
  if (!file.is_open()) fail_write(made.path(), "open");
  const auto size = static_cast<std::uint64_t>(file.status().st_size);
  const std::string text = seal_of_next(file, size, magic, interruptible);
  file.write(text.data(), text.size());
  if (same_folder(made.path(), path)) {
    file.synchronise();
    const struct stat written = file.status();
    file.close();
    made.become(path);
    return remember_written(written, path);
  }
  file.seek(0);
  Temporary copy(temporary_name(path));
  File target(copy.path(), O_CREAT | O_TRUNC | O_WRONLY);
  if (!target.is_open()) fail_write(path, "open");
  std::vector<char> buffer(buffer_size);
  while (const std::size_t got = file.read(buffer.data(), buffer.size())) {
    if (interruptible == Interruptible::yes) Stop::check();
    target.write(buffer.data(), got);
  }
  target.synchronise();
  target.close();
  copy.become(path);
}

Seal examine_seal(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) throw InputError("no such file: '" + path + "'; check the path");
  if (!std::filesystem::is_regular_file(path, error))
    throw InputError("not a mixlab file: '" + path + "' (must be a regular file); check the path");
  File file(path, O_RDONLY);
  if (!file.is_open())
    throw InputError("cannot read '" + path + "': " + std::strerror(errno) + "; check its permissions");
  const SealPlace seal = find_seal(file);
  if (seal.side == SealPlace::Side::none) return Seal::missing;
  const bool in_front = seal.side == SealPlace::Side::front;
  file.seek(in_front ? seal_size : 0);
  const std::string right = seal_of_next(file, seal.image_size, in_front ? magic_in_front : magic, Interruptible::yes);
  return seal.text == right ? Seal::good : Seal::broken;
}

bool has_seal(const std::string& path) {
  File file(path, O_RDONLY);
  return file.is_open() && S_ISREG(file.status().st_mode) && find_seal(file).side != SealPlace::Side::none;
}

}  // namespace mixlab::store
