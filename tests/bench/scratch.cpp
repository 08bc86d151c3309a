#include "scratch.h"

#include <cstdlib>
#include <stdexcept>

namespace mixlab::bench {

Scratch::Scratch() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  std::string name = (folder / "mixlab-bench-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("cannot create a folder in " + folder.string());
  path_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace mixlab::bench
