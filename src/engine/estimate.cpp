#include "mixlab/engine/estimate.h"

#include <algorithm>
#include <ctime>
#include <optional>

#include "mixlab/core/stop.h"
#include "mixlab/engine/cost.h"
#include "mixlab/engine/lanes.h"
#include "mixlab/engine/progress.h"
#include "mixlab/engine/runner.h"

namespace mixlab::engine {
namespace {

constexpr std::size_t most_cells = 64;
constexpr std::int64_t steady_rounds = 300;  ///< timed after those in which no data have come in
constexpr double sample_seconds = 0.005;     ///< by the model: what a sample takes to set up should not show
constexpr std::int64_t most_trajectories = 4096;
constexpr double patience = 5;  ///< seconds on the clock for one sample, however slow the user's code

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Processor time of n trajectories over their first `rounds` rounds. What did not end in time counts with the time that
/// it had.
double time_of(std::vector<Experiment>& experiments, int cell, std::int64_t n, std::int64_t rounds) {
  Experiment& shortened = experiments[static_cast<std::size_t>(cell)];
  shortened.T = rounds;
  shortened.checkpoints = {rounds};
  Progress progress([](const Tally&) {});
  Tally tally;
  const auto drop = [](const study::Part&, std::int64_t, const std::vector<Row>&) {};
  const double start = processor_seconds();
  run_parts(experiments, {{cell, 0, n, 0}}, {.n_threads = 1, .max_seconds = patience}, drop, progress, tally);
  const double used = processor_seconds() - start;
  if (Stop::reason() == StopReason::time_limit) Stop::reset();  // it was for this sample only
  return used;
}

/// Seconds of one trajectory, by what it takes to begin one and by what further rounds add. Nothing if that would take
/// longer than `budget` by the model.
std::optional<double> timed(std::vector<Experiment>& experiments, int cell, double budget) {
  const Experiment& e = experiments[static_cast<std::size_t>(cell)];
  const CellSize size = size_of(e);
  const std::int64_t T = e.T;
  const std::int64_t few = std::min(T, e.lag + steady_rounds / 4), more = std::min(T, e.lag + steady_rounds);
  CellSize sample = size;
  sample.T = 2 * (few + more);
  const double one = expected_seconds(sample);
  const auto enough = std::min(most_trajectories, static_cast<std::int64_t>(sample_seconds / one));
  const std::int64_t n = std::max<std::int64_t>(size.lanes ? pack_width(e).least : 1, enough);
  if (one * static_cast<double>(n) > budget) return {};
  const auto time_over = [&](std::int64_t rounds) {  // the first time everything is slower
    return std::min(time_of(experiments, cell, n, rounds), time_of(experiments, cell, n, rounds));
  };
  double all = time_over(few);
  if (more > few) {
    const double per_round = std::max(0.0, time_over(more) - all) / static_cast<double>(more - few);
    all += per_round * static_cast<double>(T - few);
  }
  return all / static_cast<double>(n);
}

}  // namespace

Estimate Estimate::by_running(std::vector<Experiment> experiments, double seconds) {
  std::vector<double> model;
  for (const auto& experiment : experiments) model.push_back(expected_seconds(size_of(experiment)));
  const std::size_t n_timed = std::min(experiments.size(), most_cells);
  std::vector<std::optional<double>> measured(experiments.size());
  double sum = 0, modelled = 0;
  const double start = processor_seconds();
  for (std::size_t i = 0; i < n_timed && processor_seconds() - start < seconds && !Stop::requested(); ++i) {
    const std::size_t cell = i * experiments.size() / n_timed;
    measured[cell] = timed(experiments, static_cast<int>(cell), seconds);
    if (!measured[cell]) continue;
    sum += *measured[cell];
    modelled += model[cell];
  }
  Estimate estimate;
  for (std::size_t i = 0; i < model.size(); ++i)
    estimate.seconds_per_trajectory_.push_back(
        measured[i].value_or(modelled > 0 ? model[i] * sum / modelled : model[i]));
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

}  // namespace mixlab::engine
