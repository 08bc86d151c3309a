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

/// Runs of p-values, of runs of their logarithms.
std::vector<ValueRun> powers_of_ten(std::vector<ValueRun> runs) {
  for (ValueRun& run : runs) run.value = std::pow(10.0, run.value);
  return runs;
}

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
    log_p_values_.assign(n_sets_, Sieve(wanted_logarithms, room));
    ratios_.assign(n_sets_, Sieve(wanted_quantiles(shares, question.alpha), room));
    sample_.sets.resize(n_sets_);
    sample_.limits.resize(question.limits.size());
    for (SetSample& set : sample_.sets) {
      set.misses.resize(limits_.size());
      set.horizon_misses.resize(limits_.size());
      set.looks_at.resize(limits_.size());
    }
  }

  CellSample read(const std::function<void(std::int64_t first, std::int64_t end)>& also) {
    auto next = question_.looks.begin();
    const auto read = [&](std::int64_t first, std::int64_t end) {
      if (also) also(first, end);
      return read_columns(first, end);
    };
    results_.for_each_range(read, [&](std::int64_t first, const Columns& columns) {
      const auto end = first + static_cast<std::int64_t>(columns.completed.size());
      for (std::int64_t from = first; from < end;) {
        const bool is_look = next != question_.looks.end() && *next <= end;
        const std::int64_t to = is_look ? *next : end;
        count_rows(columns, from, to);
        count_misses(columns, from, to);
        if (is_look) look(*next++);
        from = to;
      }
      compare_with_limits(columns);
      sift_p_values(columns.log10_p, first);
      sift_ratios(columns.sup_ratio);
    });
    for (;;) {
      const bool more_p_values = end_pass(log_p_values_), more_ratios = end_pass(ratios_);
      if (!more_p_values && !more_ratios) break;
      const auto read_again = [&](std::int64_t first, std::int64_t end) {
        return std::pair{more_p_values ? of_sets<double>("log10_p", first, end) : std::vector<double>{},
                         more_ratios ? of_sets<double>("sup_ratio", first, end) : std::vector<double>{}};
      };
      results_.for_each_range(read_again, [&](std::int64_t first, const auto& columns) {
        sift_p_values(columns.first, first);
        sift_ratios(columns.second);
      });
    }
    for (std::size_t s = 0; s < n_sets_; ++s) {
      sample_.sets[s].p_values = powers_of_ten(log_p_values_[s].take_runs());
      sample_.sets[s].ratios = ratios_[s].take_runs();
    }
    return std::move(sample_);
  }

 private:
  /// A range of rows. Columns over sets are row by row, set by set; NaN where a row was not run or a set not watched.
  struct Columns {
    std::int64_t first = 0;
    std::vector<std::uint8_t> completed;
    std::vector<std::int32_t> bound_violation;
    std::vector<std::vector<double>> limited;  ///< one per limit
    std::vector<std::int32_t> violation;
    std::vector<double> log10_p, horizon_log10_p, sup_ratio;
  };

  /// Powers of ten keep the order, and calibration does not mind equal neighbours: those of runs are enough.
  static std::vector<std::size_t> wanted_logarithms(const std::vector<ValueRun>& runs) {
    return wanted_by_calibration(powers_of_ten(runs));
  }

  template <class T>
  std::vector<T> column(const char* name, std::int64_t first, std::int64_t end) const {
    return file_.read<T>(name, {cell_, static_cast<hsize_t>(first)}, {1, static_cast<hsize_t>(end - first)});
  }
  template <class T>
  std::vector<T> of_sets(const char* name, std::int64_t first, std::int64_t end) const {
    return file_.read<T>(name, {cell_, static_cast<hsize_t>(first), 0},
                         {1, static_cast<hsize_t>(end - first), n_sets_});
  }

  Columns read_columns(std::int64_t first, std::int64_t end) const {
    Columns columns{first,
                    column<std::uint8_t>("completed", first, end),
                    column<std::int32_t>("first_bound_violation", first, end),
                    {},
                    of_sets<std::int32_t>("first_violation", first, end),
                    of_sets<double>("log10_p", first, end),
                    of_sets<double>("horizon_log10_p", first, end),
                    of_sets<double>("sup_ratio", first, end)};
    for (const Limit& limit : question_.limits)
      columns.limited.push_back(read_numbers(file_, store::layout_of(limit.column),
                                             {cell_, static_cast<hsize_t>(first)},
                                             {1, static_cast<hsize_t>(end - first)}));
    for (std::size_t i = 0; i < columns.violation.size(); ++i)
      if (columns.violation[i] >= 0 && (std::isnan(columns.log10_p[i]) || std::isnan(columns.sup_ratio[i])))
        throw InputError("damaged results file: '" + results_.path() +
                         "' (a trajectory that was run has no p-value or ratio); write it again with mixlab merge");
    return columns;
  }

  void count_rows(const Columns& columns, std::int64_t from, std::int64_t to) {
    for (std::int64_t at = from; at < to; ++at) {
      const auto row = static_cast<std::size_t>(at - columns.first);
      if (columns.completed[row] != 1) continue;
      ++sample_.n_run;
      sample_.bound_violations += columns.bound_violation[row] > 0;
    }
  }

  void compare_with_limits(const Columns& columns) {
    for (std::size_t i = 0; i < question_.limits.size(); ++i) {
      LimitSample& sample = sample_.limits[i];
      const auto& values = columns.limited[i];
      for (std::size_t row = 0; row < values.size(); ++row) {
        sample.largest = std::fmax(sample.largest, values[row]);
        if (!(values[row] > question_.limits[i].most)) continue;
        if (sample.violations++ == 0) sample.first_violation = columns.first + static_cast<std::int64_t>(row);
      }
    }
  }

  /// Calls with (set, index) of columns over sets.
  template <class Visit>
  void for_each_set(std::size_t n_rows, Visit visit) const {
    for (std::size_t row = 0; row < n_rows; ++row)
      for (std::size_t s = 0; s < n_sets_; ++s) visit(s, row * n_sets_ + s);
  }

  void count_misses(const Columns& columns, std::int64_t from, std::int64_t to) {
    const auto before = static_cast<std::size_t>(from - columns.first) * n_sets_;
    for_each_set(static_cast<std::size_t>(to - from), [&](std::size_t s, std::size_t index) {
      const std::size_t i = before + index;
      if (columns.violation[i] < 0) return;
      SetSample& set = sample_.sets[s];
      ++set.n;
      set.violations += columns.violation[i] > 0;
      for (std::size_t level = 0; level < limits_.size(); ++level) {
        set.misses[level] += columns.log10_p[i] < limits_[level];
        set.horizon_misses[level] += columns.horizon_log10_p[i] < limits_[level];
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

  void sift_p_values(const std::vector<double>& log10_p, std::int64_t first) {
    const std::int64_t n_rows = static_cast<std::int64_t>(log10_p.size() / n_sets_);
    const std::int64_t n_calibrated = std::clamp<std::int64_t>(question_.n_calibrated - first, 0, n_rows);
    for_each_set(static_cast<std::size_t>(n_calibrated), [&](std::size_t s, std::size_t i) {
      if (!std::isnan(log10_p[i])) log_p_values_[s].take(std::min(log10_p[i], 0.0));  // above 1 all are alike
    });
  }

  void sift_ratios(const std::vector<double>& sup_ratio) {
    for_each_set(sup_ratio.size() / n_sets_, [&](std::size_t s, std::size_t i) {
      if (!std::isnan(sup_ratio[i])) ratios_[s].take(sup_ratio[i]);
    });
  }

  const store::ResultsFile& results_;
  const store::Reader& file_;
  hsize_t cell_;
  const Question& question_;
  std::size_t n_sets_ = 0;
  std::vector<double> limits_;  ///< log10 of the deltas
  std::vector<Sieve> log_p_values_;
  std::vector<Sieve> ratios_;
  CellSample sample_;
};

}  // namespace

CellSample read_sample(const store::ResultsFile& results, std::int64_t cell, const Question& question,
                       const std::function<void(std::int64_t first, std::int64_t end)>& also) {
  return CellReading(results, cell, question).read(also);
}

}  // namespace mixlab::verdict
