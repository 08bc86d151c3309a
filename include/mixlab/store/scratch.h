// Where a large file is put together before it goes to its place. HDF5 writes here and there in it, which file systems
// across a network are slow at; they are fast at one stream from beginning to end.
#pragma once

#include <string>

namespace mixlab::store {

/// A folder for making `path`: $MIXLAB_SCRATCH if it is set; else, where `path` lies across a network, $SLURM_TMPDIR or
/// $TMPDIR, if that is a disk of this machine with room for `bytes`; else the folder of `path` itself.
std::string scratch_for(const std::string& path, double bytes);

/// Whether the folder of `path` lies across a network, or may do so.
bool is_remote(const std::string& path);

}  // namespace mixlab::store
