// Processes as names of files carry them: "x.tmp.HOST.PID" says who made it, and so whether anybody still needs it.
#pragma once

#include <optional>
#include <string>

namespace mixlab {

enum class Alive { yes, no, unknown };  ///< unknown: of another machine

struct ProcessId {
  std::string host;
  int pid = 0;

  static ProcessId self();
  std::string text() const { return host + "." + std::to_string(pid); }
  Alive alive() const;
};

/// The process in a name that ends in MARK + "HOST.PID".
std::optional<ProcessId> parse_process_id(const std::string& name, const std::string& mark);

std::string host_name();

}  // namespace mixlab
