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

// In the folder of parts: the study as it takes effect, the user's own file, what --set said, and the log of runs.
constexpr const char* study_name = "study.cfg";
constexpr const char* original_name = "original.cfg";
constexpr const char* overrides_name = "overrides.txt";
constexpr const char* runs_prefix = "runs";  // runs.log, of a shard runs-3-of-8.log
constexpr const char* runs_suffix = ".log";
// Files that the study names: "file-N" each, and a list of "N path".
constexpr const char* files_name = "files.txt";
constexpr const char* file_prefix = "file-";

std::string read_text_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const auto& line : study::split(text, '\n'))
    if (!line.empty()) lines.push_back(line);
  return lines;
}

/// The study behind `effective`; if the user's own file still gives it, with that file and its overrides.
study::Study study_from(const std::string& effective, const std::string& original, const std::string& overrides,
                        const study::Attachments& files, const std::string& where) {
  study::Study study(study::parse_study_text(effective, where, {}, files));
  try {
    // A study without a name is named after its file.
    study::Study own(study::parse_study_text(original, study.name() + ".cfg", lines_of(overrides), files));
    if (own.hash() == study.hash() && own.trajectories() == study.trajectories()) return own;
  } catch (const InputError&) {
  }
  return study;
}

study::Study study_in_results(const std::string& path) {
  const ResultsFile results(path);
  return study_from(results.study_text(), results.file().text_attribute("study_file"),
                    results.file().text_attribute("study_overrides"), results.files(), path);
}

study::Study study_in_folder(const std::string& folder) {
  const auto read = [&](const char* name) { return read_text_file(folder + "/" + name); };
  study::Attachments files;
  for (const auto& line : lines_of(read(files_name))) {
    const auto blank = line.find(' ');
    if (blank != std::string::npos)
      files.add(line.substr(blank + 1), read_text_file(folder + "/" + file_prefix + line.substr(0, blank)));
  }
  return study_from(read(study_name), read(original_name), read(overrides_name), files, folder + "/" + study_name);
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

void remove_leftovers_in(const fs::path& folder, const std::string& prefix) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(prefix) && left_by_the_dead(name)) fs::remove(entry.path(), error);
  }
}

std::vector<std::string> run_logs_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(runs_prefix) && name.ends_with(runs_suffix)) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
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

Workspace::Workspace(const std::string& out) : out_(out) {
  std::error_code error;
  if (fs::is_symlink(out, error)) out_ = fs::weakly_canonical(out, error);
}

void Workspace::require_same_study(const study::Study& study) const {
  std::error_code error;
  if (!fs::is_directory(folder_of(out_), error))
    throw InputError("no such folder: '" + folder_of(out_) + "' (must exist to hold " + out_ +
                     "); create it or choose another with -o");
  if (fs::is_directory(out_, error))
    throw InputError("bad output: '" + out_ + "' (is a folder); give a file name with -o");
  if (exists(out_)) require_same(study, study_in_results(out_), out_);
  if (exists(parts_folder() + "/" + study_name)) require_same(study, study_in_folder(parts_folder()), parts_folder());
}

void Workspace::require_same_numerics(const std::string& numerics) const {
  const auto check = [&](const std::string& theirs, const std::string& where) {
    if (theirs != numerics)
      throw InputError("rows made by another program or processor, last bits may differ: '" + where + "' (" + theirs +
                       "; this is " + numerics + "); go on there, or allow it with --allow-mixed");
  };
  if (exists(out_)) {
    const ResultsFile results(out_);
    if (results.completed().count() > 0) check(results.numerics(), out_);
  }
  for (const auto& source : parts_in(parts_folder())) {
    check(Reader(source.path).text_attribute("numerics"), source.path);
    break;
  }
}

void Workspace::open_for(const study::Study& study) const {
  require_same_study(study);
  std::error_code error;
  fs::create_directory(parts_folder(), error);
  if (!fs::is_directory(parts_folder(), error))
    throw WriteError("cannot create folder '" + parts_folder() + "': " + std::strerror(error ? error.value() : EEXIST) +
                     " (needed for the parts of the study); choose another place with -o");
  const std::string stored = parts_folder() + "/" + study_name;
  if (!exists(stored) || study_in_folder(parts_folder()).trajectories() != study.trajectories()) {
    std::string overrides;
    for (const auto& text : study.file().overrides) overrides += text + "\n";
    std::string list;
    int n_files = 0;
    for (const auto& [path, text] : study.files().all()) {
      write_text(parts_folder() + "/" + file_prefix + std::to_string(n_files), text);
      list += std::to_string(n_files++) + " " + path + "\n";
    }
    write_text(parts_folder() + "/" + files_name, list);
    write_text(parts_folder() + "/" + original_name, study.file().text);
    write_text(parts_folder() + "/" + overrides_name, overrides);
    write_text(stored, study.effective_text());
  }
  remove_leftovers();
}

study::Study Workspace::stored_study(const std::vector<std::string>& folders) const {
  std::optional<study::Study> largest;
  const auto consider = [&](study::Study study, const std::string& where) {
    if (!largest) {
      largest = std::move(study);
    } else if (study.trajectories() > largest->trajectories()) {
      require_same(study, *largest, where);
      largest = std::move(study);
    }
  };
  if (exists(out_)) consider(study_in_results(out_), out_);
  std::vector<std::string> all = {parts_folder()};
  all.insert(all.end(), folders.begin(), folders.end());
  for (const auto& folder : all)
    if (exists(folder + "/" + study_name)) consider(study_in_folder(folder), folder);
  if (!largest)
    throw InputError("nothing to be found at '" + out_ + "' (neither the file nor the folder " + parts_folder() +
                     " exists); check the path, or run the study first");
  return *largest;
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
  // Parts first: a part that is merged and removed meanwhile is then found in OUT.h5.
  const auto sources = parts_in(parts_folder());
  study::Rows rows;
  if (exists(out_)) rows = ResultsFile(out_).completed();
  for (const auto& source : sources) rows.add(source.part.cell, source.part.first, source.part.end);
  return rows;
}

