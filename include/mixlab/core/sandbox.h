// What a process gives up before it looks at a stranger's bytes: by a filter of system calls (seccomp) it keeps those for
// memory, for reading and for its answer, and no others.
#pragma once

namespace mixlab {

/// From now on this process can read and seek in open files, use memory, write to `output` and end; whatever else it
/// asks of the kernel fails with EPERM. False if the kernel has no such filter.
bool enter_sandbox(int output);

/// Whether the kernel has such a filter.
bool has_sandbox();

}  // namespace mixlab
