// TRACE.h5: one trajectory round by round, enough for anyone to recompute everything.
#pragma once

#include <string>

#include "mixlab/engine/experiment.h"
#include "mixlab/engine/reference.h"

namespace mixlab::store {

void write_trace(const std::string& path, const engine::Experiment& experiment, std::int64_t trajectory,
                 const engine::Trace& trace);

}  // namespace mixlab::store
