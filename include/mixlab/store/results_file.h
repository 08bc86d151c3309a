// results.h5: all rows of a study in one netCDF-4 readable file, with everything needed to understand them.
// analysis/FORMAT.md describes every path.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/store/hdf5_reader.h"
#include "mixlab/store/part_file.h"
#include "mixlab/study/plan.h"
#include "mixlab/study/study.h"

namespace mixlab::store {

inline constexpr const char* results_format = "mixlab results";
inline constexpr std::int64_t results_version = 1;

/// A results file that was verified before it was opened.
class ResultsFile {
 public:
  /// Throws InputError unless the file is a whole results file of a version we know.
  explicit ResultsFile(const std::string& path);

  const std::string& path() const { return path_; }
  const Reader& file() const { return file_; }
  std::int64_t n_cells() const;
  std::int64_t n_trajectories() const;
  std::vector<std::string> sets() const { return file_.read_text("set"); }
  std::string study_hash() const { return file_.text_attribute("study_hash"); }
  std::string study_text() const { return file_.text_attribute("study"); }
  std::string runs() const { return file_.text_attribute("runs"); }
  std::string numerics() const { return file_.text_attribute("numerics"); }
  /// The files that the study names.
  Attachments files() const;
  /// The rows that were run.
  study::Rows completed() const;
  /// Trajectories first..end-1 of a cell, with the rounds and sets of the whole file.
  RowBlock read(int cell, std::int64_t first, std::int64_t end) const;

 private:
  std::string path_;
  Reader file_;
};

/// Where rows lie: a verified part file, or (empty path) the old results file.
struct RowSource {
  std::string path;
  study::Part part;
};

struct ResultsContents {
  const study::Study& study;
  const std::vector<engine::Experiment>& experiments;
  const ResultsFile* old = nullptr;  ///< rows already merged, if any
  std::vector<RowSource> sources;
  std::string runs;      ///< log of runs
  std::string numerics;  ///< of all rows
};

/// Assembles the file in a temporary and gives it its name at the end. Memory does not depend on the number of
/// trajectories. Throws WriteError or InputError.
void write_results(const std::string& path, const ResultsContents& contents);

/// Bytes a trajectory takes in the file, before compression.
double row_size(const study::Study& study, const std::vector<engine::Experiment>& experiments);

/// Bytes a part file takes beyond its rows.
inline constexpr double part_overhead = 40e3;
/// Bytes the file will need, before compression.
double results_size(const study::Study& study, const std::vector<engine::Experiment>& experiments);

/// Sorted union of the cells' checkpoints.
std::vector<std::int64_t> all_rounds(const std::vector<engine::Experiment>& experiments);

}  // namespace mixlab::store
