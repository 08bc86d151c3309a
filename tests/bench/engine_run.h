// Runs of the real engine, timed.
#pragma once

#include <string>
#include <vector>

#include "mixlab/engine/runner.h"
#include "mixlab/study/study.h"

namespace mixlab::bench {

/// A study of one cell that keeps its results.
class EngineRun {
 public:
  EngineRun(const std::string& study_text, std::int64_t trajectories);

  const engine::Experiment& experiment() const { return experiments_.front(); }
  bool in_lanes() const { return engine::why_not_lanes(experiment()).empty(); }
  std::int64_t trajectories() const { return study_.trajectories(); }
  double rounds() const;
  /// Runs all trajectories, nothing written.
  void run(int n_threads, engine::Engine engine = engine::Engine::automatic) const;

  struct Writing {
    double seconds = 0;  ///< of the processor, for parts and merge
    double all = 0;      ///< of the whole run
  };
  /// Runs with one thread into `folder`, results merged, as `mixlab run` does.
  Writing run_and_write(const std::string& folder) const;

 private:
  void run(int n_threads, engine::Engine engine, const engine::Commit& commit) const;

  study::Study study_;
  std::vector<engine::Experiment> experiments_;
  std::vector<study::Part> parts_;
};

}  // namespace mixlab::bench
