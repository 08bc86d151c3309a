#include "mixlab/cluster/shards.h"
#include "mixlab/core/text.h"

#include <filesystem>
#include <map>

namespace mixlab::cluster {
namespace {

using TaskName = std::pair<std::string, std::int64_t>;

std::map<TaskName, QueuedTask> by_name(const Queue& queue, const std::vector<QueuedTask>& history) {
  std::map<TaskName, QueuedTask> tasks;
  for (const auto& task : queue.tasks) tasks[{task.job, task.index}] = task;
  for (const auto& task : history) tasks.insert({{task.job, task.index}, task});
  return tasks;
}

void describe(ShardStatus& shard, const QueuedTask& task) {
  shard.node = task.node;
  shard.word = task.state;
  if ((task.is_pending() || task.is_stuck()) && !task.reason.empty() && task.reason != "None")
    shard.word += " (" + task.reason + ")";
  if (shard.state == ShardState::done) return;
  shard.state = task.is_running() ? ShardState::running : task.is_pending() ? ShardState::queued : ShardState::failed;
}

}  // namespace

const char* name_of(ShardState state) {
  switch (state) {
    case ShardState::done:
      return "done";
    case ShardState::running:
      return "running";
    case ShardState::queued:
      return "queued";
    case ShardState::failed:
      return "failed";
    case ShardState::missing:
      break;
  }
  return "missing";
}

std::vector<ShardStatus> count_shards(const study::Study& study, const std::vector<std::int64_t>& part_sizes,
                                      const study::Goal& goal, const study::RowRanges& done, std::int64_t n_shards) {
  std::vector<ShardStatus> shards(static_cast<std::size_t>(n_shards));
  for (std::size_t i = 0; i < shards.size(); ++i) shards[i].index = static_cast<std::int64_t>(i);
  const auto shard_of = [&](const study::Part& part) -> ShardStatus& {
    return shards[static_cast<std::size_t>(part.number % n_shards)];
  };
  for (const auto& part : study::missing_parts(study, part_sizes, goal.wanted_per_cell(), {})) {
    shard_of(part).total += part.size();
    shard_of(part).done += part.size();
  }
  for (const auto& part : study::missing_parts(study, part_sizes, goal.wanted_per_cell(), done))
    shard_of(part).done -= part.size();
  for (auto& shard : shards) shard.state = shard.done == shard.total ? ShardState::done : ShardState::missing;
  return shards;
}

void describe_shards(std::vector<ShardStatus>& shards, const JobFolder& folder, const Queue& queue,
                     const std::vector<QueuedTask>& history) {
  const auto tasks = by_name(queue, history);
  for (const auto& job : folder.jobs()) {  // later jobs replace what earlier ones said
    if (job.kind != SubmittedJob::Kind::array || job.n_shards != static_cast<std::int64_t>(shards.size())) continue;
    for (const auto index : job.indices) {
      if (job.offset + index >= job.n_shards) continue;
      ShardStatus& shard = shards[static_cast<std::size_t>(job.offset + index)];
      shard.job = job.id + "_" + std::to_string(index);
      shard.node.clear();
      shard.word.clear();
      if (shard.state != ShardState::done) shard.state = ShardState::missing;
      if (const auto task = tasks.find({job.id, index}); task != tasks.end()) describe(shard, task->second);
    }
  }
  std::error_code error;
  for (auto& shard : shards)
    if (shard.state == ShardState::missing && queue.reachable &&
        std::filesystem::exists(folder.log_path(shard.index), error))
      shard.state = ShardState::failed;
}

std::vector<std::string> ids_of(const std::vector<SubmittedJob>& jobs) {
  std::vector<std::string> ids;
  for (const auto& job : jobs) ids.push_back(job.id);
  return ids;
}

}  // namespace mixlab::cluster
