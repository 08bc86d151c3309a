// Where a large file is put together before it goes to its place. HDF5 writes here and there in it, which file systems
// across a network are slow at; they are fast at one stream from beginning to end.
#pragma once

#include <string>
#include <vector>

namespace mixlab::store {

/// Folders for making `path`, best first: $MIXLAB_SCRATCH if it is set; else, where `path` lies across a network, those of
/// $SLURM_TMPDIR and $TMPDIR that are on a disk of this machine. May be none.
std::vector<std::string> scratch_folders(const std::string& path);

/// The folder to make `path` in: $MIXLAB_SCRATCH, or the first of the above with room for `bytes`; else the folder of
/// `path` itself. Throws InputError if $MIXLAB_SCRATCH is no folder.
std::string scratch_for(const std::string& path, double bytes);

/// Whether the folder of `path` lies across a network, or may do so.
bool is_remote(const std::string& path);

}  // namespace mixlab::store
