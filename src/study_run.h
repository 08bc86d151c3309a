// A study on its way into its file: what is missing is computed, part by part, and merged. Behind `mixlab run` and mixlab::run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/engine/facts.h"
#include "mixlab/engine/runner.h"
#include "mixlab/store/workspace.h"

namespace mixlab {

/// The place of OUT.h5, where cells may stop as the verdict says.
store::Workspace workspace_at(
    const std::string& out, store::Workspace::Notice notice = [](const std::string&) {});

class StudyRun {
 public:
  struct Settings {
    engine::RunSettings engine = {};
    study::Shard shard = {};
    store::Mixed mixed = store::Mixed::refuse;
  };
  /// What a run brought.
  struct Harvest {
    std::int64_t n_parts = 0;  ///< finished, and kept
    std::int64_t n_kept = 0;   ///< their trajectories
    std::int64_t n_lost = 0;   ///< computed for parts that were not finished
  };

  /// Throws InputError if another study, or rows of another program, live there. Sets damaged parts aside. Study and
  /// workspace must outlive it.
  StudyRun(const study::Study& study, const store::Workspace& workspace, Settings settings);

  const std::vector<engine::Experiment>& experiments() const { return experiments_; }
  Harvest harvest() const { return {n_finished_, n_kept_, tally_.computed - n_kept_}; }
  /// Whether a stop was requested with parts of this shard left.
  bool is_stopped() const;
  /// Trajectories of this shard that cannot be computed before other shards have done theirs.
  std::int64_t n_waiting() const { return tally_.total - tally_.done; }

  /// Computes what is missing, look by look where cells may stop. If there is something, calls `begin` first.
  void go_on(
      engine::Progress& progress, const std::function<void()>& begin = [] {});
  /// Assembles OUT.h5 from the parts.
  store::MergeReport merge() const;

 private:
  /// The parts of this shard that can be computed now; brings the tally up to date.
  std::vector<study::Part> parts_due();
  void compute(const std::vector<study::Part>& parts, engine::Progress& progress);

  const study::Study& study_;
  const store::Workspace& workspace_;
  Settings settings_;
  std::vector<engine::Experiment> experiments_;
  std::vector<engine::CellFacts> cells_;
  std::vector<std::int64_t> sizes_;
  engine::Tally tally_;
  std::int64_t n_finished_ = 0;
  std::int64_t n_kept_ = 0;
};

}  // namespace mixlab
