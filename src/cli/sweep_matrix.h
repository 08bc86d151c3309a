// The cells of a sweep as text: one swept key across, everything else down.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mixlab/verdict/verdict.h"

namespace mixlab::cli {

/// Cells that differ in the key across alone.
struct CellLine {
  std::vector<std::string> sweep;   ///< what they share; empty at the key across
  std::vector<std::int64_t> cells;  ///< one for each value of that key, -1 where there is none
};

struct SweepLayout {
  std::size_t across = 0;           ///< which of the swept keys
  std::vector<std::string> values;  ///< of that key, ascending if they are numbers; "" if a cell does not have it
  std::vector<CellLine> lines;
};

/// Across goes the number with most values, else the word. `cells`: at least one; the study sweeps something.
SweepLayout lay_out(const verdict::Verdict& verdict, const std::vector<std::int64_t>& cells);

/// What is told of every cell, under a name.
struct MatrixEntries {
  std::string name;
  std::function<std::string(std::int64_t cell)> entry;  ///< empty: nothing to tell
};

/// One line per name and line of cells; several tables where one would be too wide for a terminal.
std::string matrix_text(const verdict::Verdict& verdict, const SweepLayout& layout,
                        const std::vector<MatrixEntries>& all);

/// "rho=0.9, linucb": the values of those keys for which `wanted` holds.
std::string sweep_words(const verdict::Verdict& verdict, const std::vector<std::string>& sweep,
                        const std::function<bool(const std::string& key)>& wanted);

}  // namespace mixlab::cli
