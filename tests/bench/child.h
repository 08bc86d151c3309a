// Programs run as children, with what the kernel says about them afterwards.
#pragma once

#include <string>
#include <vector>

namespace mixlab::bench {

struct Usage {
  double wall = 0;         ///< seconds from the start of the first to the end of the last
  double cpu = 0;          ///< seconds, all together
  double peak_memory = 0;  ///< bytes, of the largest
};

std::string own_path();

/// Runs `n` copies of a command at once. Throws std::runtime_error if one fails.
Usage run_children(const std::vector<std::string>& command, int n = 1);

}  // namespace mixlab::bench
