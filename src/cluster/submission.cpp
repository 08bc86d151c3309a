#include "mixlab/cluster/submission.h"

#include <algorithm>

#include "mixlab/cluster/slurm.h"
#include "mixlab/core/text.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::cluster {
namespace {

std::int64_t power_of_ten_up_to(std::int64_t size) {
  std::int64_t power = 1;
  while (10 * power <= size) power *= 10;
  return power;
}

std::string dependency(const char* type, const std::vector<std::string>& jobs) {
  std::string text = type;
  for (const auto& job : jobs) text += ":" + job;
  return text;
}

}  // namespace

std::vector<std::string> Submission::array_options(const SubmittedJob& array) const {
  std::string tasks = ranges_text(array.indices, ",");
  if (array_limit > 0)
    tasks += "%" + std::to_string(std::max<std::int64_t>(1, array_limit / static_cast<std::int64_t>(arrays.size())));
  std::vector<std::string> options = {"--array=" + tasks,
                                      "--output=" + JobFolder::log_pattern(array.offset, largest_array)};
  if (!after.empty()) options.insert(options.end(), {"--dependency=" + after, "--kill-on-invalid-dep=yes"});
  return options;
}

std::vector<std::string> Submission::finish_options() const {
  std::vector<std::string> conditions;
  if (!arrays.empty()) conditions.push_back(dependency("afterok", ids_of(arrays)));
  // One of these may hold a task that failed and is computed again now, so ask only that they end: merge looks itself.
  if (!still_running.empty()) conditions.push_back(dependency("afterany", still_running));
  std::vector<std::string> options = {"--output=finish.log"};
  if (conditions.empty()) return options;
  options.push_back("--dependency=" + join(conditions, ","));
  options.push_back("--kill-on-invalid-dep=yes");
  return options;
}

Submission plan_submission(const std::vector<ShardStatus>& shards, const std::vector<SubmittedJob>& earlier,
                           const Queue& queue, std::int64_t max_array_size) {
  Submission submission;
  submission.largest_array = power_of_ten_up_to(max_array_size);
  const auto n_shards = static_cast<std::int64_t>(shards.size());
  submission.finish = {SubmittedJob::Kind::finish, "", n_shards, 0, {}};
  for (const auto& shard : shards) {
    if (shard.state != ShardState::failed && shard.state != ShardState::missing) continue;
    const std::int64_t offset = shard.index / submission.largest_array * submission.largest_array;
    if (submission.arrays.empty() || submission.arrays.back().offset != offset)
      submission.arrays.push_back({SubmittedJob::Kind::array, "", n_shards, offset, {}});
    submission.arrays.back().indices.push_back(shard.index - offset);
  }
  for (const auto& job : earlier) {
    const bool is_array = job.kind == SubmittedJob::Kind::array;
    bool is_live = false;
    for (const auto& task : queue.tasks) {
      if (task.job != job.id) continue;
      is_live = is_live || task.is_live();
      if (task.is_stuck()) submission.stuck.push_back(is_array ? task.name() : task.job);
    }
    if (is_live) (is_array ? submission.still_running : submission.finishing).push_back(job.id);
  }
  return submission;
}

void submit(Submission& submission, const JobSettings& settings, const JobFolder& folder) {
  store::write_text(folder.array_script_path(), array_script(settings));
  store::write_text(folder.finish_script_path(), finish_script(settings));
  cancel_jobs(submission.finishing);
  cancel_jobs(submission.stuck);
  try {
    for (auto& array : submission.arrays)
      array.id =
          submit_job(submission.array_options(array), folder.array_script_path(), {std::to_string(array.offset)});
    submission.finish.id = submit_job(submission.finish_options(), folder.finish_script_path());
    for (const auto& array : submission.arrays) folder.add(array);
    folder.add(submission.finish);
  } catch (...) {
    for (const auto& array : submission.arrays)
      if (!array.id.empty()) cancel_jobs({array.id});
    if (!submission.finish.id.empty()) cancel_jobs({submission.finish.id});
    throw;
  }
}

}  // namespace mixlab::cluster
