// The Python that draws, and the package of ours that it runs.
#pragma once

#include "command.h"

namespace mixlab::cli {

/// A Python that has what drawing needs, and the folder of the package `mixlab`. Throws std::runtime_error if there is
/// none.
class Python {
 public:
  Python();
  /// `python3 -m MODULE ARGUMENTS...` of our package and no other; gives its exit code.
  int run_module(const std::string& module, const Arguments& arguments) const;

 private:
  std::string program_;
  std::string package_;
};

}  // namespace mixlab::cli
