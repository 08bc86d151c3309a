#include "mixlab/verdict/declared.h"

#include <algorithm>
#include <cmath>

#include "mixlab/study/expectation.h"

namespace mixlab::verdict {
namespace {

void declare(DeclaredCell& cell, const std::string& set, study::Expected expected) {
  if (expected == study::Expected::any) return;
  cell.sets.push_back(set);
  cell.n_holding += expected == study::Expected::holds;
}

bool speaks(double bound) {
  return !std::isnan(bound);
}

}  // namespace

std::int64_t n_words(const std::vector<DeclaredCell>& cells) {
  std::int64_t n = 0;
  for (const auto& cell : cells) n += cell.n_words();
  return std::max<std::int64_t>(n, 1);
}

std::vector<DeclaredCell> declared_in(const std::vector<engine::CellFacts>& cells) {
  std::vector<DeclaredCell> declared;
  for (const auto& facts : cells) {
    DeclaredCell cell;
    cell.delta = facts.values.real("confidence.delta");
    for (const auto& set : facts.sets) declare(cell, set.name, set.expected);
    cell.theorem = speaks(facts.bound_worst_case.back()) && !facts.bound_vacuous;
    declared.push_back(std::move(cell));
  }
  return declared;
}

std::vector<DeclaredCell> declared_in(const store::ResultsFile& results) {
  const auto& file = results.file();
  const auto sets = results.sets();
  const auto delta = file.read<double>("confidence_delta");
  const auto expected = file.read<std::uint8_t>("expected");
  const auto vacuous = file.read<std::uint8_t>("bound_vacuous");
  const auto bounds = file.read<double>("bound_worst_case");  // NaN at all rounds where no theorem speaks
  const std::size_t n_rounds = file.extent("round").at(0);
  std::vector<DeclaredCell> declared(delta.size());
  for (std::size_t c = 0; c < declared.size(); ++c) {
    declared[c].delta = delta[c];
    for (std::size_t s = 0; s < sets.size(); ++s)
      declare(declared[c], sets[s], static_cast<study::Expected>(expected[c * sets.size() + s]));
    const auto first = bounds.begin() + static_cast<std::ptrdiff_t>(c * n_rounds);
    declared[c].theorem = vacuous[c] != 1 && std::any_of(first, first + static_cast<std::ptrdiff_t>(n_rounds), speaks);
  }
  return declared;
}

}  // namespace mixlab::verdict
