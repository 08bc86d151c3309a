#include "shards.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>

#include "mixlab/core/text.h"
#include "mixlab/engine/cost.h"
#include "mixlab/engine/experiment.h"

namespace mixlab::cli {
namespace {

using cluster::ShardState;

constexpr std::size_t most_shown = 20;

std::string last_line(const std::string& path) {
  std::ifstream stream(path);
  std::string last;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) last = line;
  return last;
}

std::string counts_text(const std::vector<cluster::ShardStatus>& shards) {
  std::map<ShardState, int> counts;
  for (const auto& shard : shards) ++counts[shard.state];
  return join(counts, ", ", [](const auto& item) { return std::to_string(item.second) + " " + name_of(item.first); });
}

/// The report of a study as it was last submitted; no shards if it never was.
ShardReport report_submitted(const study::Study& study, const store::Workspace& workspace) {
  const auto jobs = cluster::JobFolder(workspace.out()).jobs();
  if (jobs.empty()) return {};
  const auto sizes = engine::part_sizes(engine::make_experiments(study));
  return report_shards(study, sizes, workspace, jobs.back().n_shards);
}

void print_shard(const cluster::ShardStatus& shard, const cluster::JobFolder& folder) {
  std::cout << text("  shard %-5lld %9lld / %-9lld %-8s %-10s %-8s %s\n", static_cast<long long>(shard.index),
                    static_cast<long long>(shard.done), static_cast<long long>(shard.total), name_of(shard.state),
                    shard.job.c_str(), shard.node.c_str(), shard.word.c_str());
  if (shard.state != ShardState::failed) return;
  const std::string log = folder.log_path(shard.index);
  std::cout << "    log " << log << ": " << last_line(log) << "\n";
}

}  // namespace

ShardReport report_shards(const study::Study& study, const std::vector<std::int64_t>& part_sizes,
                          const store::Workspace& workspace, std::int64_t n_shards) {
  ShardReport report;
  const cluster::JobFolder folder(workspace.out());
  report.jobs = folder.jobs();
  report.queue = cluster::read_queue(cluster::ids_of(report.jobs));
  // The queue first: a shard that ends in between is then seen as done, not as lost.
  report.shards = cluster::count_shards(study, part_sizes, workspace.goal(study), workspace.done(), n_shards);
  cluster::describe_shards(report.shards, folder, report.queue, {});
  const auto is_lost = [](const cluster::ShardStatus& shard) {
    return shard.state == ShardState::failed && shard.word.empty();
  };
  if (std::any_of(report.shards.begin(), report.shards.end(), is_lost))
    cluster::describe_shards(report.shards, folder, report.queue, cluster::read_history(cluster::ids_of(report.jobs)));
  return report;
}

void require_one_cut(const ShardReport& report, std::int64_t n_shards) {
  for (const auto& job : report.jobs) {
    if (job.n_shards == n_shards || job.kind == cluster::SubmittedJob::Kind::finish) continue;
    for (const auto& task : report.queue.tasks)
      if (task.job == job.id && task.is_live())
        throw InputError("bad --shards: '" + std::to_string(n_shards) + "' (job " + job.id +
                         " in the queue cuts the study into " + std::to_string(job.n_shards) +
                         "); leave it out, or first scancel " + job.id);
  }
}

void print_shards(const study::Study& study, const store::Workspace& workspace) {
  const auto report = report_submitted(study, workspace);
  if (report.shards.empty()) return;
  const cluster::JobFolder folder(workspace.out());
  std::cout << report.shards.size() << " shards: " << counts_text(report.shards)
            << (report.queue.reachable ? "" : " (by the files: Slurm cannot be reached from here)") << "\n";
  const auto is_done = [](const cluster::ShardStatus& shard) { return shard.state == ShardState::done; };
  if (workspace.complete(study) && std::all_of(report.shards.begin(), report.shards.end(), is_done)) return;
  std::size_t n_shown = 0;
  for (const auto& shard : report.shards) {
    if (shard.state == ShardState::done && report.shards.size() > most_shown) continue;
    if (shard.state != ShardState::failed && ++n_shown > most_shown) continue;
    print_shard(shard, folder);
  }
  if (n_shown > most_shown) std::cout << "  and " << n_shown - most_shown << " more that are not done\n";
  const auto& last = report.jobs.back();
  for (const auto& task : report.queue.tasks)
    if (task.job == last.id && last.kind == cluster::SubmittedJob::Kind::finish)
      std::cout << "  merge and check: job " << last.id << " " << task.state
                << (task.is_pending() ? " (" + task.reason + ")" : "") << ", log " << folder.finish_log_path() << "\n";
  for (const auto& shard : report.shards)
    if (shard.state == ShardState::failed || shard.state == ShardState::missing) {
      std::cout << "to compute what is missing: mixlab submit " << shell_word(workspace.out()) << "\n";
      break;
    }
}

std::string shards_json(const study::Study& study, const store::Workspace& workspace) {
  const auto report = report_submitted(study, workspace);
  if (report.shards.empty()) return "";
  const cluster::JobFolder folder(workspace.out());
  const auto object = [&](const cluster::ShardStatus& shard) {
    return text("{\"shard\": %lld, \"done\": %lld, \"total\": %lld, \"state\": ", static_cast<long long>(shard.index),
                static_cast<long long>(shard.done), static_cast<long long>(shard.total)) +
           json(name_of(shard.state)) + ", \"job\": " + json(shard.job) + ", \"node\": " + json(shard.node) +
           ", \"slurm\": " + json(shard.word) + ", \"log\": " + json(folder.log_path(shard.index)) + "}";
  };
  return ", \"slurm_reachable\": " + std::string(report.queue.reachable ? "true" : "false") + ", \"shards\": [" +
         join(report.shards, ", ", object) + "]";
}

}  // namespace mixlab::cli
