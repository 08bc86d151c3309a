#include "mixlab/cluster/job_folder.h"

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "mixlab/cluster/slurm.h"
#include "mixlab/core/error.h"
#include "mixlab/core/file.h"
#include "mixlab/core/parameter.h"
#include "mixlab/core/text.h"
#include "mixlab/store/provenance.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::cluster {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "jobs.txt";
constexpr std::size_t largest_list = 64 << 20;
constexpr int digits = 5;  // of a shard in the name of its log

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::error_code none;
  if (!fs::exists(path, none)) return lines;
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

bool parse_line(const std::string& line, SubmittedJob& job) {
  const auto words = split_blanks(line);
  if (words.size() < 5 || words[3] != "shards") return false;
  const auto n_shards = parse_integer(words[4]);
  if (!n_shards || *n_shards < 1) return false;
  job.n_shards = *n_shards;
  job.id = words[2];
  if (words[1] == "finish") {
    job.kind = SubmittedJob::Kind::finish;
    return words.size() == 5;
  }
  if (words[1] != "array" || words.size() != 9) return false;
  const auto offset = parse_integer(words[6]);
  const auto indices = parse_ranges(words[8]);
  if (!offset || !indices) return false;
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
  std::vector<SubmittedJob> jobs;
  for (const auto& line : lines_of(path_ + "/" + list_name)) {
    SubmittedJob job;
    if (parse_line(line, job)) jobs.push_back(std::move(job));
  }
  return jobs;
}

void JobFolder::create() const {
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