bool Workspace::complete(const study::Study& study) const {
  if (!exists(out_)) return false;
  const ResultsFile results(out_);
  return results.study_hash() == study.hash() &&
         results.completed().count() >= study.trajectories() * static_cast<std::int64_t>(study.cells().size());
}

std::vector<std::string> Workspace::set_aside_damaged(const study::Study& study,
                                                      const std::vector<std::int64_t>& part_sizes,
                                                      study::Shard shard) const {
  study::Rows others;
  if (shard.count > 1) {
    for (const auto& part : study::missing_parts(study, part_sizes, {}))
      if (part.number % shard.count != shard.index) others.add(part.cell, part.first, part.end);
  }
  std::vector<std::string> words;
  for (const auto& source : parts_in(parts_folder())) {
    if (others.missing(source.part.cell, source.part.first, source.part.end).empty()) continue;
    try {
      verify_seal(source.path);
    } catch (const InputError&) {
      if (!exists(source.path)) continue;  // merged by another process meanwhile
      if (::rename(source.path.c_str(), (source.path + ".damaged").c_str()) != 0)
        throw WriteError("cannot set aside damaged part '" + source.path + "': " + std::strerror(errno) +
                         "; delete it");
      words.push_back("damaged part set aside and computed again: " + source.path);
      continue;
    }
    try {
      verify_part(source.path, source.part, study.hash());
    } catch (const InputError&) {
      if (exists(source.path)) throw;
    }
  }
  return words;
}

void Workspace::log(const std::string& line, study::Shard shard) const {
  std::string path = parts_folder() + "/" + runs_prefix;
  if (shard.count > 1) path += "-" + std::to_string(shard.index) + "-of-" + std::to_string(shard.count);
  path += runs_suffix;
  const int file = ::open(path.c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0644);
  const bool written = file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const int code = errno;
  if (file >= 0) ::close(file);
  if (!written)
    throw WriteError("cannot write " + path + ": " + std::strerror(code) +
                     "; free some space or choose another place with -o");
}

MergeReport Workspace::merge(const study::Study& study, const std::vector<engine::Experiment>& experiments,
                             const std::vector<std::string>& folders, Missing missing, Mixed mixed) const {
  const auto before = parts_in(parts_folder());
  try {
    return merge_once(study, experiments, folders, missing, mixed);
  } catch (const InputError&) {
    // Another process may have merged the same parts and removed them under our hands.
    const bool vanished =
        std::any_of(before.begin(), before.end(), [](const RowSource& source) { return !exists(source.path); });
    if (!vanished || !complete(study)) throw;
    return {ResultsFile(out_).completed(), 0, false};
  }
}

MergeReport Workspace::merge_once(const study::Study& study, const std::vector<engine::Experiment>& experiments,
                                  const std::vector<std::string>& folders, Missing missing, Mixed mixed) const {
  remove_leftovers();
  MergeReport report;
  std::optional<ResultsFile> old;
  ResultsContents contents{study, experiments, nullptr, {}, {}, {}};
  const auto take_numerics = [&](const std::string& numerics, const std::string& where) {
    if (contents.numerics.empty()) contents.numerics = numerics;
    if (contents.numerics.find(numerics) != std::string::npos) return;
    if (mixed == Mixed::refuse)
      throw InputError("parts made by different programs or processors, last bits may differ: '" + where + "' (" +
                       numerics + ", others " + contents.numerics + "); merge with --allow-mixed if that is fine");
    contents.numerics += " | " + numerics;
  };
  if (exists(out_)) {
    old.emplace(out_);
    require_same(study, study_from(old->study_text(), "", "", old->files(), out_), out_);
    report.rows = old->completed();
    contents.old = &*old;
    contents.runs = old->runs();
    if (report.rows.count() > 0) take_numerics(old->numerics(), out_);
  }
  const std::int64_t n_old = report.rows.count();
  for (const auto& folder : folders) {
    for (const auto& path : run_logs_in(folder)) {
      const std::string runs = read_text_file(path);
      if (contents.runs.find(runs) == std::string::npos) contents.runs += runs;
    }
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
  if (old && report.rows.count() == n_old && old->n_trajectories() == study.trajectories()) {
    remove_parts();
    return report;
  }
  check_free_space(out_, results_size(study, experiments));
  write_results(out_, contents);
  report.written = true;
  if (ResultsFile(out_).completed().count() != report.rows.count())
    throw WriteError("merged file is not whole: '" + out_ + "'; the parts are kept, merge again");
  remove_parts();
  return report;
}

void Workspace::remove_leftovers() const {
  remove_leftovers_in(parts_folder(), "");
  remove_leftovers_in(folder_of(out_), fs::path(out_).filename());
}

void Workspace::remove_parts() const {
  std::error_code error;
  for (const auto& source : parts_in(parts_folder())) fs::remove(source.path, error);
  for (const char* name : {study_name, original_name, overrides_name, files_name})
    fs::remove(parts_folder() + "/" + name, error);
  for (const auto& path : run_logs_in(parts_folder())) fs::remove(path, error);
  for (int i = 0; fs::remove(parts_folder() + "/" + file_prefix + std::to_string(i), error); ++i) {
  }
  fs::remove(parts_folder(), error);  // stays if somebody else's files are in it
}

}  // namespace mixlab::store
