// Work on a stranger's bytes in a child process with limits: what hangs, crashes or swells there does so alone.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace mixlab::store {

struct Limits {
  double seconds;      ///< CPU seconds; the wall-clock limit is ten times that, so a loaded machine does not trip it
  std::size_t memory;  ///< bytes beyond what this process holds
  std::size_t answer;  ///< bytes
};

/// Runs `work` in a child and returns its answer. An InputError of `work` is thrown here too; a child that exceeds a
/// limit or crashes is an InputError that says so and begins with `what`.
std::string run_limited(const std::string& what, const Limits& limits, const std::function<std::string()>& work);

}  // namespace mixlab::store
