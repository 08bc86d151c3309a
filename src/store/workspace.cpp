#include "mixlab/store/workspace.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "mixlab/engine/machine.h"
#include "mixlab/error.h"
#include "mixlab/store/provenance.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* study_name = "study.cfg";
constexpr const char* runs_name = "runs.log";

std::string read_text_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

study::Study study_from(const std::string& text, const std::string& where) {
  return study::Study(study::parse_study_text(text, where));
}

void require_same(const study::Study& here, const study::Study& there, const std::string& where) {
  if (here.hash() == there.hash() && here.trajectories() >= there.trajectories()) return;
  std::string difference = here.difference_from(there);
  if (here.trajectories() < there.trajectories())
    difference += "  study.trajectories: " + std::to_string(there.trajectories()) + " there, " +
                  std::to_string(here.trajectories()) + " here\n";
  throw InputError("another study lives in '" + where + "' (only study.trajectories may grow):\n" + difference +
                   "choose another output with -o, or delete the old one");
}

/// "x.tmp.HOST.PID" of a process of this machine that no longer exists.
bool left_by_the_dead(const std::string& name) {
  const auto at = name.find(".tmp." + engine::host_name() + ".");
  if (at == std::string::npos) return false;
  const auto pid = static_cast<pid_t>(std::strtol(name.c_str() + name.rfind('.') + 1, nullptr, 10));
  return pid > 0 && pid != getpid() && kill(pid, 0) != 0 && errno == ESRCH;
}

void remove_leftovers(const fs::path& folder, const std::string& prefix) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && left_by_the_dead(name)) fs::remove(entry.path(), error);
  }
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

}  // namespace

void check_free_space(const std::string& path, double bytes) {
  struct statvfs space {};
  if (statvfs(folder_of(path).c_str(), &space) != 0) return;
  const double free = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
  if (free < bytes)
    throw WriteError("not enough space for " + path + ": " + std::to_string(static_cast<long long>(free / 1e6)) +
                     " MB free (needs up to " + std::to_string(static_cast<long long>(bytes / 1e6) + 1) +
                     " MB); free some or choose another place with -o");
}

void Workspace::open_for(const study::Study& study) const {
  std::error_code error;
  if (!fs::is_directory(folder_of(out_), error))
    throw InputError("no such folder: '" + folder_of(out_) + "' (must exist to hold " + out_ +
                     "); create it or choose another with -o");
  if (fs::is_directory(out_, error))
    throw InputError("bad output: '" + out_ + "' (is a folder); give a file name with -o");
  if (fs::exists(out_, error)) {
    const ResultsFile results(out_);
    require_same(study, study_from(results.study_text(), out_), out_);
  }
  const std::string stored = parts_folder() + "/" + study_name;
  if (fs::exists(stored, error)) {
    const study::Study there = study_from(read_text_file(stored), stored);
    require_same(study, there, parts_folder());
    if (there.trajectories() == study.trajectories()) {
      remove_leftovers(parts_folder(), "");
      remove_leftovers(folder_of(out_), fs::path(out_).filename());
      return;
    }
  }
  fs::create_directory(parts_folder(), error);
  if (!fs::is_directory(parts_folder(), error))
    throw WriteError("cannot create folder '" + parts_folder() + "': " + std::strerror(error ? error.value() : EEXIST) +
                     " (needed for the parts of the study); choose another place with -o");
  write_text(stored, study.effective_text());
  remove_leftovers(parts_folder(), "");
  remove_leftovers(folder_of(out_), fs::path(out_).filename());
}

study::Study Workspace::stored_study() const {
  std::error_code error;
  const std::string stored = parts_folder() + "/" + study_name;
  if (fs::exists(stored, error)) return study_from(read_text_file(stored), stored);
  if (fs::exists(out_, error)) return study_from(ResultsFile(out_).study_text(), out_);
  throw InputError("nothing to be found at '" + out_ + "' (neither the file nor the folder " + parts_folder() +
                   " exists); check the path, or run the study first");
}

std::vector<RowSource> Workspace::parts_in(const std::string& folder) {
  std::vector<RowSource> sources;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    RowSource source;
    if (!study::parse_file_name(entry.path().filename(), source.part)) continue;
    source.path = entry.path();
    sources.push_back(std::move(source));
  }
  std::sort(sources.begin(), sources.end(), [](const RowSource& a, const RowSource& b) { return a.path < b.path; });
  return sources;
}

