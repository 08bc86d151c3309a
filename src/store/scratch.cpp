#include "mixlab/store/scratch.h"

#include <sys/statfs.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "mixlab/core/error.h"
#include "mixlab/core/file.h"

namespace mixlab::store {
namespace {

namespace fs = std::filesystem;

// statfs(2), and for the parallel ones their own headers
constexpr std::array<unsigned long, 13> remote_kinds = {
    0x6969,      // NFS
    0xff534d42,  // CIFS
    0xfe534d42,  // SMB2
    0x517b,      // SMB
    0x0bd00bd0,  // Lustre
    0x47504653,  // GPFS
    0x19830326,  // BeeGFS
    0x00c36400,  // Ceph
    0x01161970,  // GFS2
    0x7461636f,  // OCFS2
    0x5346414f,  // AFS
    0x01021997,  // 9P
    0x65735546   // FUSE: sshfs, GlusterFS, ...
};

bool is_remote_folder(const std::string& folder) {
  struct statfs system {};
  if (statfs(folder.c_str(), &system) != 0) return false;
  const auto kind = static_cast<unsigned long>(system.f_type) & 0xffffffffUL;
  return std::find(remote_kinds.begin(), remote_kinds.end(), kind) != remote_kinds.end();
}

bool has_room(const std::string& folder, double bytes) {
  std::error_code error;
  const auto space = fs::space(folder, error);
  return !error && static_cast<double>(space.available) >= bytes;
}

}  // namespace

bool is_remote(const std::string& path) {
  return is_remote_folder(folder_of(path));
}

std::vector<std::string> scratch_folders(const std::string& path) {
  if (const char* chosen = std::getenv("MIXLAB_SCRATCH"); chosen && *chosen) return {chosen};
  std::vector<std::string> folders;
  std::error_code error;
  if (is_remote(path))
    for (const char* name : {"SLURM_TMPDIR", "TMPDIR"}) {
      const char* folder = std::getenv(name);
      if (folder && fs::is_directory(folder, error) && !is_remote_folder(folder)) folders.push_back(folder);
    }
  return folders;
}

std::string scratch_for(const std::string& path, double bytes) {
  if (const char* chosen = std::getenv("MIXLAB_SCRATCH"); chosen && *chosen) {
    std::error_code error;
    if (!fs::is_directory(chosen, error))
      throw InputError("bad MIXLAB_SCRATCH: '" + std::string(chosen) +
                       "' (must be a folder); unset it or create the folder");
    return chosen;
  }
  for (const auto& folder : scratch_folders(path))
    if (has_room(folder, bytes)) return folder;
  return folder_of(path);
}

}  // namespace mixlab::store
