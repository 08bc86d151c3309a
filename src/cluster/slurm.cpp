#include "mixlab/cluster/slurm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "mixlab/core/parameter.h"
#include "mixlab/core/subprocess.h"
#include "mixlab/core/text.h"

namespace mixlab::cluster {
namespace {

constexpr double patience = 60;  // seconds; Slurm's own commands give up on a dead controller after some of them

// sbatch takes defaults from the environment that beat the script; what follows from the study is not theirs to change.
const std::vector<std::string> not_from_environment = {"SBATCH_ARRAY_INX", "SBATCH_NO_REQUEUE", "SBATCH_OPEN_MODE",
                                                       "SBATCH_OUTPUT",    "SBATCH_ERROR",      "SBATCH_REQUEUE",
                                                       "SBATCH_SIGNAL",    "SBATCH_WAIT"};

const std::string& words_of(const Answer& answer) {
  return answer.err.empty() ? answer.out : answer.err;
}

/// A task as squeue and sacct name it: "12_3", or "12"; false for a range of tasks.
bool parse_task_name(const std::string& name, QueuedTask& task) {
  const auto bar = name.find('_');
  task.job = name.substr(0, bar);
  if (bar == std::string::npos) return true;
  const auto index = parse_integer(name.substr(bar + 1));
  if (index) task.index = *index;
  return index.has_value();
}

std::vector<QueuedTask> parse_tasks(const std::string& lines) {
  std::vector<QueuedTask> tasks;
  for (const auto& line : split(lines, '\n')) {
    const auto fields = split(line, '|');
    QueuedTask task;
    if (fields.size() < 3 || !parse_task_name(fields[0], task)) continue;
    task.state = fields[1].substr(0, fields[1].find(' '));  // "CANCELLED by 1000"
    task.node = fields[2];
    if (fields.size() > 3) task.reason = fields[3];
    tasks.push_back(std::move(task));
  }
  return tasks;
}

}  // namespace

void require_slurm() {
  if (call({"sbatch", "--version"}).is_missing())
    throw SlurmError(
        "cannot submit: no sbatch here (Slurm is not installed, or not in PATH); go to a login node of the cluster, or "
        "run the shards by other means: studies/CLUSTER.md");
}

std::string submit_job(const std::vector<std::string>& options, const std::string& script,
                       const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"sbatch", "--parsable"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(script);
  words.insert(words.end(), arguments.begin(), arguments.end());
  const Answer answer = call(words, 10 * patience, not_from_environment);
  if (answer.code != 0)
    throw SlurmError("refused by Slurm (exit code " + std::to_string(answer.code) +
                     " of sbatch): " + trim(words_of(answer)) + "; nothing was submitted");
  return trim(answer.out.substr(0, answer.out.find(';')));  // "12;cluster" where there are several
}

void cancel_jobs(const std::vector<std::string>& jobs) {
  if (jobs.empty()) return;
  std::vector<std::string> words = {"scancel", "--quiet"};
  words.insert(words.end(), jobs.begin(), jobs.end());
  call(words, patience);
}

std::int64_t max_array_size() {
  const Answer answer = call({"scontrol", "show", "config"}, patience);
  if (answer.code != 0) throw SlurmError("Slurm does not answer: " + trim(words_of(answer)) + "; try again later");
  for (const auto& line : split(answer.out, '\n')) {
    const auto words = split_blanks(line);
    if (words.size() != 3 || words[0] != "MaxArraySize") continue;
    if (const auto size = parse_integer(words[2])) return *size;
  }
  return 1001;  // Slurm's own default
}

std::optional<double> default_time_limit(const std::string& partition) {
  const Answer answer = call({"sinfo", "--noheader", "--format=%P|%L|%l"}, patience);
  for (const auto& line : split(answer.out, '\n')) {
    const auto fields = split(line, '|');
    if (fields.size() != 3) continue;
    const bool is_it =
        partition.empty() ? fields[0].ends_with("*") : fields[0] == partition || fields[0] == partition + "*";
    if (is_it) return parse_time_limit(fields[1] == "n/a" ? fields[2] : fields[1]);
  }
  return {};
}

std::optional<double> parse_time_limit(const std::string& text) {
  for (const char* word : {"UNLIMITED", "INFINITE", "infinite", "-1"})
    if (text == word) return std::numeric_limits<double>::infinity();
  const auto dash = text.find('-');
  const bool with_days = dash != std::string::npos;
  auto pieces = split(with_days ? text.substr(dash + 1) : text, ':');
  if (with_days) pieces.insert(pieces.begin(), text.substr(0, dash));
  std::vector<std::int64_t> numbers;
  for (const auto& piece : pieces) {
    const auto number = parse_integer(piece);
    if (!number || *number < 0) return {};
    numbers.push_back(*number);
  }
  // days-hours[:minutes[:seconds]], minutes[:seconds] or hours:minutes:seconds
  static const std::vector<double> units = {86400, 3600, 60, 1};
  const std::size_t first = with_days ? 0 : numbers.size() == 3 ? 1 : 2;
  if (first + numbers.size() > units.size()) return {};
  double seconds = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) seconds += units[first + i] * static_cast<double>(numbers[i]);
  if (seconds == 0) return std::numeric_limits<double>::infinity();  // Slurm's own way to say: no limit
  return 60 * std::ceil(seconds / 60);
}

bool QueuedTask::is_stuck() const {
  static const std::vector<std::string> reasons = {"launch failed", "JobHoldMaxRequeue", "DependencyNeverSatisfied"};
  const auto is_it = [&](const std::string& beginning) { return reason.starts_with(beginning); };
  return state == "PENDING" && std::any_of(reasons.begin(), reasons.end(), is_it);
}

bool QueuedTask::is_pending() const {
  static const std::set<std::string> states = {"PENDING",      "CONFIGURING",   "REQUEUED",    "REQUEUE_FED",
                                               "REQUEUE_HOLD", "RESV_DEL_HOLD", "SPECIAL_EXIT"};
  return states.contains(state) && !is_stuck();
}

bool QueuedTask::is_running() const {
  static const std::set<std::string> states = {"RUNNING",   "COMPLETING", "SUSPENDED", "STOPPED",
                                               "SIGNALING", "STAGE_OUT",  "RESIZING"};
  return states.contains(state);
}

Queue read_queue(const std::vector<std::string>& jobs) {
  Queue queue;
  if (jobs.empty()) return queue;
  const Answer answer =
      call({"squeue", "--noheader", "--array", "--states=all", "--jobs=" + join(jobs, ","), "--format=%i|%T|%N|%r"},
           patience);
  queue.reachable = answer.code == 0 || answer.err.find("Invalid job id") != std::string::npos;
  if (!queue.reachable) return queue;
  queue.tasks = parse_tasks(answer.out);
  return queue;
}

std::vector<QueuedTask> read_history(const std::vector<std::string>& jobs) {
  if (jobs.empty()) return {};
  return parse_tasks(call({"sacct", "--noheader", "--parsable2", "--allocations", "--jobs=" + join(jobs, ","),
                           "--format=JobID,State,NodeList"},
                          patience)
                         .out);
}

}  // namespace mixlab::cluster
