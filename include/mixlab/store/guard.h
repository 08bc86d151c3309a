// The guard between strangers' bytes and the HDF5 library, which hangs, crashes or reads nonsense from damaged files.
// Only files with a good seal are used at all, and those of others are first read whole in a limited child process: a
// checksum tells damage, not malice.
#pragma once

#include <string>

#include "mixlab/core/error.h"
#include "mixlab/store/hdf5_reader.h"

namespace mixlab::store {

/// Not, or no longer, a file as mixlab wrote it.
struct DamagedFile : InputError {
  using InputError::InputError;
};

/// Opens a file that mixlab wrote: what is read is what was checked. Throws DamagedFile if it has no good seal, does not
/// survive the child or holds what no run of a study gives (soundness.h), InputError if there is none or it may not be
/// read, SystemError if the machine could not look. What this process knows of it already (known_files.h) is not looked at
/// again.
Reader open_guarded(const std::string& path, Links links = Links::followed);

/// A one-dimensional dataset of numbers in anybody's HDF5 file as text, one number per line. Throws InputError.
std::string read_series(const std::string& path, const std::string& dataset);

}  // namespace mixlab::store
