// The files that this process knows, as long as they stay the same as far as the file system can tell without reading
// them: those it has sealed itself, and those it has examined. What is known need not be examined (again).
#pragma once

#include <sys/stat.h>

namespace mixlab::store {

enum class Knowledge {
  none,
  sealed,    ///< written by this process: no stranger's, but what is on the disk now nobody has looked at
  examined,  ///< whole, and harmless
};

void remember_file(const struct stat& file, Knowledge knowledge);
Knowledge knowledge_of(const struct stat& file);

}  // namespace mixlab::store
