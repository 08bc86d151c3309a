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

/// Trajectories that are handed over at once, at most.
inline constexpr std::int64_t rows_per_block = 192;

/// Takes trajectories first, first + 1, ... of a part, which come in blocks, in any order; when it returns from the last
/// one, the part is acknowledged. Called from one thread at a time.
using Commit = std::function<void(const study::Part& part, std::int64_t first, const std::vector<Row>& rows)>;

struct RunSettings {
  int n_threads = 1;
  std::optional<double> max_seconds = {};
  Engine engine = Engine::automatic;
  /// Of one round of the user's own code. A call that takes longer cannot be stopped: the process says where it is and ends
  /// with ExitCode::failure; finished parts are kept.
  double max_round_seconds = 60;
};

/// Computes the parts in order of number and commits them block by block; parts in flight when a stop is requested are
/// abandoned. At most two blocks per thread, one of them waiting to be written, are in memory, however large the parts.
/// Rethrows the first exception of a trajectory or of `commit`. `tally` is brought up to date.
void run_parts(const std::vector<Experiment>& experiments, const std::vector<study::Part>& parts,
               const RunSettings& settings, const Commit& commit, Progress& progress, Tally& tally);

}  // namespace mixlab::engine
