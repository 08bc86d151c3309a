// What was built, from what.
#pragma once

#include <string>

namespace mixlab {

std::string version();     ///< "0.2.0"
std::string git_commit();  ///< 40 hexadecimal digits, or "unknown"
bool git_dirty();          ///< whether the sources differed from the commit
std::string compiler();    ///< with version and build type
std::string source_folder();

}  // namespace mixlab
