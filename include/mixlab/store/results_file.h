// OUT.h5 as it is read: all rows of a study in one netCDF-4 readable file, with everything needed to understand them.
// analysis/FORMAT.md describes every path.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mixlab/core/attachments.h"
#include "mixlab/store/hdf5_reader.h"
#include "mixlab/store/layout.h"
#include "mixlab/store/row_block.h"
#include "mixlab/study/plan.h"

namespace mixlab::store {

/// A results file that was verified before it was opened.
class ResultsFile {
 public:
  /// Throws InputError unless the file is a whole results file of a version we know, and means what its study says.
  explicit ResultsFile(const std::string& path);

  const std::string& path() const { return path_; }
  const Reader& file() const { return file_; }
  std::int64_t version() const { return version_; }
  std::int64_t n_cells() const;
  std::int64_t n_trajectories() const;
  std::vector<std::string> sets() const { return file_.read_text("set"); }
  std::string study_hash() const { return file_.text_attribute("study_hash"); }
  std::string study_text() const { return file_.text_attribute("study"); }
  std::string runs() const { return file_.text_attribute("runs"); }
  std::string numerics() const { return file_.text_attribute("numerics"); }
  /// The files that the study names.
  Attachments files() const;

  /// Keys that the study sweeps ("noise.rho"), and their values as it wrote them: cell by cell, key by key.
  std::vector<std::string> swept() const;
  std::vector<std::string> sweep() const;
  /// Cell by cell, set by set; empty where the theory covers the set.
  std::vector<std::string> why_not_guaranteed() const;
  /// Per cell.
  std::vector<std::string> caveats() const;
  /// Trajectories asked for when the study was first run, per cell; 0: not known.
  std::vector<std::int64_t> n_declared() const;
  /// Of the regret theorem in T or tau, per cell; NaN where none speaks.
  std::vector<double> exponent_in_horizon() const;
  std::vector<double> exponent_in_memory() const;
  /// Every parameter, per cell, as text: keys "section.key".
  std::map<std::string, std::vector<std::string>> parameters() const;

  /// The rows that were run.
  study::RowRanges completed() const;
  /// Trajectories first..end-1 of a cell, with the rounds and sets of the whole file.
  RowBlock read(int cell, std::int64_t first, std::int64_t end) const;
  /// visit(first, end) for ranges of trajectories that are whole chunks of the file: what is read so is inflated once.
  void for_each_range(const std::function<void(std::int64_t first, std::int64_t end)>& visit) const;
  /// visit(first, what read(first, end) gave) for the same ranges. One is visited while a thread reads the next:
  /// only `read` may use the file.
  template <class Read, class Visit>
  void for_each_range(Read read, Visit visit) const;

 private:
  /// Throws InputError unless cells, rows, rounds, sets, parameters and expectations are those of the study inside; of a
  /// study with names that this program does not know, as far as its text tells them.
  void require_own_study() const;

  std::string path_;
  Reader file_;
  std::int64_t version_ = 0;
};

inline constexpr const char* file_attribute = "file:";  // + path: the text of a file that the study names

/// The column of a study's key: "noise.rho" is "noise_rho".
std::string column_name(const std::string& key);

template <class Read, class Visit>
void ResultsFile::for_each_range(Read read, Visit visit) const {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for_each_range([&](std::int64_t first, std::int64_t end) { ranges.emplace_back(first, end); });
  const auto start_reading = [&](std::size_t i) {
    // Where no thread can be had this one reads, when it needs to.
    return std::async(std::launch::async | std::launch::deferred, [&, i] {
      silence_hdf5();
      return read(ranges[i].first, ranges[i].second);
    });
  };
  if (ranges.empty()) return;
  auto next = start_reading(0);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto now = next.get();
    if (i + 1 < ranges.size()) next = start_reading(i + 1);
    visit(ranges[i].first, now);
  }
}

}  // namespace mixlab::store
