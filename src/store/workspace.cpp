#include "mixlab/store/workspace.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

#include "mixlab/core/error.h"
#include "mixlab/core/file.h"
#include "mixlab/core/text.h"
#include "mixlab/store/folder_lock.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/output_place.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/provenance.h"
#include "mixlab/store/scratch.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/store/stored_study.h"
#include "mixlab/study/goal.h"

namespace mixlab::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* runs_prefix = "runs";  // runs.log, of a shard runs-3-of-8.log
constexpr const char* runs_suffix = ".log";
constexpr const char* damaged_mark = ".damaged";
constexpr std::size_t largest_log = 64 << 20;
constexpr const char* numerics_separator = " | ";

/// The programs and processors that made rows, as the attribute `numerics` of a results file joins them.
std::vector<std::string> each_of(const std::string& numerics) {
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (std::size_t end; (end = numerics.find(numerics_separator, begin)) != std::string::npos;) {
    all.push_back(numerics.substr(begin, end - begin));
    begin = end + std::string_view(numerics_separator).size();
  }
  all.push_back(numerics.substr(begin));
  return all;
}

/// Adds the lines of a file that are not in `lines` yet.
void add_lines(std::string& lines, const std::string& path) {
  std::istringstream stream(read_text_file(path, largest_log, Links::refused));
  for (std::string line; std::getline(stream, line);)
    if (("\n" + lines).find("\n" + line + "\n") == std::string::npos) lines += line + "\n";
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

std::vector<std::string> run_logs_in(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& name : names_in(folder))
    if (name.starts_with(runs_prefix) && name.ends_with(runs_suffix)) paths.push_back(folder + "/" + name);
  return paths;
}

/// Throws InputError if there is a folder that cannot be read: its parts must not pass for missing.
void require_readable(const std::string& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error) && ::access(folder.c_str(), R_OK | X_OK) != 0)
    throw InputError("cannot read folder '" + folder + "': " + std::strerror(errno) + "; check its permissions");
}

/// What the study of a results file asked for first; nothing if it holds no row, so that nobody can have looked.
std::optional<std::int64_t> declared_in(const ResultsFile& results) {
  const auto per_cell = results.n_declared();
  if (per_cell.empty() || results.completed().count() == 0) return {};
  return *std::min_element(per_cell.begin(), per_cell.end());
}

/// Where `out` may have been in the making.
std::vector<std::string> folders_of_temporaries(const std::string& out) {
  std::vector<std::string> folders = {folder_of(out)};
  std::error_code error;
  for (const auto& folder : scratch_folders(out))
    if (!fs::equivalent(folder, folders[0], error)) folders.push_back(folder);
  return folders;
}

}  // namespace

void require_folder_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(folder_of(path), error))
    throw InputError("no such folder: '" + folder_of(path) + "' (must exist to hold " + path +
                     "); create it or choose another with -o");
  if (::access(folder_of(path).c_str(), X_OK) != 0)
    throw WriteError("cannot write '" + path + "': " + std::strerror(errno) + "; choose another place with -o");
}

std::string report_folder(const std::string& out) {
  return fs::path(out).replace_extension().string() + "-report";
}

void check_free_space(const std::string& path, double bytes) {
  struct statvfs space {};
  if (statvfs(folder_of(path).c_str(), &space) != 0) return;
  const double free = static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize);
  if (free < bytes)
    throw WriteError("not enough space for " + path + ": " + std::to_string(static_cast<long long>(free / 1e6)) +
                     " MB free (needs up to " + std::to_string(static_cast<long long>(bytes / 1e6) + 1) +
                     " MB); free some or choose another place with -o");
}

Workspace::Workspace(const std::string& out, Notice notice, GoalOf goal_of)
    : out_(resolve_output(out)), notice_(std::move(notice)), goal_of_(std::move(goal_of)) {
  refuse_links_of_others(parts_folder());
  require_readable(parts_folder());
}

