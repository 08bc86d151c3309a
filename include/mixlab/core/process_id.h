// Processes as names of files carry them: "x.tmp.HOST.PID.SPACE.RANDOM" says who made it, and so whether anybody still
// needs it. The space tells machines and containers apart that call themselves HOST all the same, the random word makes
// the name one that nobody has used or could have foreseen.
#pragma once

#include <optional>
#include <string>

namespace mixlab {

enum class Alive { yes, no, unknown };  ///< unknown: of another machine or container

struct ProcessId {
  std::string host;
  int pid = 0;
  std::string space = {};  ///< of process numbers, 8 hexadecimal digits; empty in names of older programs

  static ProcessId self();
  std::string text() const;
  Alive alive() const;
  bool operator==(const ProcessId&) const = default;
};

/// "HOST.PID.SPACE.RANDOM" of this process, another one with every call.
std::string unique_name();

/// The process in a name that ends in MARK + "HOST.PID.SPACE.RANDOM", or as older programs wrote it in MARK + "HOST.PID".
std::optional<ProcessId> parse_process_id(const std::string& name, const std::string& mark);

std::string host_name();

}  // namespace mixlab
