// What a results file says about a cell beside its rows: plain values, so that storing and judging them takes neither
// bandits nor linear algebra.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/core/parameter.h"
#include "mixlab/study/expectation.h"

namespace mixlab::engine {

struct Experiment;

struct SetFacts {
  std::string name;
  study::Expected expected = study::Expected::any;
  std::string why_not_guaranteed;  ///< empty: the theory covers the set on the data of this policy
  std::vector<double> radius2;     ///< at the checkpoints, with the largest possible determinant
};

struct CellFacts {
  Values values;                   ///< every parameter as it took effect; keys "section.key"
  std::string label;               ///< the swept values in words
  std::vector<std::string> sweep;  ///< the swept keys' values as the study wrote them
  std::vector<std::int64_t> checkpoints;
  std::vector<SetFacts> sets;
  std::vector<double> bound_worst_case;  ///< at the checkpoints; NaN where no theorem applies
  std::vector<double> bound_gap;
  std::vector<double> bound_potential;
  std::vector<double> bound_fresh_potential;
  std::vector<double> bound_stale_rounds;
  bool bound_vacuous = false;
  double exponent_in_horizon = 0;  ///< of the regret theorem, logarithms aside; NaN where none applies
  double exponent_in_memory = 0;
  std::string caveat;  ///< what a reader of the verdict must know about the noise; mostly empty

  std::vector<std::string> set_names() const;
};

CellFacts facts_of(const Experiment& experiment);
std::vector<CellFacts> facts_of(const std::vector<Experiment>& experiments);

/// Sorted union of the cells' checkpoints.
std::vector<std::int64_t> all_rounds(const std::vector<CellFacts>& cells);

}  // namespace mixlab::engine