void Workspace::require_same_study(const study::Study& study) const {
  require_folder_of(out_);
  std::error_code error;
  if (fs::is_directory(out_, error))
    throw InputError("bad output: '" + out_ + "' (is a folder); give a file name with -o");
  if (is_there(out_)) require_same(study, study_in(ResultsFile(out_)), out_);
  if (folder_has_study(parts_folder())) require_same(study, study_in_folder(parts_folder()), parts_folder());
}

void Workspace::require_same_numerics(const std::string& numerics) const {
  const auto check = [&](const std::string& theirs, const std::string& where) {
    if (theirs != numerics)
      throw InputError("rows made by another program or processor, last bits may differ: '" + where + "' (" + theirs +
                       "; this is " + numerics + "); go on there, or allow it with --allow-mixed");
  };
  if (is_there(out_)) {
    const ResultsFile results(out_);
    if (results.completed().count() > 0) check(results.numerics(), out_);
  }
  for (const auto& source : parts_in(parts_folder())) {
    std::string theirs;
    try {
      theirs = open_guarded(source.path, Links::refused).text_attribute("numerics");
    } catch (const DamagedFile&) {  // of another shard, which will set it aside
      continue;
    } catch (const InputError&) {
      if (is_there(source.path)) throw;  // else merged by another process meanwhile
      continue;
    }
    return check(theirs, source.path);
  }
}

Presence Workspace::open_for(const study::Study& study, study::Shard shard) const {
  const auto is_prepared = [&] {
    if (!folder_has_study(parts_folder())) return false;
    const study::Study there = study_in_folder(parts_folder());
    return there.trajectories() == study.trajectories() && stops_at_verdict(there) == stops_at_verdict(study);
  };
  if (shard.count > 1 && is_prepared()) return Presence(parts_folder());
  const FolderLock lock(parts_folder(), wait_notice());
  require_same_study(study);
  std::error_code error;
  fs::create_directory(parts_folder(), error);
  const int reason = error ? error.value() : EEXIST;
  if (!fs::is_directory(parts_folder(), error))
    throw WriteError("cannot create folder '" + parts_folder() + "': " + std::strerror(reason) +
                     " (needed for the parts of the study); choose another place with -o");
  remove_leftovers(OtherMachines::keep);
  if (!is_prepared()) write_study(parts_folder(), study);
  return Presence(parts_folder());
}

study::Study Workspace::stored_study(const std::vector<std::string>& folders) const {
  std::optional<study::Study> largest;
  const auto consider = [&](study::Study study, const std::string& where) {
    if (!largest) {
      largest = std::move(study);
    } else if (study.trajectories() == largest->trajectories() && study.hash() == largest->hash()) {
      largest = std::move(study);  // what the last run said about stopping
    } else if (study.trajectories() > largest->trajectories()) {
      require_same(study, *largest, where);
      largest = std::move(study);
    }
  };
  if (is_there(out_)) consider(study_in(ResultsFile(out_)), out_);
  std::vector<std::string> all = {parts_folder()};
  for (const auto& folder : folders) {
    require_readable(folder);
    all.push_back(folder);
  }
  for (const auto& folder : all)
    if (folder_has_study(folder)) consider(study_in_folder(folder), folder);
  if (!largest)
    throw InputError("nothing to be found at '" + out_ + "' (neither the file nor the folder " + parts_folder() +
                     " exists); check the path, or run the study first");
  return *largest;
}

std::int64_t Workspace::n_declared(const study::Study& study) const {
  std::int64_t n = std::min(study.trajectories(), declared_in_folder(parts_folder()).value_or(study.trajectories()));
  if (is_there(out_)) n = std::min(n, declared_in(ResultsFile(out_)).value_or(n));
  return n;
}

std::vector<RowSource> Workspace::parts_in(const std::string& folder) {
  std::vector<RowSource> sources;
  for (const auto& name : names_in(folder))
    if (const auto part = study::parse_file_name(name)) sources.push_back({folder + "/" + name, *part});
  return sources;
}

