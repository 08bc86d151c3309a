// The reference engine: one trajectory at a time, written to be read. What it computes is what mixlab means.
#pragma once

#include <cstdint>
#include <optional>

#include "mixlab/engine/experiment.h"
#include "mixlab/engine/row.h"
#include "mixlab/engine/trace.h"

namespace mixlab::engine {

/// The row of a trajectory; nothing if a stop was requested meanwhile. Fills `trace` if there is one.
std::optional<Row> run_reference(const Experiment& experiment, std::int64_t trajectory, Trace* trace = nullptr);

}  // namespace mixlab::engine
