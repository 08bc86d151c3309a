// What is around the rounds: where the time goes, writing, threads, memory.
#pragma once

#include <string>
#include <vector>

#include "record.h"
#include "timing.h"

namespace mixlab::bench {

/// Variants of (10, 20) whose differences say where the time goes.
std::vector<Case> split_cases();

void report_split(const std::vector<Timing>& split, const TimingSettings& settings, Record& record);
/// Share of parts and merging them in a run of some seconds.
void report_writing(const std::vector<const Timing*>& timings, const TimingSettings& settings, Record& record);
/// As many threads as there are processors, against as many processes of one thread.
void report_scaling(const TimingSettings& settings, int repeat, std::int64_t trajectories, Record& record);
/// What the scaling test runs as a child.
void run_worker(std::int64_t trajectories, int n_threads, int T);
/// Peak memory of `mixlab run`.
void report_program(const std::string& mixlab, int T, const std::vector<std::int64_t>& trajectories, Record& record);

}  // namespace mixlab::bench
