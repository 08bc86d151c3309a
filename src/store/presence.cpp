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

Presence::Presence(const std::string& folder) : folder_(folder), path_(folder + "/" + presence_name(Process::self())) {
  write_text(path_, utc_now() + "\n");
}

Presence::~Presence() {
  ::unlink(path_.c_str());
  ::rmdir(folder_.c_str());
}

std::string presence_name(const Process& process) {
  return mark + process.text();
}

bool parse_presence(const std::string& name, Process& process) {
  return name.starts_with(mark) && name.find(temporary_mark) == std::string::npos && parse_process(name, mark, process);
}

std::vector<Worker> workers_in(const std::string& folder) {
  std::vector<Worker> workers;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    Worker worker;
    if (!parse_presence(entry.path().filename(), worker.process) || worker.process.alive() == Alive::no ||
        worker.process.text() == Process::self().text())
      continue;
    std::ifstream(entry.path()) >> worker.since;
    workers.push_back(worker);
  }
  return workers;
}

}  // namespace mixlab::store
