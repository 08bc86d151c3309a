// The part of a verdict that somebody asks to see. What is said of the study as a whole does not depend on it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command.h"
#include "mixlab/verdict/verdict.h"

namespace mixlab::cli {

struct VerdictSelection {
  std::vector<std::int64_t> cells;  ///< empty: all
  std::vector<std::string> sets;    ///< empty: all
  bool contradicted = false;        ///< only what contradicts the study

  bool is_all() const { return cells.empty() && sets.empty() && !contradicted; }
};

void add_selection_options(boost::program_options::options_description& options);

/// Throws InputError for a cell or set that the study does not have.
VerdictSelection selection_in(const Options& options, const verdict::Verdict& verdict);

/// The same verdict with shorter lists.
verdict::Verdict selected(const verdict::Verdict& verdict, const VerdictSelection& selection);

}  // namespace mixlab::cli
