#include "mixlab/core/version.h"

#include "build_info.h"

namespace mixlab {

std::string version() {
  return MIXLAB_VERSION;
}
std::string git_commit() {
  return MIXLAB_COMMIT;
}
bool git_dirty() {
  return MIXLAB_DIRTY;
}
std::string compiler() {
  return MIXLAB_COMPILER " " MIXLAB_BUILD_TYPE;
}
std::string source_folder() {
  return MIXLAB_SOURCE_FOLDER;
}

}  // namespace mixlab
