#include "mixlab/engine/cost.h"

#include <algorithm>
#include <bit>

#include "mixlab/engine/lanes.h"

namespace mixlab::engine {
namespace {

constexpr double seconds_per_part = 5;
constexpr double largest_part = 1 << 16;

/// Nanoseconds of a round, and of what it does as often as there are entries in a matrix, components of all arms, arms
/// and sets.
struct RoundCost {
  double round, per_entry, per_component, per_arm, per_set;
};
// Fitted to mixlab-bench on an AVX2 machine of 2026 with eight sets, which cost the lanes engine next to nothing.
constexpr RoundCost lanes_cost{12, 0.6, 0.14, 0.6, 0};
constexpr RoundCost reference_cost{500, 10, 2, 0, 20};

double nanoseconds_per_round(const CellSize& size) {
  const RoundCost& cost = size.lanes ? lanes_cost : reference_cost;
  return cost.round + cost.per_entry * size.p * size.p + cost.per_component * size.p * size.n_arms +
         cost.per_arm * size.n_arms + cost.per_set * size.n_sets;
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
