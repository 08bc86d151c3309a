// Whether there is memory left: of a limit (ulimit -v), or of the machine.
#pragma once

#include <cstddef>

namespace mixlab {

/// Whether this process would get `size` bytes more.
bool has_memory(std::size_t size);

/// Ends the process, exit code 1, with a word, unless there is room to work in. Libraries that found too little when they
/// were loaded would hang or crash later.
void require_memory();

}  // namespace mixlab
