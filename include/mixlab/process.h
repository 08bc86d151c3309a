// Processes as names of files carry them: "x.tmp.HOST.PID" says who made it, and so whether anybody still needs it.
#pragma once

#include <string>

namespace mixlab {

enum class Alive { yes, no, unknown };  ///< unknown: of another machine

struct Process {
  std::string host;
  int pid = 0;

  static Process self();
  std::string text() const { return host + "." + std::to_string(pid); }
  Alive alive() const;
};

/// The process in a name that ends in MARK + "HOST.PID"; false if the name is not of that form.
bool parse_process(const std::string& name, const std::string& mark, Process& process);

std::string host_name();

}  // namespace mixlab
