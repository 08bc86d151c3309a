// The shards of a submitted study: how far each is by the files, and what Slurm says about the others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/cluster/job_folder.h"
#include "mixlab/cluster/slurm.h"
#include "mixlab/core/text.h"
#include "mixlab/study/goal.h"

namespace mixlab::cluster {

enum class ShardState { done, running, queued, failed, missing };
const char* name_of(ShardState state);

struct ShardStatus {
  std::int64_t index = 0;
  ShardState state = ShardState::missing;  ///< missing: nobody works on it; failed: somebody did
  std::int64_t done = 0;                   ///< trajectories
  std::int64_t total = 0;
  std::string job;   ///< "17_3", the last that was submitted for it; "" if none
  std::string node;  ///< where it runs or ran last
  std::string word;  ///< Slurm's: "TIMEOUT", "PENDING (Resources)"; "" if it does not say
};

/// The shards by the files alone: done or missing.
std::vector<ShardStatus> count_shards(const study::Study& study, const std::vector<std::int64_t>& part_sizes,
                                      const study::Goal& goal, const study::RowRanges& done, std::int64_t n_shards);

/// Adds what is known about the jobs of the folder. A shard that is not done and that nobody works on has failed if it
/// ever ran.
void describe_shards(std::vector<ShardStatus>& shards, const JobFolder& folder, const Queue& queue,
                     const std::vector<QueuedTask>& history);

std::vector<std::string> ids_of(const std::vector<SubmittedJob>& jobs);

}  // namespace mixlab::cluster
