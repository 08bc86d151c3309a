#include "mixlab/verdict/sample.h"

#include <algorithm>
#include <cmath>

#include "mixlab/core/error.h"
#include "mixlab/verdict/calibration.h"
#include "mixlab/verdict/quantile.h"
#include "mixlab/verdict/regrets.h"
#include "numbers.h"

namespace mixlab::verdict {
namespace {

/// The columns of a cell as they go by.
class CellReading {
 public:
  CellReading(const store::ResultsFile& results, std::int64_t cell, const Question& question)
      : results_(results), file_(results.file()), cell_(static_cast<hsize_t>(cell)), question_(question) {
    n_sets_ = results.sets().size();
    for (const double delta : question.deltas) limits_.push_back(std::log10(delta));
    std::vector<double> shares = {0.5, 1};
    for (const double delta : question.deltas) shares.push_back(1 - delta);
    const std::size_t room = verdict_room / (2 * n_sets_);
    p_values_.assign(n_sets_, Sieve(wanted_by_calibration, room));
    ratios_.assign(n_sets_, Sieve(wanted_quantiles(shares, question.alpha), room));
    sample_.sets.resize(n_sets_);
    sample_.limits.resize(question.limits.size());
    for (SetSample& set : sample_.sets) {
      set.misses.resize(limits_.size());
      set.horizon_misses.resize(limits_.size());
      set.looks_at.resize(limits_.size());
    }
  }

  CellSample read() {
    auto next = question_.looks.begin();
    results_.for_each_range([&](std::int64_t first, std::int64_t end) {
      for (std::int64_t from = first; from < end;) {
        const bool is_look = next != question_.looks.end() && *next <= end;
        const std::int64_t to = is_look ? *next : end;
        count_rows(from, to);
        count_misses(from, to);
        compare_with_limits(from, to);
        if (is_look) look(*next++);
        from = to;
      }
      sift(first, end);
    });
    for (;;) {
      const bool more_p_values = end_pass(p_values_), more_ratios = end_pass(ratios_);
      if (!more_p_values && !more_ratios) break;
      results_.for_each_range([&](std::int64_t first, std::int64_t end) { sift(first, end); });
    }
    for (std::size_t s = 0; s < n_sets_; ++s) {
      sample_.sets[s].p_values = p_values_[s].take_runs();
      sample_.sets[s].ratios = ratios_[s].take_runs();
    }
    return std::move(sample_);
  }

 private:
  template <class T>
  std::vector<T> column(const char* name, std::int64_t first, std::int64_t end) const {
    return file_.read<T>(name, {cell_, static_cast<hsize_t>(first)}, {1, static_cast<hsize_t>(end - first)});
  }
  template <class T>
  std::vector<T> of_sets(const char* name, std::int64_t first, std::int64_t end) const {
    return file_.read<T>(name, {cell_, static_cast<hsize_t>(first), 0},
                         {1, static_cast<hsize_t>(end - first), n_sets_});
  }

  void count_rows(std::int64_t first, std::int64_t end) {
    const auto completed = column<std::uint8_t>("completed", first, end);
    const auto bound_violation = column<std::int32_t>("first_bound_violation", first, end);
    for (std::size_t row = 0; row < completed.size(); ++row) {
      if (completed[row] != 1) continue;
      ++sample_.n_run;
      sample_.bound_violations += bound_violation[row] > 0;
    }
  }

  void compare_with_limits(std::int64_t first, std::int64_t end) {
    for (std::size_t i = 0; i < question_.limits.size(); ++i) {
      const Limit& limit = question_.limits[i];
      LimitSample& sample = sample_.limits[i];
      const auto values = read_numbers(file_, store::layout_of(limit.column), {cell_, static_cast<hsize_t>(first)},
                                       {1, static_cast<hsize_t>(end - first)});
      for (std::size_t row = 0; row < values.size(); ++row) {
        sample.largest = std::fmax(sample.largest, values[row]);
        if (!(values[row] > limit.most)) continue;
        if (sample.violations++ == 0) sample.first_violation = first + static_cast<std::int64_t>(row);
      }
    }
  }

  /// Calls with (set, index into the columns of sets) where the row was run and the set was watched.
  template <class Visit>
  void for_each_watched(std::int64_t first, std::int64_t end, const std::vector<std::int32_t>& violation,
                        Visit visit) const {
    const auto completed = column<std::uint8_t>("completed", first, end);
    for (std::size_t i = 0; i < violation.size(); ++i)
      if (completed[i / n_sets_] == 1 && violation[i] >= 0) visit(i % n_sets_, i);
  }

  void count_misses(std::int64_t first, std::int64_t end) {
    const auto violation = of_sets<std::int32_t>("first_violation", first, end);
    const auto log10_p = of_sets<double>("log10_p", first, end);
    const auto horizon_log10_p = of_sets<double>("horizon_log10_p", first, end);
    for_each_watched(first, end, violation, [&](std::size_t s, std::size_t i) {
      SetSample& set = sample_.sets[s];
      ++set.n;
      set.violations += violation[i] > 0;
      for (std::size_t level = 0; level < limits_.size(); ++level) {
        set.misses[level] += log10_p[i] < limits_[level];
        set.horizon_misses[level] += horizon_log10_p[i] < limits_[level];
      }
    });
  }

  /// Takes down the counts so far: the first n trajectories have gone by, without a gap.
  void look(std::int64_t n) {
    sample_.bound_looks.push_back({n, sample_.bound_violations});
    for (SetSample& set : sample_.sets) {
      set.looks.push_back({n, set.violations});
      for (std::size_t level = 0; level < limits_.size(); ++level)
        set.looks_at[level].push_back({n, set.misses[level]});
    }
  }

  void sift(std::int64_t first, std::int64_t end) {
    const auto violation = of_sets<std::int32_t>("first_violation", first, end);
    const auto log10_p = of_sets<double>("log10_p", first, end);
    const auto sup_ratio = of_sets<double>("sup_ratio", first, end);
    for_each_watched(first, end, violation, [&](std::size_t s, std::size_t i) {
      if (std::isnan(log10_p[i]) || std::isnan(sup_ratio[i]))
        throw InputError("damaged results file: '" + results_.path() +
                         "' (a trajectory that was run has no p-value or ratio); write it again with mixlab merge");
      const bool is_calibrated = first + static_cast<std::int64_t>(i / n_sets_) < question_.n_calibrated;
      if (is_calibrated && !p_values_[s].done()) p_values_[s].take(std::pow(10.0, log10_p[i]));
      ratios_[s].take(sup_ratio[i]);
    });
  }

  const store::ResultsFile& results_;
  const store::Reader& file_;
  hsize_t cell_;
  const Question& question_;
  std::size_t n_sets_ = 0;
  std::vector<double> limits_;  ///< log10 of the deltas
  std::vector<Sieve> p_values_;
  std::vector<Sieve> ratios_;
  CellSample sample_;
};

}  // namespace

CellSample read_sample(const store::ResultsFile& results, std::int64_t cell, const Question& question) {
  return CellReading(results, cell, question).read();
}

}  // namespace mixlab::verdict
