// TRACE.h5: one trajectory round by round, enough for anyone to recompute everything.
#pragma once

#include <string>
#include <vector>

namespace mixlab::engine {
struct CellFacts;
struct Trace;
}  // namespace mixlab::engine

namespace mixlab::store {

/// The bytes of TRACE.h5, without its seal.
std::vector<char> trace_image(const engine::CellFacts& cell, const engine::Trace& trace);

void write_trace(const std::string& path, const engine::CellFacts& cell, const engine::Trace& trace);

}  // namespace mixlab::store