std::vector<study::Part> Workspace::parts_at_work() const {
  std::vector<study::Part> parts;
  for (const auto& name : names_in(parts_folder())) {
    const auto process = parse_process_id(name, temporary_mark);
    if (!process || process->alive() == Alive::no) continue;
    if (const auto part = study::parse_file_name(name.substr(0, name.find(temporary_mark)))) parts.push_back(*part);
  }
  return parts;
}

study::RowRanges Workspace::done() const {
  // Parts first: a part that is merged and removed meanwhile is then found in OUT.h5.
  const auto sources = parts_in(parts_folder());
  study::RowRanges rows;
  if (is_there(out_)) rows = ResultsFile(out_).completed();
  for (const auto& source : sources) rows.add(source.part.cell, source.part.first, source.part.end);
  return rows;
}

study::Goal Workspace::goal(const study::Study& study) const {
  if (!stops_at_verdict(study)) return study::Goal(study);
  const auto sources = parts_in(parts_folder());  // first, as in done()
  std::optional<ResultsFile> results;
  if (is_there(out_)) results.emplace(out_);
  return goal(study, results ? &*results : nullptr, sources);
}

study::Goal Workspace::goal(const study::Study& study, const ResultsFile* results,
                            const std::vector<RowSource>& parts) const {
  return goal_of_ && stops_at_verdict(study) ? goal_of_(study, results, parts) : study::Goal(study);
}

bool Workspace::complete(const study::Study& study) const {
  if (!is_there(out_)) return false;
  const ResultsFile results(out_);
  return study.has_hash(results.study_hash()) && goal(study, &results, {}).met_by(results.completed());
}

void Workspace::set_aside_damaged(const study::Study& study, const std::vector<std::int64_t>& part_sizes,
                                  study::Shard shard) const {
  study::RowRanges others;
  if (shard.count > 1) {
    for (const auto& part : study::missing_parts(study, part_sizes, {}))
      if (part.number % shard.count != shard.index) others.add(part.cell, part.first, part.end);
  }
  for (const auto& source : parts_in(parts_folder())) {
    if (others.missing(source.part.cell, source.part.first, source.part.end).empty()) continue;
    try {
      PartFile(source.path, source.part, study);
    } catch (const DamagedFile&) {
      set_aside(source, study);
    } catch (const InputError&) {
      if (is_there(source.path)) throw;  // else merged by another process meanwhile
    }
  }
}

void Workspace::set_aside(const RowSource& source, const study::Study& study) const {
  const std::string aside = source.path + damaged_mark;
  if (::rename(source.path.c_str(), aside.c_str()) != 0) {
    if (errno == ENOENT) return;
    throw WriteError("cannot set aside damaged part '" + source.path + "': " + std::strerror(errno) + "; delete it");
  }
  try {
    if (!restored(aside, source.part, study)) notice_("damaged part set aside and computed again: " + source.path);
  } catch (...) {  // nobody can say now: it keeps its name
    if (!is_there(source.path, Links::refused)) ::rename(aside.c_str(), source.path.c_str());
    throw;
  }
}

bool Workspace::restored(const std::string& aside, const study::Part& part, const study::Study& study) const {
  try {
    PartFile(aside, part, study);
  } catch (const DamagedFile&) {
    return false;
  }
  const std::string path = parts_folder() + "/" + study::file_name(part);
  if (::link(aside.c_str(), path.c_str()) == 0) {  // never over another one
    ::unlink(aside.c_str());
    return true;
  }
  if (is_there(path)) return false;                             // computed again meanwhile
  if (::rename(aside.c_str(), path.c_str()) == 0) return true;  // no hard links here
  throw SystemError("cannot rename '" + aside + "', which is whole: " + std::strerror(errno) +
                    "; try again when the machine can");
}

void Workspace::log(const std::string& line, study::Shard shard) const {
  std::string path = parts_folder() + "/" + runs_prefix;
  if (shard.count > 1) path += "-" + std::to_string(shard.index) + "-of-" + std::to_string(shard.count);
  path += runs_suffix;
  File::open_shared(path).append(line);
}

