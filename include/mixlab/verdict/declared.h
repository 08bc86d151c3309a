// What a study declares that it will judge, known before a trajectory is run: everything that prints a word. Their number
// is what the promise of a verdict is divided by (MATHEMATICS.md D.2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/engine/facts.h"
#include "mixlab/store/results_file.h"

namespace mixlab::verdict {

struct DeclaredCell {
  double delta = 0.05;
  std::vector<std::string> sets;  ///< of which something is expected
  std::int64_t n_holding = 0;     ///< of them, those expected to hold: each is also tested at all deltas at once
  bool theorem = false;           ///< a regret theorem speaks, and says more than the trivial bound

  std::int64_t n_words() const { return static_cast<std::int64_t>(sets.size()) + n_holding + theorem; }
  bool decides_anything() const { return !sets.empty() || theorem; }
};

/// M: the number of words of all cells, at least 1.
std::int64_t n_words(const std::vector<DeclaredCell>& cells);

std::vector<DeclaredCell> declared_in(const std::vector<engine::CellFacts>& cells);
std::vector<DeclaredCell> declared_in(const store::ResultsFile& results);

}  // namespace mixlab::verdict
