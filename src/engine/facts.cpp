#include "mixlab/engine/facts.h"

#include <cmath>
#include <set>
#include <stdexcept>

#include "mixlab/core/text.h"
#include "mixlab/engine/experiment.h"

namespace mixlab::engine {

std::vector<std::string> CellFacts::set_names() const {
  std::vector<std::string> names;
  for (const auto& set : sets) names.push_back(set.name);
  return names;
}

CellFacts facts_of(const Experiment& experiment) {
  CellFacts facts;
  facts.values = experiment.cell.values;
  facts.label = experiment.cell.label;
  facts.sweep = experiment.cell.sweep;
  facts.checkpoints = experiment.checkpoints;
  facts.bound_vacuous = experiment.bound_is_vacuous();
  facts.exponent_in_horizon = experiment.exponent_in_horizon;
  facts.exponent_in_memory = experiment.exponent_in_memory;
  facts.caveat = experiment.caveat;
  for (const std::int64_t t : experiment.checkpoints) {
    facts.bound_worst_case.push_back(experiment.worst_case_bound(t));
    facts.bound_gap.push_back(experiment.gap_bound(t));
    facts.bound_potential.push_back(experiment.potential_bound(t));
    facts.bound_fresh_potential.push_back(bandit::fresh_potential_bound(experiment.bound_constants(t), t));
    facts.bound_stale_rounds.push_back(bandit::stale_rounds_bound(experiment.bound_constants(t), t));
  }
  for (const auto& monitored : experiment.sets) {
    SetFacts set{monitored.name, monitored.expected, monitored.why_not_guaranteed, {}};
    // Of a set without a memory the engine finds nan in a trajectory, which it names.
    const bool has_memory = monitored.set->start(random::Stream({}), experiment.T) != nullptr;
    for (const std::int64_t t : experiment.checkpoints) {
      const double radius2 = experiment.largest_radius2(*monitored.set, t);
      if (radius2 < 0 || (std::isnan(radius2) && has_memory))
        throw std::runtime_error("set " + monitored.name + " has no radius: its square is " + to_text(radius2) +
                                 " at round " + to_text(t) + " before any data (must be a number from 0 on, or inf); " +
                                 "mend its code");
      set.radius2.push_back(radius2);
    }
    facts.sets.push_back(std::move(set));
  }
  return facts;
}

std::vector<CellFacts> facts_of(const std::vector<Experiment>& experiments) {
  std::vector<CellFacts> cells;
  for (const auto& experiment : experiments) cells.push_back(facts_of(experiment));
  return cells;
}

std::vector<std::int64_t> all_rounds(const std::vector<CellFacts>& cells) {
  std::set<std::int64_t> rounds;
  for (const auto& cell : cells) rounds.insert(cell.checkpoints.begin(), cell.checkpoints.end());
  return {rounds.begin(), rounds.end()};
}

}  // namespace mixlab::engine
