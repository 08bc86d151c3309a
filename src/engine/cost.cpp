#include "mixlab/engine/cost.h"

#include <algorithm>
#include <bit>

#include "mixlab/engine/lanes.h"

namespace mixlab::engine {
namespace {

constexpr double seconds_per_part = 5;
constexpr double largest_part = 1 << 16;

// Fitted to mixlab-bench on an AVX2 machine of 2026 with eight sets.
double nanoseconds_per_round(const CellSize& size) {
  if (size.lanes) return 12.0 + 0.6 * size.p * size.p + 0.14 * size.p * size.n_arms + 0.6 * size.n_arms;
  return 500.0 + 10.0 * size.p * size.p + 2.0 * size.p * size.n_arms + 20.0 * size.n_sets;
}

}  // namespace

CellSize size_of(const Experiment& experiment) {
  return {experiment.p, std::max(1, experiment.arms->n_arms()), experiment.T, static_cast<int>(experiment.sets.size()),
          why_not_lanes(experiment).empty()};
}

double expected_seconds(const CellSize& size) {
  return 1e-9 * nanoseconds_per_round(size) * static_cast<double>(size.T);
}

std::int64_t part_size(const CellSize& size) {
  const double trajectories = std::clamp(seconds_per_part / expected_seconds(size), 1.0, largest_part);
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(trajectories)));
}

std::vector<std::int64_t> part_sizes(const std::vector<Experiment>& experiments) {
  std::vector<std::int64_t> sizes;
  for (const auto& experiment : experiments) sizes.push_back(part_size(size_of(experiment)));
  return sizes;
}

}  // namespace mixlab::engine
