// Brings what is missing of a study into the queue: arrays of shards, and after them the job that finishes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/cluster/job_folder.h"
#include "mixlab/cluster/job_script.h"
#include "mixlab/cluster/shards.h"

namespace mixlab::cluster {

struct Submission {
  std::vector<SubmittedJob> arrays;        ///< of the shards that nobody works on; ids once submitted
  SubmittedJob finish;                     ///< after them all
  std::vector<std::string> still_running;  ///< arrays of earlier submissions, to wait for as well
  std::vector<std::string> finishing;      ///< jobs of earlier submissions that wait for all to end, to be withdrawn
  std::vector<std::string> stuck;          ///< tasks that Slurm could not start, to be withdrawn
  std::int64_t largest_array = 1;          ///< a power of ten
  std::string after;                       ///< what the arrays wait for, as --dependency has it; empty: nothing
  std::int64_t array_limit = 0;            ///< tasks that may run at once; 0: any number

  std::vector<std::string> array_options(const SubmittedJob& array) const;
  std::vector<std::string> finish_options() const;
};

/// What is to be submitted. `shards` as described, `queue` of the folder's jobs.
Submission plan_submission(const std::vector<ShardStatus>& shards, const std::vector<SubmittedJob>& earlier,
                           const Queue& queue, std::int64_t max_array_size);

/// Writes the scripts, submits all or nothing, and takes it down in the folder. Throws SlurmError.
void submit(Submission& submission, const JobSettings& settings, const JobFolder& folder);

}  // namespace mixlab::cluster
