#include "mixlab/verdict/stopping.h"

#include <algorithm>

#include "mixlab/store/guard.h"
#include "mixlab/store/part_file.h"
#include "mixlab/study/look.h"
#include "mixlab/verdict/eprocess.h"

namespace mixlab::verdict {

std::int64_t first_decided(const std::vector<std::vector<Look>>& comparisons, double delta, const LevelSplit& split) {
  if (comparisons.empty()) return 0;
  std::vector<bool> decided(comparisons.size());
  for (std::size_t i = 0; i < comparisons.front().size(); ++i) {
    const std::int64_t n = comparisons.front()[i].n;
    if (n != study::look_after(n - 1)) continue;
    for (std::size_t c = 0; c < comparisons.size(); ++c)
      decided[c] = decided[c] || decided_by_looks({comparisons[c][i]}, delta, split);
    if (std::all_of(decided.begin(), decided.end(), [](bool is) { return is; })) return n;
  }
  return 0;
}

std::int64_t earliest_stop(const DeclaredCell& cell, std::int64_t n_words, std::int64_t n_most, LevelSplits& splits) {
  if (!cell.decides_anything()) return n_most;
  const double level = stopping_alpha / static_cast<double>(n_words);
  const double enough = splits.of(n_most, cell.delta, level).decisive_log_e();
  const bool some_hold = cell.n_holding > 0 || cell.theorem;
  const bool some_break = static_cast<std::int64_t>(cell.sets.size()) > cell.n_holding;
  for (const std::int64_t n : study::looks_until(n_most)) {
    if (some_hold && log_e_certified(0, n, cell.delta) < enough) continue;
    if (some_break && log_e_violated(n, n, cell.delta) < enough) continue;
    return n;
  }
  return n_most;
}

/// The rows of a results file and of parts, as one.
class Stopping::RowReading {
 public:
  RowReading(const study::Study& study, const store::ResultsFile* results, std::vector<store::RowSource> parts)
      : study_(study), results_(results), parts_(std::move(parts)) {
    if (results) all_ = merged_ = results->completed();
    for (const auto& source : parts_) all_.add(source.part.cell, source.part.first, source.part.end);
  }

  bool hold(int cell, std::int64_t first, std::int64_t end) const { return all_.missing(cell, first, end).empty(); }

  /// Misses among rows first..end-1, all of which are there: of each set, and of the regret theorem last.
  std::vector<std::int64_t> count(int cell, std::int64_t first, std::int64_t end,
                                  const std::vector<std::string>& sets) const {
    std::vector<std::int64_t> misses(sets.size() + 1);
    study::RowRanges counted;
    if (results_) {
      std::int64_t at = first;
      auto holes = merged_.missing(cell, first, end);
      holes.emplace_back(end, end);
      for (const auto& [hole_first, hole_end] : holes) {
        if (at < hole_first) {
          add(misses, results_->file(), {static_cast<hsize_t>(cell), static_cast<hsize_t>(at)}, hole_first - at, sets);
          counted.add(cell, at, hole_first);
        }
        at = hole_end;
      }
    }
    for (const auto& source : parts_) {
      if (source.part.cell != cell || source.part.first >= end || source.part.end <= first) continue;
      const auto holes = counted.missing(cell, std::max(first, source.part.first), std::min(end, source.part.end));
      if (holes.empty()) continue;
      const store::PartFile part(source.path, source.part, study_);
      for (const auto& [from, to] : holes) {
        add(misses, part.file(), {static_cast<hsize_t>(from - source.part.first)}, to - from, sets);
        counted.add(cell, from, to);
      }
    }
    return misses;
  }

 private:
  /// Adds what the rows from `start` on have missed.
  static void add(std::vector<std::int64_t>& misses, const store::Reader& file, store::Extent start, std::int64_t n,
                  const std::vector<std::string>& sets) {
    const auto names = file.read_text("set");
    store::Extent count(start.size(), 1);
    count.back() = static_cast<hsize_t>(n);
    for (const std::int32_t round : file.read<std::int32_t>("first_bound_violation", start, count))
      misses.back() += round > 0;
    start.push_back(0);
    count.push_back(names.size());
    const auto violation = file.read<std::int32_t>("first_violation", start, count);
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const auto column = static_cast<std::size_t>(std::find(names.begin(), names.end(), sets[s]) - names.begin());
      for (std::size_t i = column; i < violation.size(); i += names.size()) misses[s] += violation[i] > 0;
    }
  }

  const study::Study& study_;
  const store::ResultsFile* results_;
  std::vector<store::RowSource> parts_;
  study::RowRanges merged_, all_;
};

Stopping::Stopping(const std::vector<engine::CellFacts>& cells)
    : declared_(declared_in(cells)), level_(stopping_alpha / static_cast<double>(n_words(declared_))) {}

study::Goal Stopping::goal(const study::Study& study, const store::ResultsFile* results,
                           const std::vector<store::RowSource>& parts) {
  std::int64_t n_declared = study.trajectories();
  if (results && results->completed().count() > 0)
    for (const std::int64_t n : results->n_declared()) n_declared = std::min(n_declared, n);
  std::vector<store::RowSource> whole;
  for (const auto& source : parts) {
    try {
      if (!verified_.contains(source.path))
        verified_[source.path] = store::PartFile(source.path, source.part, study).n_declared();
      n_declared = std::min(n_declared, verified_[source.path]);
      whole.push_back(source);
    } catch (const store::DamagedFile&) {  // its shard will set it aside
    }
  }
  const RowReading rows(study, results, std::move(whole));
  const std::int64_t n_most = study.trajectories();
  std::vector<std::int64_t> wanted(declared_.size(), n_most), due(wanted);
  for (std::size_t c = 0; c < declared_.size(); ++c) {
    const DeclaredCell& cell = declared_[c];
    if (!cell.decides_anything()) continue;
    std::vector<std::vector<Look>> comparisons(cell.sets.size() + cell.theorem);
    std::int64_t n = 0;
    for (const std::int64_t look : study::looks_until(n_most - 1)) {
      const Stage stage{static_cast<int>(c), look};
      if (!known_.contains(stage) && !rows.hold(stage.cell, n, look)) {
        due[c] = look;
        break;
      }
      const auto& misses = misses_in(stage, n, rows);
      for (std::size_t i = 0; i < comparisons.size(); ++i)
        comparisons[i].push_back({look, misses[i] + (comparisons[i].empty() ? 0 : comparisons[i].back().misses)});
      n = look;
      if (first_decided(comparisons, cell.delta, splits_.of(n_declared, cell.delta, level_)) == 0) continue;
      wanted[c] = due[c] = look;
      break;
    }
  }
  return study::Goal(std::move(wanted), std::move(due));
}

const std::vector<std::int64_t>& Stopping::misses_in(const Stage& stage, std::int64_t first, const RowReading& rows) {
  const auto found = known_.find(stage);
  if (found != known_.end()) return found->second;
  const DeclaredCell& cell = declared_[static_cast<std::size_t>(stage.cell)];
  return known_[stage] = rows.count(stage.cell, first, stage.end, cell.sets);
}

}  // namespace mixlab::verdict
