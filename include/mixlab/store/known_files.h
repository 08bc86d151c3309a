// The files that this process knows: those it has sealed itself and those it has examined, as long as they stay the same.
// What is known need not be examined again.
#pragma once

#include <sys/stat.h>

#include <string>

namespace mixlab::store {

/// Knows the file of this description from now on.
void remember_file(const struct stat& file);
/// Whether this very file, with the same contents as far as the file system can tell without reading it, is known.
bool is_known_file(const struct stat& file);

}  // namespace mixlab::store
