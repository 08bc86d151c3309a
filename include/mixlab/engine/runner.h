// Runs the missing parts of a study across threads.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/engine/lanes.h"
#include "mixlab/engine/progress.h"
#include "mixlab/engine/row.h"
#include "mixlab/study/plan.h"

namespace mixlab::engine {

/// Makes a finished part durable; when it returns, the part is acknowledged. Called from one thread only.
using Commit = std::function<void(const study::Part& part, const std::vector<Row>& rows)>;

struct RunSettings {
  int n_threads = 1;
  std::optional<double> max_seconds = {};
  Engine engine = Engine::automatic;
};

/// Computes the parts in order of number and commits each when its last trajectory is done; parts in flight when a
/// stop is requested are abandoned. At most one part a thread, and a few waiting to be written, are in memory.
/// Rethrows the first exception of a trajectory or of `commit`. `tally` is brought up to date.
void run_parts(const std::vector<Experiment>& experiments, const std::vector<study::Part>& parts,
               const RunSettings& settings, const Commit& commit, Progress& progress, Tally& tally);

}  // namespace mixlab::engine
