#include "mixlab/store/presence.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "mixlab/store/provenance.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::store {
namespace {

constexpr const char* mark = "running.";

}  // namespace

Presence::Presence(const std::string& folder)
    : folder_(folder), path_(folder + "/" + presence_name(ProcessId::self())) {
  write_text(path_, utc_now() + "\n");
}

Presence::~Presence() {
  ::unlink(path_.c_str());
  ::rmdir(folder_.c_str());
}

std::string presence_name(const ProcessId& process) {
  return mark + process.text();
}

std::optional<ProcessId> parse_presence(const std::string& name) {
  if (!name.starts_with(mark) || name.find(temporary_mark) != std::string::npos) return {};
  return parse_process_id(name, mark);
}

std::vector<Worker> workers_in(const std::string& folder) {
  std::vector<Worker> workers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const auto process = parse_presence(entry.path().filename());
    if (!process || process->alive() == Alive::no || process->text() == ProcessId::self().text()) continue;
    Worker worker{*process, {}};
    std::ifstream(entry.path()) >> worker.since;
    workers.push_back(worker);
  }
  return workers;
}

}  // namespace mixlab::store
