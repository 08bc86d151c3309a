// The two job scripts of a study on a Slurm cluster, as text that its owner can read and change: an array that computes
// shards, and the job after it that merges them and gives the verdict.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mixlab::cluster {

struct JobSettings {
  std::string program;  ///< absolute path of mixlab
  std::string name;     ///< of the study
  std::string out;      ///< absolute path of OUT.h5
  std::string folder;   ///< absolute path of the scripts and logs
  std::int64_t n_shards = 1;

  int cpus_per_task = 1;
  std::string partition, account, qos, time, mem;  ///< as for sbatch; empty: the cluster's default
  std::string modules;                             ///< separated by blanks
  std::string prologue;                            ///< absolute path of a file that the scripts read first
  std::vector<std::string> more;                   ///< other options of sbatch, as they are

  int warning_seconds = 120;  ///< before the time limit
  int max_requeues = 20;      ///< of a shard by itself
  bool allow_mixed = false;
};

/// Computes shard SLURM_ARRAY_TASK_ID + its first argument. Warned of the time limit, it stops and requeues itself.
std::string array_script(const JobSettings& settings);
/// Merges, checks and reports; ends with check's exit code.
std::string finish_script(const JobSettings& settings);

/// One word on an #SBATCH line. Throws InputError for a line break, which such a line cannot hold.
std::string sbatch_word(const std::string& text);

/// Seconds before a time limit (in seconds) at which a job should be warned of it.
int warning_for(double time_limit);

}  // namespace mixlab::cluster
