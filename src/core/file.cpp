#include "mixlab/core/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "mixlab/core/error.h"

namespace mixlab {
namespace {

constexpr mode_t by_umask = 0666;
constexpr std::size_t buffer_size = 1 << 16;

int open_descriptor(const std::string& path, int flags) {
  for (;;) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, by_umask);
    if (descriptor >= 0 || errno != EINTR) return descriptor;
  }
}

bool is_one_of(int code, std::initializer_list<int> codes) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

[[noreturn]] void fail_open(const std::string& path, int code) {
  const std::string reason = std::strerror(code);
  if (is_trouble(code)) throw SystemError("cannot open '" + path + "': " + reason + "; try again when the machine can");
  if (code == ENOENT || code == ENOTDIR) throw InputError("no such file: '" + path + "'; check the path");
  if (code == ENXIO) throw InputError("bad file: '" + path + "' (must be a regular file); check the path");
  if (code == ELOOP)
    throw InputError("bad file: '" + path + "' (is a symbolic link, or a ring of them); replace it by the file itself");
  throw InputError("cannot read '" + path + "': " + reason + "; check its permissions");
}

bool same_time(const timespec& left, const timespec& right) {
  return left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec;
}

bool is_absence(const std::error_code& error) {
  return is_one_of(error.value(), {ENOENT, ENOTDIR});
}

[[noreturn]] void fail_look(const std::string& what, const std::string& path, const std::error_code& error) {
  const std::string failure = "cannot " + what + " '" + path + "': " + error.message() + "; ";
  if (is_one_of(error.value(), {EACCES, EPERM, ELOOP, ENAMETOOLONG}))
    throw InputError(failure + "check it and its permissions");
  throw SystemError(failure + "try again when the machine can");
}

}  // namespace

File::File(File&& other) noexcept : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

File& File::operator=(File&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

File File::open(const std::string& path, Links links) {
  File file(path, open_descriptor(path, O_RDONLY | (links == Links::refused ? O_NOFOLLOW : 0)));
  if (!file.is_open()) fail_open(path, errno);
  if (!S_ISREG(file.status().st_mode))
    throw InputError("bad file: '" + path + "' (must be a regular file); check the path");
  return file;
}

File File::create(const std::string& path) {
  File file(path, open_descriptor(path, O_CREAT | O_EXCL | O_RDWR));
  if (!file.is_open()) fail_write(path, "create", errno);
  return file;
}

File File::open_shared(const std::string& path) {
  File file(path, open_descriptor(path, O_CREAT | O_RDWR | O_APPEND | O_NOFOLLOW));
  if (!file.is_open()) fail_write(path, "open", errno);
  const struct stat status = file.status();
  if (!S_ISREG(status.st_mode) || status.st_nlink > 1)
    throw WriteError("cannot write " + path +
                     ": somebody put a link, a pipe or a device there (must be a regular "
                     "file of this name alone); remove it");
  return file;
}

struct stat File::status() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0)
    throw SystemError("cannot look at '" + path_ + "': " + std::strerror(errno) + "; check the disk");
  return status;
}

std::size_t File::read_at(std::uint64_t offset, char* bytes, std::size_t size) const {
  std::size_t total = 0;
  while (total < size) {
    const ssize_t got = ::pread(descriptor_, bytes + total, size - total, static_cast<off_t>(offset + total));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw SystemError("cannot read '" + path_ + "': " + std::strerror(errno) + "; check the disk");
    if (got == 0) break;
    total += static_cast<std::size_t>(got);
  }
  return total;
}

void File::write_at(std::uint64_t offset, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::pwrite(descriptor_, bytes, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail_write(path_, "write", written < 0 ? errno : ENOSPC);
    bytes += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void File::append(std::string_view text) {
  ssize_t written = ::write(descriptor_, text.data(), text.size());
  while (written < 0 && errno == EINTR) written = ::write(descriptor_, text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size())) fail_write(path_, "write", written < 0 ? errno : ENOSPC);
}

void File::synchronise() {
  int result = ::fsync(descriptor_);
  while (result != 0 && errno == EINTR) result = ::fsync(descriptor_);
  if (result != 0) fail_write(path_, "fsync", errno);
}

void File::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail_write(path_, "close", errno);
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size && same_time(a.st_mtim, b.st_mtim) &&
         same_time(a.st_ctim, b.st_ctim);
}

bool unwritten(const struct stat& before, const struct stat& now) {
  struct stat then = before;
  if (before.st_nlink != now.st_nlink) then.st_ctim = now.st_ctim;  // which that changes, too
  return same_file(then, now);
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

bool is_there(const std::string& path, Links links) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = links == Links::refused ? fs::symlink_status(path, error) : fs::status(path, error);
  if (error && !is_absence(error)) fail_look("look for", path, error);
  return fs::exists(status);
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  if (is_absence(error)) return names;
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
    names.push_back(entry->path().filename());
  if (error) fail_look("read folder", folder, error);
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_text_file(const std::string& path, std::size_t most, Links links) {
  const File file = File::open(path, links);
  std::string text;
  std::vector<char> buffer(buffer_size);
  while (const std::size_t got = file.read_at(text.size(), buffer.data(), buffer.size())) {
    text.append(buffer.data(), got);
    if (text.size() > most)
      throw InputError("file too large: '" + path + "' (at most " + std::to_string(most >> 20) +
                       " MiB); check the path");
  }
  return text;
}

void fail_write(const std::string& path, const std::string& what, int code) {
  const std::string failure = "cannot write " + path + ": " + what + " failed (" + std::strerror(code) + "); ";
  if (is_one_of(code, {ENOMEM, EMFILE, ENFILE, EAGAIN}))
    throw SystemError(failure + "free what the machine lacks, then run the same command again");
  const bool is_full = is_one_of(code, {ENOSPC, EDQUOT, EFBIG});
  throw WriteError(failure +
                   (is_full ? "free some space or choose another place" : "choose another place, or mend this one") +
                   ", then run the same command again");
}

bool is_trouble(int code) {
  return is_one_of(code, {EMFILE, ENFILE, ENOMEM, EIO, ESTALE, EAGAIN, EBUSY, ETIMEDOUT, ENOTCONN, EREMOTEIO, EINTR,
                          ENOLCK, EHOSTDOWN, EHOSTUNREACH, ECONNRESET, ESHUTDOWN});
}

}  // namespace mixlab