MergeReport Workspace::merge(const study::Study& study, const std::vector<engine::CellFacts>& cells,
                             const std::vector<std::string>& folders, Missing missing, Mixed mixed) const {
  const FolderLock lock(parts_folder(), wait_notice());
  const auto before = parts_in(parts_folder());
  try {
    return merge_once(study, cells, folders, missing, mixed);
  } catch (const InputError&) {
    // Where locks do not work, another process may have merged the same parts and removed them under our hands.
    const bool vanished =
        std::any_of(before.begin(), before.end(), [](const RowSource& source) { return !is_there(source.path); });
    if (!vanished || !complete(study)) throw;
    const study::RowRanges rows = ResultsFile(out_).completed();
    return {rows, rows.count(), 0, 0, false};
  }
}

MergeReport Workspace::merge_once(const study::Study& study, const std::vector<engine::CellFacts>& cells,
                                  const std::vector<std::string>& folders, Missing missing, Mixed mixed) const {
  remove_leftovers(OtherMachines::keep);
  MergeReport report;
  std::optional<ResultsFile> old;
  ResultsContents contents{study, cells, nullptr, {}, {}, {}, study.trajectories()};
  std::vector<std::string> known;  // of contents.numerics
  const auto take_numerics = [&](const std::string& numerics, const std::string& where) {
    const auto theirs = each_of(numerics);
    if (known.empty()) known = theirs;
    for (const auto& each : theirs) {
      if (std::find(known.begin(), known.end(), each) != known.end()) continue;
      if (mixed == Mixed::refuse)
        throw InputError("parts made by different programs or processors, last bits may differ: '" + where + "' (" +
                         each + ", others " + contents.numerics + "); merge with --allow-mixed if that is fine");
      known.push_back(each);
    }
    contents.numerics = join(known, numerics_separator);
  };
  const auto take_declared = [&](std::optional<std::int64_t> n) {
    contents.n_declared = std::min(contents.n_declared, n.value_or(contents.n_declared));
  };
  if (is_there(out_)) {
    old.emplace(out_);
    require_same(study, study_in(*old), out_);
    report.rows = old->completed();
    contents.old = &*old;
    contents.runs = old->runs();
    if (report.rows.count() > 0) take_numerics(old->numerics(), out_);
    take_declared(declared_in(*old));
  }
  const std::int64_t n_old = report.rows.count();
  for (const auto& folder : folders) {
    take_declared(declared_in_folder(folder));
    for (const auto& path : run_logs_in(folder)) add_lines(contents.runs, path);
    for (const auto& source : parts_in(folder)) {
      const PartFile part(source.path, source.part, study);
      take_numerics(part.numerics(), source.path);
      take_declared(part.n_declared());
      report.rows.add(source.part.cell, source.part.first, source.part.end);
      contents.sources.push_back(source);
    }
  }
  report.n_parts = static_cast<std::int64_t>(contents.sources.size());
  const study::Goal whole = goal(study, contents.old, contents.sources);
  report.n_wanted = whole.wanted();
  report.n_missing = whole.missing(report.rows);
  if (report.n_missing > 0 && missing == Missing::refuse) return report;
  if (old && report.rows.count() == n_old && old->n_trajectories() == study.trajectories()) {
    remove_merged(study, contents.sources);
    return report;
  }
  check_free_space(out_, results_size(study, cells));
  write_results(out_, contents);
  report.written = true;
  if (ResultsFile(out_).completed().count() != report.rows.count())
    throw WriteError("merged file is not whole: '" + out_ + "'; the parts are kept, merge again");
  remove_merged(study, contents.sources);
  return report;
}

std::vector<Cleaned> Workspace::remove_leftovers(OtherMachines others) const {
  std::vector<Cleaned> all;
  for (const auto& name : names_in(parts_folder())) remove_leftover(parts_folder(), name, others, all);
  const std::string prefix = fs::path(out_).filename().string() + temporary_mark;
  for (const auto& folder : folders_of_temporaries(out_)) {
    const auto cleaned = remove_leftovers_in(folder, prefix, others);
    all.insert(all.end(), cleaned.begin(), cleaned.end());
  }
  return all;
}

