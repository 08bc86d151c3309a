#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <set>
#include <thread>

#include "mixlab/core/stop.h"
#include "mixlab/core/text.h"
#include "mixlab/engine/progress.h"
#include "shards.h"
#include "visible_stream.h"

namespace mixlab::cli {
namespace {

using std::chrono::steady_clock;
constexpr auto tick = std::chrono::milliseconds(100);
constexpr double shortest_pause = 2, longest_pause = 30;  // seconds between looks: Slurm's controller is everybody's
constexpr double plain_pause = 30;                        // between lines where nobody looks

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

/// The jobs in the queue that will merge and check.
std::vector<cluster::QueuedTask> finishing_tasks(const ShardReport& report) {
  std::set<std::string> finishing;
  for (const auto& job : report.jobs)
    if (job.kind == cluster::SubmittedJob::Kind::finish) finishing.insert(job.id);
  std::vector<cluster::QueuedTask> tasks;
  for (const auto& task : report.queue.tasks)
    if (task.is_live() && finishing.contains(task.job)) tasks.push_back(task);
  return tasks;
}

std::string line_of(const ShardReport& report) {
  std::int64_t done = 0, total = 0;
  std::map<cluster::ShardState, int> counts;
  for (const auto& shard : report.shards) {
    done += shard.done;
    total += shard.total;
    ++counts[shard.state];
  }
  std::string line =
      text("%lld/%lld trajectories %lld%%, shards:", static_cast<long long>(done), static_cast<long long>(total),
           static_cast<long long>(100 * done / std::max<std::int64_t>(1, total)));
  const char* separator = " ";
  for (const auto& [state, count] : counts) {
    line += separator + std::to_string(count) + " " + name_of(state);
    separator = ", ";
  }
  if (done == total)
    for (const auto& task : finishing_tasks(report))
      line += task.is_running() ? "; merge and check: running" : "; merge and check: queued";
  return report.queue.reachable ? line : line + "; Slurm does not answer";
}

/// One line, always the newest, on a terminal; elsewhere a line when it has changed, and not too often.
class StatusLine {
 public:
  void show(const std::string& line) {
    if (line == last_) return;
    if (live_)
      terminal() << "\r\033[K" << visible(line) << std::flush;
    else if (last_.empty() || seconds_since(shown_) >= plain_pause)
      std::cerr << line << std::endl;
    else
      return;
    last_ = line;
    shown_ = steady_clock::now();
  }
  void end() {
    if (live_ && !last_.empty()) std::cerr << "\n";
  }

 private:
  bool live_ = isatty(STDERR_FILENO);
  std::string last_;
  steady_clock::time_point shown_ = steady_clock::now();
};

/// Whether something in the queue will still bring the study on.
bool anything_live(const ShardReport& report) {
  const auto is_live = [](const cluster::ShardStatus& shard) {
    return shard.state == cluster::ShardState::running || shard.state == cluster::ShardState::queued;
  };
  return std::any_of(report.shards.begin(), report.shards.end(), is_live) || !finishing_tasks(report).empty();
}

/// False if a signal came first.
bool pause(double seconds) {
  const auto start = steady_clock::now();
  while (seconds_since(start) < seconds) {
    if (Stop::requested()) return false;
    std::this_thread::sleep_for(tick);
  }
  return true;
}

}  // namespace

ExitCode follow(const study::Study& study, const std::vector<std::int64_t>& part_sizes,
                const store::Workspace& workspace, std::int64_t n_shards) {
  Stop::install_signal_handlers();
  StatusLine line;
  for (double seconds = shortest_pause;; seconds = std::min(1.2 * seconds, longest_pause)) {
    const ShardReport report = report_shards(study, part_sizes, workspace, n_shards);
    line.show(line_of(report));
    if (report.queue.reachable && !anything_live(report)) break;
    if (pause(seconds)) continue;
    line.end();
    std::cerr << "mixlab: no longer following; the jobs go on. Again: mixlab submit " << shell_word(workspace.out())
              << " --wait\n";
    return Stop::reason() == StopReason::interrupt ? ExitCode::interrupted : ExitCode::work_left;
  }
  line.end();
  if (workspace.complete(study)) return check({workspace.out()});
  print_shards(study, workspace);
  std::cerr << "mixlab: the jobs have ended and work is left; what to do: mixlab submit " << shell_word(workspace.out())
            << "\n";
  return ExitCode::work_left;
}

}  // namespace mixlab::cli
