// The shards of a study that was submitted, for those commands that show or await them.
#pragma once

#include "command.h"
#include "mixlab/cluster/shards.h"
#include "mixlab/store/workspace.h"

namespace mixlab::cli {

struct ShardReport {
  std::vector<cluster::ShardStatus> shards;
  std::vector<cluster::SubmittedJob> jobs;
  cluster::Queue queue;  ///< not reachable: all is from the files
};

/// By the files, and by Slurm where it can be reached.
ShardReport report_shards(const study::Study& study, const std::vector<std::int64_t>& part_sizes,
                          const store::Workspace& workspace, std::int64_t n_shards);

/// Throws InputError if jobs that cut the study otherwise are still in the queue: both would compute the same.
void require_one_cut(const ShardReport& report, std::int64_t n_shards);

/// The section of `status` about shards; nothing if the study was never submitted.
void print_shards(const study::Study& study, const store::Workspace& workspace);
/// The same as a JSON member with its comma: `, "shards": [...]`.
std::string shards_json(const study::Study& study, const store::Workspace& workspace);

/// Shows progress until nothing of the study is in the queue. Exit code of check; 75 if work is left, naming it.
ExitCode follow(const study::Study& study, const std::vector<std::int64_t>& part_sizes,
                const store::Workspace& workspace, std::int64_t n_shards);

}  // namespace mixlab::cli