void Workspace::remove_leftovers_of_readers(OtherMachines others, std::vector<Cleaned>& all) const {
  const std::string prefix = fs::path(out_).filename().string() + temporary_mark;
  for (const auto& name : names_in(folder_of(out_))) {
    const auto process = parse_process_id(name, temporary_mark);
    if (process && !process->space.empty() && !name.starts_with(prefix))
      remove_leftover(folder_of(out_), name, others, all);
  }
  const std::string report = report_folder(out_);
  for (const auto& folder : {report, report + "/figures"})
    for (const auto& name : names_in(folder)) remove_leftover(folder, name, others, all);
}

void Workspace::remove_merged(const study::Study& study, const std::vector<RowSource>& sources) const {
  std::error_code error;
  for (const auto& source : sources)
    if (fs::path(source.path).parent_path() == parts_folder()) fs::remove(source.path, error);
  remove_the_rest(study);
}

void Workspace::remove_the_rest(const study::Study& study) const {
  const auto workers = workers_in(parts_folder());
  if (!is_there(out_) || !parts_in(parts_folder()).empty() || (!workers.empty() && !complete(study))) return;
  std::error_code error;
  remove_study(parts_folder());
  for (const auto& path : run_logs_in(parts_folder())) fs::remove(path, error);
  for (const auto& worker : workers) fs::remove(worker.path, error);
  if (!complete(study)) return;
  for (const auto& name : names_in(parts_folder())) {  // of other machines: parts whose rows are all here
    const auto process = parse_process_id(name, temporary_mark);
    if (process && process->alive() == Alive::unknown) fs::remove(parts_folder() + "/" + name, error);
  }
}

Cleaned Workspace::clean_aside(const std::string& aside, const study::Study& study) const {
  const std::string path = aside.substr(0, aside.size() - std::strlen(damaged_mark));
  const auto part = study::parse_file_name(fs::path(path).filename());
  if (!part) return {aside, false, "not a part by its name"};
  try {
    if (restored(aside, *part, study)) return {aside, false, "it is whole, and a part again"};
    std::error_code error;
    fs::remove(aside, error);
    return {aside, !error, "a damaged part that was set aside"};
  } catch (const InputError& error) {  // nobody has seen that it is damaged
    return {aside, false, error.what()};
  } catch (const SystemError& error) {
    return {aside, false, error.what()};
  }
}

std::vector<Cleaned> Workspace::clean(OtherMachines others) const {
  const study::Study study = stored_study();
  const FolderLock lock(parts_folder(), wait_notice());
  std::vector<Cleaned> all = remove_leftovers(others);
  remove_leftovers_of_readers(others, all);
  std::error_code error;
  for (const auto& name : names_in(parts_folder())) {
    if (!name.ends_with(damaged_mark)) continue;
    const std::string aside = parts_folder() + "/" + name;
    all.push_back(clean_aside(aside, study));
  }
  std::optional<ResultsFile> results;
  if (is_there(out_)) results.emplace(out_);
  const study::RowRanges merged = results ? results->completed() : study::RowRanges{};
  for (const auto& source : parts_in(parts_folder())) {
    const bool inside = merged.missing(source.part.cell, source.part.first, source.part.end).empty();
    if (inside) PartFile(source.path, source.part, study);
    if (inside) fs::remove(source.path, error);
    all.push_back({source.path, inside, inside ? "its rows are in " + out_ : "its rows are not in " + out_ + " yet"});
  }
  remove_the_rest(study);
  return all;
}

std::function<void(const std::string&)> Workspace::wait_notice() const {
  return
      [this](const std::string& holder) { notice_("waiting for " + holder + ", which is opening or merging " + out_); };
}

}  // namespace mixlab::store
