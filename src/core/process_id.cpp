#include "mixlab/core/process_id.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>

namespace mixlab {

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

ProcessId ProcessId::self() {
  return {host_name(), static_cast<int>(getpid())};
}

Alive ProcessId::alive() const {
  if (host != host_name()) return Alive::unknown;
  return kill(pid, 0) == 0 || errno != ESRCH ? Alive::yes : Alive::no;
}

std::optional<ProcessId> parse_process_id(const std::string& name, const std::string& mark) {
  const auto at = name.rfind(mark);
  const auto dot = name.rfind('.');
  if (at == std::string::npos || dot == std::string::npos || dot <= at + mark.size()) return {};
  ProcessId process;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + dot + 1, end, process.pid);
  process.host = name.substr(at + mark.size(), dot - at - mark.size());
  if (error != std::errc{} || stop != end || process.pid <= 0) return {};
  return process;
}

}  // namespace mixlab
