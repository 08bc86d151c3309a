#include "mixlab/verdict/summary.h"

#include <algorithm>
#include <cmath>

#include "mixlab/store/layout.h"
#include "mixlab/store/results_file.h"
#include "mixlab/verdict/quantile.h"
#include "mixlab/verdict/regrets.h"
#include "numbers.h"

namespace mixlab::verdict {
namespace {

/// What findings, bounds, comparisons and rates are made of.
const std::vector<std::string> told = {"regret",    "first_violation", "log10_p",   "horizon_log10_p",
                                       "sup_ratio", "potential",       "completed", "first_bound_violation"};

using Values = std::vector<double>;

/// A column of one cell as it goes by: one sieve per set, or one.
class ColumnReading {
 public:
  ColumnReading(const store::ResultsFile& results, const store::Variable& column, std::int64_t cell)
      : results_(results), column_(column), cell_(static_cast<hsize_t>(cell)) {
    if (column.dimensions.size() > 2) sets_ = results.sets();
    const Sieve sieve(wanted_quantiles({1e-300, 0.5, 0.99, 1}, 0.5), verdict_room / n_values());
    sieves_.assign(n_values(), sieve);
    sums_.resize(n_values());
  }

  std::vector<Summary> read() {
    go_by([&](std::size_t i, double value) { sums_[i] += value; });
    while (end_pass(sieves_)) go_by([](std::size_t, double) {});
    std::vector<Summary> summaries(n_values());
    for (std::size_t i = 0; i < n_values(); ++i) {
      const auto runs = sieves_[i].take_runs();
      Summary& summary = summaries[i];
      summary.cell = static_cast<std::int64_t>(cell_);
      summary.column = column_.name;
      if (!sets_.empty()) summary.set = sets_[i];
      if (runs.empty()) continue;
      summary.n = runs.back().last_rank();
      summary.mean = sums_[i] / static_cast<double>(summary.n);
      summary.median = quantile(runs, 0.5);
      summary.q99 = quantile(runs, 0.99);
      summary.smallest = value_at(runs, 1);
      summary.largest = quantile(runs, 1);
    }
    return summaries;
  }

 private:
  std::size_t n_values() const { return std::max<std::size_t>(1, sets_.size()); }

  template <class Visit>
  void go_by(Visit visit) {
    results_.for_each_range([&](std::int64_t first, std::int64_t end) {
      store::Extent start = {cell_, static_cast<hsize_t>(first)}, count = {1, static_cast<hsize_t>(end - first)};
      if (!sets_.empty()) {
        start.push_back(0);
        count.push_back(sets_.size());
      }
      const Values values = read_numbers(results_.file(), column_, start, count);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        sieves_[i % n_values()].take(values[i]);
        visit(i % n_values(), values[i]);
      }
    });
  }

  const store::ResultsFile& results_;
  const store::Variable& column_;
  hsize_t cell_;
  std::vector<std::string> sets_;
  std::vector<Sieve> sieves_;
  Values sums_;
};

}  // namespace

std::vector<std::string> columns_without_finding(std::int64_t version) {
  std::vector<std::string> names;
  for (const auto& variable : store::results_layout()) {
    const auto& dimensions = variable.dimensions;
    const bool of_rows = dimensions.size() >= 2 && dimensions[1] == "trajectory" && dimensions.back() != "round";
    if (of_rows && variable.since <= version && std::find(told.begin(), told.end(), variable.name) == told.end())
      names.push_back(variable.name);
  }
  return names;
}

std::vector<Summary> summarise(const store::ResultsFile& results, const std::vector<std::string>& columns) {
  std::vector<Summary> all;
  const auto labels = results.file().read_text("label");
  for (const auto& name : columns)
    for (std::int64_t cell = 0; cell < results.n_cells(); ++cell)
      for (Summary& summary : ColumnReading(results, store::layout_of(name), cell).read()) {
        if (summary.n == 0) continue;
        summary.label = one_line(labels.at(static_cast<std::size_t>(cell)));
        all.push_back(std::move(summary));
      }
  return all;
}

}  // namespace mixlab::verdict
