#include "mixlab/store/presence.h"

#include <unistd.h>

#include <stdexcept>

#include "mixlab/core/file.h"
#include "mixlab/core/text.h"
#include "mixlab/store/provenance.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::store {
namespace {

constexpr const char* mark = "running.";
constexpr std::size_t longest_date = 100;

/// What the file says, if it can be read.
std::string since(const std::string& path) {
  try {
    return trim(read_text_file(path, longest_date, Links::refused));
  } catch (const std::runtime_error&) {
    return "unknown";
  }
}

}  // namespace

Presence::Presence(const std::string& folder) : folder_(folder), path_(folder + "/" + mark + unique_name()) {
  write_text(path_, utc_now() + "\n");
}

Presence::~Presence() {
  ::unlink(path_.c_str());
  ::rmdir(folder_.c_str());
}

std::optional<ProcessId> parse_presence(const std::string& name) {
  if (!name.starts_with(mark) || name.find(temporary_mark) != std::string::npos) return {};
  return parse_process_id(name, mark);
}

std::vector<Worker> workers_in(const std::string& folder) {
  std::vector<Worker> workers;
  for (const auto& name : names_in(folder)) {
    const auto process = parse_presence(name);
    if (!process || process->alive() == Alive::no || *process == ProcessId::self()) continue;
    const std::string path = folder + "/" + name;
    workers.push_back({*process, since(path), path});
  }
  return workers;
}

}  // namespace mixlab::store
