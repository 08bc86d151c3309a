// What mixlab says to Slurm, and what Slurm answers.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace mixlab::cluster {

/// Slurm refuses, is not here, or does not answer; in its own words where it had any.
struct SlurmError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws SlurmError where there is no sbatch.
void require_slurm();

/// Submits a script, with options and then arguments for it; the job id. Throws SlurmError.
std::string submit_job(const std::vector<std::string>& options, const std::string& script,
                       const std::vector<std::string>& arguments = {});
/// Withdraws jobs, as far as they are still there.
void cancel_jobs(const std::vector<std::string>& jobs);

/// The largest array index is one less. Throws SlurmError.
std::int64_t max_array_size();
/// Of jobs that ask for none; empty `partition`: the default one. Infinite, or nothing where Slurm does not say.
std::optional<double> default_time_limit(const std::string& partition);
/// "30" (minutes), "30:00", "1:30:00", "2-12", "2-12:30" or "UNLIMITED" in seconds, whole minutes as Slurm
/// counts them; nothing if it is none of them.
std::optional<double> parse_time_limit(const std::string& text);

/// A job, or one task of an array, as the queue shows it.
struct QueuedTask {
  std::string job;         ///< the array's
  std::int64_t index = 0;  ///< in the array
  std::string state;       ///< "RUNNING", "TIMEOUT", ...
  std::string node;
  std::string reason;

  std::string name() const { return job + "_" + std::to_string(index); }  ///< of a task
  /// Slurm could not start it and holds it, or what it waits for has failed: it will not start without an operator.
  bool is_stuck() const;
  bool is_pending() const;
  /// Running, or ending and perhaps to be queued again.
  bool is_running() const;
  bool is_live() const { return is_pending() || is_running(); }
};

struct Queue {
  bool reachable = false;
  std::vector<QueuedTask> tasks;  ///< those that Slurm still knows, also ended ones
};

/// What Slurm knows about these jobs; it forgets ended ones after some minutes.
Queue read_queue(const std::vector<std::string>& jobs);
/// What its accounting remembers, where there is one.
std::vector<QueuedTask> read_history(const std::vector<std::string>& jobs);

}  // namespace mixlab::cluster
