// One process at a time assembles or opens a study: a lock on its folder of parts, gone with the process that holds it.
#pragma once

#include <functional>
#include <string>

namespace mixlab::store {

class FolderLock {
 public:
  /// Creates `folder` if it can and waits until the lock is free; `on_wait` is called once, with the process that holds
  /// it, if that takes time. Where locks do not work (a read-only folder, some network file systems) there is none.
  FolderLock(const std::string& folder, const std::function<void(const std::string& holder)>& on_wait);
  /// Also removes `folder` if nothing is left in it.
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::string folder_;
  std::string path_;
  int file_ = -1;
};

}  // namespace mixlab::store
