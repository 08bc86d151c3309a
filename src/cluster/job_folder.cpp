#include "mixlab/cluster/job_folder.h"

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "mixlab/cluster/slurm.h"
#include "mixlab/core/error.h"
#include "mixlab/core/file.h"
#include "mixlab/core/parameter.h"
#include "mixlab/core/text.h"
#include "mixlab/store/output_place.h"
#include "mixlab/store/provenance.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::cluster {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "jobs.txt";
constexpr std::size_t largest_list = 64 << 20;
constexpr std::size_t most_tasks = 10'000'000;  // of all arrays: every shard a hundred times
constexpr int digits = 5;                       // of a shard in the name of its log

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  if (!is_there(path)) return lines;
  std::istringstream stream(read_text_file(path, largest_list, Links::refused));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// "2026-01-31T12:00:00Z array 17 shards 8 from 0 tasks 0-7" or "... finish 18 shards 8"
std::string line_of(const SubmittedJob& job) {
  const bool is_array = job.kind == SubmittedJob::Kind::array;
  std::string line =
      store::utc_now() + (is_array ? " array " : " finish ") + job.id + " shards " + std::to_string(job.n_shards);
  if (is_array) line += " from " + std::to_string(job.offset) + " tasks " + ranges_text(job.indices, ",");
  return line;
}

/// As Slurm numbers jobs; another word could be read as an option of squeue or scancel.
bool is_job_id(const std::string& word) {
  return !word.empty() && word.size() < 19 && word.find_first_not_of("0123456789") == std::string::npos;
}

/// False for what line_of would not write, as a line of somebody else may be.
bool parse_line(const std::string& line, SubmittedJob& job) {
  const auto words = split_blanks(line);
  if (words.size() < 5 || words[3] != "shards" || !is_job_id(words[2])) return false;
  const auto n_shards = parse_integer(words[4]);
  if (!n_shards || *n_shards < 1 || *n_shards > most_shards) return false;
  job.n_shards = *n_shards;
  job.id = words[2];
  if (words[1] == "finish") {
    job.kind = SubmittedJob::Kind::finish;
    return words.size() == 5;
  }
  if (words[1] != "array" || words.size() != 9) return false;
  const auto offset = parse_integer(words[6]);
  const auto indices = parse_ranges(words[8]);
  if (!offset || *offset < 0 || *offset >= *n_shards || !indices ||
      indices->size() > static_cast<std::size_t>(*n_shards))
    return false;
  for (const std::int64_t index : *indices)
    if (index >= *n_shards - *offset) return false;
  job.offset = *offset;
  job.indices = *indices;
  return true;
}

}  // namespace

JobFolder::JobFolder(const std::string& out) : path_(out + ".jobs") {}

std::string JobFolder::log_path(std::int64_t shard) const {
  char name[32];
  std::snprintf(name, sizeof name, "/shard-%0*lld.log", digits, static_cast<long long>(shard));
  return path_ + name;
}

std::string JobFolder::log_pattern(std::int64_t offset, std::int64_t largest_array) {
  int low = 0;  // digits that the array index fills in
  for (std::int64_t size = largest_array; size >= 10 && low < digits; size /= 10) ++low;
  char name[64];
  if (low == digits)
    std::snprintf(name, sizeof name, "shard-%%%da.log", digits);
  else
    std::snprintf(name, sizeof name, "shard-%0*lld%%%da.log", digits - low,
                  static_cast<long long>(offset / largest_array), low);
  return name;
}

std::vector<SubmittedJob> JobFolder::jobs() const {
  const std::string path = path_ + "/" + list_name;
  std::vector<SubmittedJob> jobs;
  std::size_t n_tasks = 0;
  for (const auto& line : lines_of(path)) {
    SubmittedJob job;
    if (!parse_line(line, job)) continue;
    n_tasks += job.indices.size();
    if (n_tasks > most_tasks)
      throw InputError("list of jobs too long: '" + path + "' (at most " + std::to_string(most_tasks) +
                       " tasks); delete it if the jobs are over");
    jobs.push_back(std::move(job));
  }
  return jobs;
}

void JobFolder::create() const {
  store::refuse_links_of_others(path_);
  std::error_code error;
  fs::create_directory(path_, error);
  if (!fs::is_directory(path_, error))
    throw WriteError("cannot create folder '" + path_ +
                     "' (needed for job scripts and logs); choose another place with -o");
}

void JobFolder::add(const SubmittedJob& job) const {
  std::string text;
  for (const auto& line : lines_of(path_ + "/" + list_name)) text += line + "\n";
  store::write_text(path_ + "/" + list_name, text + line_of(job) + "\n");
}

}  // namespace mixlab::cluster
