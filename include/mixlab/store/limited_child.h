// Work on a stranger's bytes in a child process with limits: what hangs, crashes or swells there does so alone. Only what
// the bytes did counts against them: a child that was stopped, killed or starved from outside is no verdict.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace mixlab::store {

struct Limits {
  double seconds;      ///< of the processor: a machine that is busy or asleep does not count
  std::size_t memory;  ///< bytes beyond what this process holds
  std::size_t answer;  ///< bytes
};

/// Runs `work` in a child and returns its answer. An InputError of `work` is thrown here too; a child that exceeds a
/// limit or crashes is an InputError that says so and begins with `what`. SystemError if the machine let the child down.
/// The child opens nothing: `work` reads from descriptors that are open already.
std::string run_limited(const std::string& what, const Limits& limits, const std::function<std::string()>& work);

}  // namespace mixlab::store
