#include "mixlab/engine/lanes.h"

#include <cmath>
#include <cstdlib>

#include "kernel.h"
#include "mixlab/core/error.h"
#include "mixlab/engine/experiment.h"
#include "mixlab/engine/monitor.h"
#include "rules.h"

namespace mixlab::engine {
namespace {

template <class Class>
bool is_a(const bandit::ConfidenceSet& set) {
  return dynamic_cast<const Class*>(&set) != nullptr;
}

/// Adds what the kernels leave out: the sets that do not look at the data.
void watch_blind_sets(const Experiment& e, std::int64_t trajectory, Row& row) {
  for (std::size_t i = 0; i < e.sets.size(); ++i) {
    if (!is_a<bandit::BlindSet>(*e.sets[i].set)) continue;
    const random::Stream stream(e.stream(trajectory, random::Purpose::set));
    const auto drawn = e.sets[i].set->start(stream, e.T);
    const auto& set = dynamic_cast<const bandit::BlindSet&>(drawn ? *drawn : *e.sets[i].set);
    Monitor monitor;
    for (std::int64_t t = 1; t <= e.T; ++t) {
      const double q = set.distance2_at(t);
      monitor.see(t, q, set.radius2(t, 0), set.log_p(t, q, 0));
    }
    monitor.write(row, i);
  }
}

}  // namespace

std::string why_not_lanes(const Experiment& e) {
  if (lanes::n_axes(e) > lanes::largest_dimension)
    return "the dimension is above " + std::to_string(lanes::largest_dimension);
  if (e.arms->kind() == bandit::Arms::Kind::fresh && !e.arms->uniform_directions())
    return "the arms change every round in a way of their own";
  if (e.adversary) return "an adversary chooses the arms on offer";
  if (const auto rule = e.policy->rule(); !rule || !lanes::find_traits(rule->name))
    return "the policy has a rule of its own";
  if (!is_a<bandit::AnalyticSet>(*e.policy_set)) return "the policy's set has a radius of its own";
  if (!std::isfinite(e.policy_set->ellipsoid_radius2(e.T, 0))) return "the radius of the policy's set is infinite";
  for (const auto& monitored : e.sets)
    if (!is_a<bandit::AnalyticSet>(*monitored.set) && !is_a<bandit::BlindSet>(*monitored.set))
      return "set " + monitored.name + " has a radius of its own";
  return {};
}

Engine parse_engine(const std::string& name) {
  if (name == "auto") return Engine::automatic;
  if (name == "lanes") return Engine::lanes;
  if (name == "reference") return Engine::reference;
  throw InputError("bad --engine: '" + name + "' (must be auto, lanes or reference); leave it out");
}

bool uses_lanes(const Experiment& experiment, Engine engine) {
  if (engine == Engine::reference) return false;
  const std::string reason = why_not_lanes(experiment);
  if (engine == Engine::lanes && !reason.empty())
    throw InputError("bad --engine: 'lanes' (cell " + std::to_string(experiment.cell.index) +
                     " needs the reference engine: " + reason + "); leave it out");
  return reason.empty();
}

std::string name_of(Isa isa) {
  return isa == Isa::avx512 ? "avx512" : isa == Isa::avx2 ? "avx2" : isa == Isa::fused ? "fused" : "portable";
}

Isa choose_isa() {
  const char* asked = std::getenv("MIXLAB_ISA");
  for (const Isa isa : {Isa::avx512, Isa::avx2, Isa::fused, Isa::portable})
    if (asked ? name_of(isa) == asked : supported(isa)) {
      if (!supported(isa))
        throw InputError("bad MIXLAB_ISA: '" + std::string(asked) +
                         "' (this processor or this build does not have it); unset it");
      return isa;
    }
  throw InputError("bad MIXLAB_ISA: '" + std::string(asked) + "' (must be portable, fused, avx2 or avx512); unset it");
}

PackWidth pack_width(const Experiment& experiment, Isa isa) {
  return lanes::kernel_for(isa, lanes::kernel_axes(experiment)).width;
}

Lanes::Lanes(const Experiment& experiment, Isa isa) : tables_(std::make_unique<lanes::Tables>(experiment)), isa_(isa) {}

Lanes::~Lanes() = default;

std::optional<std::vector<Row>> Lanes::run(std::int64_t first, int n, const RoundObserver* observer) const {
  std::vector<Row> rows;
  const Experiment& e = tables_->experiment;
  if (!lanes::kernel_for(isa_, lanes::kernel_axes(tables_->experiment)).run({*tables_, first, n, observer}, rows))
    return std::nullopt;
  for (std::size_t lane = 0; lane < rows.size(); ++lane)
    watch_blind_sets(e, first + static_cast<std::int64_t>(lane), rows[lane]);
  return rows;
}

}  // namespace mixlab::engine
