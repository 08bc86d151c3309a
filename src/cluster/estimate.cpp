#include "mixlab/cluster/estimate.h"
#include "mixlab/engine/cost.h"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "mixlab/core/stop.h"
#include "mixlab/engine/progress.h"
#include "mixlab/engine/runner.h"

namespace mixlab::cluster {
namespace {

constexpr double smallest_sample = 0.001, largest_sample = 0.05;  // seconds of a cell, by the model

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// More sample parts than fit the time budget, smallest first; at first very little, for slow machines.
std::vector<study::Part> samples(const std::vector<engine::Experiment>& experiments, double seconds) {
  std::vector<study::Part> parts;
  double planned = 0, sample = smallest_sample;
  for (std::int64_t round = 0; planned < 10 * seconds; ++round, sample = std::min(2 * sample, largest_sample))
    for (const auto& experiment : experiments) {
      const double one = engine::expected_seconds(engine::size_of(experiment));
      const auto size = std::max<std::int64_t>(1, static_cast<std::int64_t>(sample / one));
      parts.push_back({experiment.cell.index, round * size, (round + 1) * size, 0});
      planned += one * static_cast<double>(size);
    }
  return parts;
}

}  // namespace

std::optional<Estimate> Estimate::by_running(const std::vector<engine::Experiment>& experiments, double seconds) {
  double expected = 0, finished_at = 0;
  const double start = now();
  const auto commit = [&](const study::Part& part, std::int64_t, const std::vector<engine::Row>& rows) {
    expected += engine::expected_seconds(engine::size_of(experiments[static_cast<std::size_t>(part.cell)])) *
                static_cast<double>(rows.size());
    finished_at = now() - start;
  };
  std::ostringstream nobody;
  engine::Progress progress(nobody, engine::Progress::Style::quiet, now);
  engine::Tally tally;
  engine::run_parts(experiments, samples(experiments, seconds), {.n_threads = 1, .max_seconds = seconds}, commit,
                    progress, tally);
  Stop::reset();  // it was the clock's, and it was for this run only
  if (expected == 0) return {};
  // The model is rough, but rough in the same way for all cells.
  Estimate estimate;
  for (const auto& experiment : experiments)
    estimate.seconds_per_trajectory_.push_back(finished_at / expected *
                                               engine::expected_seconds(engine::size_of(experiment)));
  return estimate;
}

double Estimate::seconds(const study::Part& part) const {
  return seconds_per_trajectory_[static_cast<std::size_t>(part.cell)] * static_cast<double>(part.size());
}

double Estimate::slowest_shard(const std::vector<study::Part>& parts, std::int64_t n_shards, int n_threads) const {
  std::vector<double> shards(static_cast<std::size_t>(n_shards));
  for (const auto& part : parts) shards[static_cast<std::size_t>(part.number % n_shards)] += seconds(part);
  return *std::max_element(shards.begin(), shards.end()) / n_threads;
}

}  // namespace mixlab::cluster
