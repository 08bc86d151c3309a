#include "verdict_selection.h"

#include <algorithm>

#include "mixlab/core/text.h"

namespace mixlab::cli {
namespace {

namespace po = boost::program_options;

template <class T>
bool has(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::vector<std::string> sets_of(const verdict::Verdict& verdict) {
  std::vector<std::string> sets;
  for (const auto& finding : verdict.findings)
    if (!has(sets, finding.set)) sets.push_back(finding.set);
  return sets;
}

}  // namespace

void add_selection_options(po::options_description& options) {
  options.add_options()("cell", po::value<std::vector<std::int64_t>>()->value_name("C"),
                        "show only this cell; repeatable")(
      "only", po::value<std::vector<std::string>>()->value_name("SET"), "show only this set; repeatable")(
      "contradicted", "show only what contradicts the study");
}

VerdictSelection selection_in(const Options& options, const verdict::Verdict& verdict) {
  VerdictSelection selection;
  selection.cells = cells_asked(options, static_cast<std::int64_t>(verdict.cells.size()));
  if (options.count("only")) selection.sets = options["only"].as<std::vector<std::string>>();
  const auto known = sets_of(verdict);
  for (const auto& set : selection.sets)
    if (!has(known, set))
      throw InputError("bad --only: '" + set + "' (must be a set that the study watches); it watches " + join(known));
  selection.contradicted = options.count("contradicted") > 0;
  return selection;
}

verdict::Verdict selected(const verdict::Verdict& verdict, const VerdictSelection& selection) {
  verdict::Verdict part = verdict;
  const auto in_cell = [&](std::int64_t cell) { return selection.cells.empty() || has(selection.cells, cell); };
  const auto of_set = [&](const std::string& set) { return selection.sets.empty() || has(selection.sets, set); };
  const bool all = !selection.contradicted;
  std::erase_if(part.findings, [&](const auto& each) {
    return !in_cell(each.cell) || !of_set(each.set) || !(all || each.anytime.contradicted);
  });
  std::erase_if(part.bounds, [&](const auto& each) { return !in_cell(each.cell) || !(all || each.contradicted()); });
  std::erase_if(part.comparisons,
                [&](const auto& each) { return !all || !(in_cell(each.cell_a) || in_cell(each.cell_b)); });
  std::erase_if(part.rates,
                [&](const auto& each) { return !all || std::none_of(each.cells.begin(), each.cells.end(), in_cell); });
  std::erase_if(part.summaries, [&](const auto& each) {
    return !all || !in_cell(each.cell) || !(each.set.empty() || of_set(each.set));
  });
  return part;
}

}  // namespace mixlab::cli