study::Rows Workspace::done() const {
  study::Rows rows;
  std::error_code error;
  if (fs::exists(out_, error)) rows = ResultsFile(out_).completed();
  for (const auto& source : parts_in(parts_folder())) rows.add(source.part.cell, source.part.first, source.part.end);
  return rows;
}

std::vector<std::string> Workspace::set_aside_damaged(const study::Study& study) const {
  std::vector<std::string> words;
  for (const auto& source : parts_in(parts_folder())) {
    try {
      verify_seal(source.path);
    } catch (const InputError&) {
      if (::rename(source.path.c_str(), (source.path + ".damaged").c_str()) != 0)
        throw WriteError("cannot set aside damaged part '" + source.path + "': " + std::strerror(errno) +
                         "; delete it");
      words.push_back("damaged part set aside and computed again: " + source.path);
      continue;
    }
    verify_part(source.path, source.part, study.hash());
  }
  return words;
}

void Workspace::log(const std::string& line) const {
  const std::string path = parts_folder() + "/" + runs_name;
  const int file = ::open(path.c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0644);
  const bool written = file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const int code = errno;
  if (file >= 0) ::close(file);
  if (!written)
    throw WriteError("cannot write " + path + ": " + std::strerror(code) +
                     "; free some space or choose another place with -o");
}

Workspace::MergeReport Workspace::merge(const study::Study& study, const std::vector<engine::Experiment>& experiments,
                                        const std::vector<std::string>& folders, Missing missing, Mixed mixed) const {
  MergeReport report;
  std::optional<ResultsFile> old;
  std::error_code error;
  ResultsContents contents{study, experiments, nullptr, {}, {}, {}};
  const auto take_numerics = [&](const std::string& numerics, const std::string& where) {
    if (contents.numerics.empty()) contents.numerics = numerics;
    if (contents.numerics != numerics && mixed == Mixed::refuse)
      throw InputError("parts made by different programs or processors, last bits may differ: '" + where + "' (" +
                       numerics + ", others " + contents.numerics + "); merge with --allow-mixed if that is fine");
  };
  if (fs::exists(out_, error)) {
    old.emplace(out_);
    require_same(study, study_from(old->study_text(), out_), out_);
    report.rows = old->completed();
    contents.old = &*old;
    contents.runs = old->runs();
    if (report.rows.count() > 0) take_numerics(old->numerics(), out_);
  }
  for (const auto& folder : folders) {
    contents.runs += read_text_file(folder + "/" + runs_name);
    for (const auto& source : parts_in(folder)) {
      take_numerics(verify_part(source.path, source.part, study.hash()), source.path);
      if (source.part.cell >= static_cast<int>(experiments.size()) || source.part.end > study.trajectories())
        throw InputError("part outside the study: '" + source.path + "'; merge with the study it belongs to");
      report.rows.add(source.part.cell, source.part.first, source.part.end);
      contents.sources.push_back(source);
    }
  }
  report.n_parts = static_cast<std::int64_t>(contents.sources.size());
  const std::int64_t wanted = study.trajectories() * static_cast<std::int64_t>(experiments.size());
  if (report.rows.count() < wanted && missing == Missing::refuse) return report;
  if (contents.sources.empty() && (!old || old->n_trajectories() == study.trajectories())) {
    if (old) remove_parts();
    if (old || missing == Missing::refuse) return report;
  }
  check_free_space(out_, results_size(study, experiments));
  write_results(out_, contents);
  report.written = true;
  const ResultsFile check(out_);
  if (check.completed().count() != report.rows.count())
    throw WriteError("merged file is not whole: '" + out_ + "'; the parts are kept, merge again");
  remove_parts();
  return report;
}

void Workspace::remove_parts() const {
  std::error_code error;
  for (const auto& source : parts_in(parts_folder())) fs::remove(source.path, error);
  fs::remove(parts_folder() + "/" + study_name, error);
  fs::remove(parts_folder() + "/" + runs_name, error);
  fs::remove(parts_folder(), error);  // stays if somebody else's files are in it
}

}  // namespace mixlab::store
