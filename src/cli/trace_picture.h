// The picture of `mixlab trace --plot`: a trajectory in the plane, at the round at which theta* leaves a set.
#pragma once

#include <optional>

#include "command.h"
#include "mixlab/engine/experiment.h"
#include "mixlab/engine/facts.h"
#include "mixlab/engine/trace.h"
#include "python.h"

namespace mixlab::cli {

class TracePicture {
 public:
  /// What --plot and --only ask for, nothing without --plot. Throws InputError if it cannot be drawn.
  static std::optional<TracePicture> asked(const Options& options, const engine::Experiment& experiment);

  /// Throws WriteError, or std::runtime_error if Python fails.
  void draw(const engine::CellFacts& cell, const engine::Trace& trace) const;

 private:
  std::string path_;
  std::string set_;  ///< empty: the first that misses
  Python python_;
};

}  // namespace mixlab::cli
