#include "mixlab/store/layout.h"

#include <algorithm>
#include <stdexcept>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/store/row_block.h"
#include "mixlab/study/study.h"

namespace mixlab::store {
namespace {

std::vector<Variable> make_layout() {
  std::vector<Variable> all = {
      {"cell", {"cell"}, Type::int64, "", "cell of the study, from 0", 1},
      {"trajectory", {"trajectory"}, Type::int64, "", "trajectory number, from 0", 1},
      {"round",
       {"round"},
       Type::int64,
       "",
       "rounds t at which regret is kept: sorted union of the cells' checkpoints",
       1},
      {"set", {"set"}, Type::text, "", "monitored confidence sets", 1},
      {"swept", {"swept"}, Type::text, "", "keys that the study sweeps; absent if none", 2, true},
  };
  engine::for_each_column<engine::Row>([&]<class Column>(const Column& column) {
    all.push_back({column.name, dimensions_of(column.axis, {"cell", "trajectory"}), type_of<typename Column::Element>(),
                   column.unit, column.meaning, column.since});
  });
  const std::vector<std::string> cell = {"cell"}, cell_set = {"cell", "set"}, cell_round = {"cell", "round"};
  const std::vector<Variable> of_cells = {
      {"completed", {"cell", "trajectory"}, Type::uint8, "", "1 where the row was run", 1},
      {"n_run", cell, Type::int64, "", "trajectories of the cell that were run", 2},
      {"n_declared", cell, Type::int64, "", "trajectories that the study asked for when it was first run; 0: not known",
       2},
      {"guaranteed", cell_set, Type::uint8, "", "1 where the theory covers the set on the data of this policy", 1},
      {"why_not_guaranteed", cell_set, Type::text, "", "why it does not; empty where it does", 2},
      {"expected", cell_set, Type::uint8, "", "what the study expects: 0 any, 1 holds, 2 broken", 1},
      {"bound_worst_case", cell_round, Type::float64, "reward", "the worst-case regret theorem; NaN where none applies",
       1},
      {"bound_gap", cell_round, Type::float64, "reward", "the gap-dependent regret theorem; NaN where none applies", 1},
      {"bound_vacuous", cell, Type::uint8, "", "1 where `bound_worst_case` at the horizon is not below the trivial 2BT",
       1},
      {"bound_potential", cell_round, Type::float64, "1", "right-hand side of the delayed potential lemma", 1},
      {"bound_fresh_potential", cell_round, Type::float64, "1", "largest possible fresh_potential", 3},
      {"bound_stale_rounds", cell_round, Type::float64, "1", "largest possible stale_rounds", 3},
      {"exponent_in_horizon", cell, Type::float64, "1",
       "exponent of T in the regret theorem for this set, delay rule and noise, logarithms aside; NaN where none "
       "applies",
       2},
      {"exponent_in_memory", cell, Type::float64, "1", "the same for tau", 2},
      {"radius2",
       {"cell", "set", "round"},
       Type::float64,
       "1",
       "beta_t^2; for sets whose radius depends on data, with the largest possible determinant",
       1},
      {"label", cell, Type::text, "", "the cell in words", 1},
      {"sweep", {"cell", "swept"}, Type::text, "", "value of each swept key as the study wrote it", 2, true},
      {"caveat", cell, Type::text, "", "what a reader of the verdict must know about the noise; mostly empty", 2},
  };
  all.insert(all.end(), of_cells.begin(), of_cells.end());
  return all;
}

bool is_in_layout(const std::string& name) {
  const auto& all = results_layout();
  return std::any_of(all.begin(), all.end(), [&](const Variable& each) { return each.name == name; });
}

/// Whether a variable is a key of the study, cell by cell.
bool is_parameter(const std::string& name) {
  return find_control(name) == std::string::npos &&
         std::any_of(study::section_names.begin(), study::section_names.end(),
                     [&](const std::string& section) { return name.starts_with(section + "_"); });
}

}  // namespace

const std::vector<Variable>& results_layout() {
  static const std::vector<Variable> layout = make_layout();
  return layout;
}

const Variable& layout_of(const std::string& name) {
  const auto& all = results_layout();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Variable& each) { return each.name == name; });
  if (found == all.end()) throw std::logic_error("no such variable in the layout: " + name);
  return *found;
}

std::int64_t known_version(const Reader& file, const char* what) {
  const std::int64_t version = file.integer_attribute("format_version");
  if (version >= 1 && version <= format_version) return version;
  throw InputError(std::string(what) + " of another mixlab: '" + file.path() + "' (format version " +
                   std::to_string(version) + ", this program knows 1 to " + std::to_string(format_version) +
                   "); update mixlab");
}

void require_layout(const Reader& file, std::int64_t version) {
  for (const auto& variable : results_layout())
    if (variable.since <= version && (!variable.optional || file.has(variable.name)))
      file.require(variable.name, variable.type, variable.dimensions);
  file.require("confidence_delta", Type::float64, {"cell"});
  file.require("study_horizon", Type::int64, {"cell"});
  for (const auto& name : file.variables()) {
    if (is_parameter(name))
      file.require_extent(name, {"cell"});
    else if (!is_in_layout(name))
      throw InputError("not a results file as mixlab writes them: '" + file.path() + "' (nothing is known of " +
                       visible(name) + "); restore or recompute it");
  }
}

}  // namespace mixlab::store
