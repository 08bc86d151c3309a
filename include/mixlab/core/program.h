// The executable that runs: mixlab, or somebody's own that links it.
#pragma once

#include <string>

namespace mixlab {

std::string program_path();
/// Its file name.
std::string program_name();
/// Hash of its contents, 32 hexadecimal digits.
std::string program_hash();

}  // namespace mixlab
