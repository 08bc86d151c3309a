// How the HDF5 library reaches a file: through a descriptor that is open already, and in no other way. It never opens a
// name, so it cannot read another file than the one that was checked; and a disk that fails is told from contents that do.
#pragma once

#include "mixlab/core/file.h"
#include "mixlab/store/hdf5.h"

namespace mixlab::store {

/// File access properties for reading or writing `file`, which must outlive what is opened with them.
Handle access_through(const File& file);

/// Errno of the first read or write that failed in this thread since this was last asked; 0 if none did.
int take_driver_error();

}  // namespace mixlab::store
