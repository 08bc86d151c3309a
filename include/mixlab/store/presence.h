// Who is at work on a study: each run keeps a small file "running.HOST.PID.SPACE.RANDOM" in the folder of parts while it lives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mixlab/core/process_id.h"

namespace mixlab::store {

struct Worker {
  ProcessId process;
  std::string since;  ///< UTC
  std::string path;   ///< of its file
};

class Presence {
 public:
  explicit Presence(const std::string& folder);
  /// Also removes `folder` if nothing is left in it.
  ~Presence();
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;

 private:
  std::string folder_;
  std::string path_;
};

/// The other processes at work in `folder`: alive on this machine, or of another machine, which cannot be seen from here.
std::vector<Worker> workers_in(const std::string& folder);

/// Whose presence a file of this name is; nothing if it is none.
std::optional<ProcessId> parse_presence(const std::string& name);

}  // namespace mixlab::store
