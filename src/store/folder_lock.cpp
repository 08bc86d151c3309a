#include "mixlab/store/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "mixlab/core/error.h"
#include "mixlab/core/file.h"
#include "mixlab/core/process_id.h"
#include "mixlab/core/stop.h"

namespace mixlab::store {
namespace {

/// Whether `path` still is the file that is open as `file`: its last holder removes it.
bool still_there(const std::string& path, int file) {
  struct stat by_name {
  }, by_number{};
  return ::stat(path.c_str(), &by_name) == 0 && ::fstat(file, &by_number) == 0 && by_name.st_ino == by_number.st_ino &&
         by_name.st_dev == by_number.st_dev;
}

[[noreturn]] void refuse(const std::string& path) {
  throw WriteError("cannot lock '" + path +
                   "': somebody put a link, a pipe or a device there (must be a regular file of "
                   "this name alone); remove it");
}

/// Waiting does not bring a folder where a link says that there is one.
void require_no_dead_link(const std::string& folder) {
  struct stat link {
  }, there{};
  if (::lstat(folder.c_str(), &link) == 0 && S_ISLNK(link.st_mode) && ::stat(folder.c_str(), &there) != 0)
    throw WriteError("cannot use folder '" + folder +
                     "': it is a symbolic link that leads nowhere (must be a folder, or "
                     "lead to one); remove it");
}

/// A lock that was planted could be a second name of any file, which we would overwrite.
void require_own(const std::string& path, int file) {
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink <= 1) return;
  ::close(file);
  refuse(path);
}

std::string holder_in(int file) {
  char text[300] = {};
  const ssize_t size = ::pread(file, text, sizeof text - 1, 0);
  return size > 0 ? text : "another process";
}

/// False if locks do not work here.
bool lock(int file, const std::function<void(const std::string&)>& on_wait) {
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno != EWOULDBLOCK) return false;
  on_wait(holder_in(file));
  while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    if (Stop::requested()) ::close(file);
    Stop::check();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder, const std::function<void(const std::string& holder)>& on_wait)
    : folder_(folder), path_(folder + "/lock") {
  for (;;) {
    const bool made = ::mkdir(folder_.c_str(), 0777) == 0 || errno == EEXIST;
    file_ = ::open(path_.c_str(), O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (file_ < 0 && errno == ENOENT && made) {  // the last holder removed the folder in between
      require_no_dead_link(folder_);
      continue;
    }
    if (file_ < 0 && errno == ELOOP) refuse(path_);
    if (file_ < 0 && is_trouble(errno))
      throw SystemError("cannot lock '" + path_ + "': " + std::strerror(errno) + "; try again when the machine can");
    if (file_ >= 0) require_own(path_, file_);
    if (file_ < 0 || !lock(file_, on_wait)) return;
    if (still_there(path_, file_)) break;
    ::close(file_);
  }
  const std::string self = ProcessId::self().text();
  if (::ftruncate(file_, 0) != 0 || ::pwrite(file_, self.data(), self.size(), 0) < 0) return;  // only for the message
}

FolderLock::~FolderLock() {
  if (file_ >= 0) {
    ::unlink(path_.c_str());
    ::close(file_);
  }
  ::rmdir(folder_.c_str());
}

}  // namespace mixlab::store
