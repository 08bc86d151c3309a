// Who computed what, when, where and with which libraries.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace mixlab::store {

std::string utc_now();  ///< "2026-01-31T12:00:00Z"

/// One line of the log of runs: "2026-01-31T12:00:00Z started host=node1 pid=77 threads=8 job=123".
std::string run_line(const std::string& event, int n_threads);
/// Start, end, machine, threads and job id out of such lines: attribute name and text.
std::vector<std::pair<std::string, std::string>> summarise_runs(const std::string& lines);

/// Version, commit, compiler and libraries of this program: attribute name and text.
std::vector<std::pair<std::string, std::string>> program_provenance();

}  // namespace mixlab::store
