// Cache of files already vetted by this process, keyed by device, inode, size and times.
#pragma once

#include <sys/stat.h>

namespace mixlab::store {

enum class Vetted {
  no,
  written_here,  ///< written by this process, so not hostile; not yet read back
  yes,           ///< read back: whole and harmless
};

void remember_file(const struct stat& file, Vetted vetted);
Vetted vetted(const struct stat& file);

}  // namespace mixlab::store
