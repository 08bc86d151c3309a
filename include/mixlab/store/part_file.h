// A part file: the rows of one range of trajectories of one cell, complete in itself. Its name means done.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mixlab/engine/facts.h"
#include "mixlab/store/row_block.h"
#include "mixlab/study/plan.h"

namespace mixlab::store {

/// What all parts of a study have in common.
struct PartContext {
  std::string study_hash;
  std::string study_text;
  std::string numerics;         ///< what last bits depend on
  std::int64_t n_declared = 0;  ///< trajectories per cell that the study asked for when it was first run; 0: not known
};

/// Part files in the making. Rows come in blocks, in any order; with the last one a part gets its name. What is left
/// unfinished leaves nothing behind. The bytes of a part depend on its rows and the context alone.
class OpenParts {
 public:
  OpenParts(std::string folder, const std::vector<engine::CellFacts>& cells, PartContext context);
  ~OpenParts();
  /// Trajectories first, first + 1, ... of a part. True if the part is now on disk, under its name. Throws WriteError.
  bool add(const study::Part& part, std::int64_t first, const std::vector<engine::Row>& rows);

 private:
  class OpenPart;
  std::string folder_;
  const std::vector<engine::CellFacts>& cells_;
  PartContext context_;
  std::map<std::pair<int, std::int64_t>, std::unique_ptr<OpenPart>> open_;  // cell, first trajectory
};

inline constexpr const char* part_format = "mixlab part";

/// A part that was verified before it was opened, and means what its study says: its cell, its rounds, its sets.
class PartFile {
 public:
  /// Throws DamagedFile unless the file is whole, InputError unless it is the part its name says and belongs to the study.
  PartFile(const std::string& path, const study::Part& part, const study::Study& study);

  const std::string& path() const { return path_; }
  /// That it was made with.
  std::string numerics() const { return file_.text_attribute("numerics"); }
  const Reader& file() const { return file_; }
  /// As in the context; 0 in format version 1.
  std::int64_t n_declared() const;
  /// Trajectories first..end-1; both must lie inside.
  RowBlock read(std::int64_t first, std::int64_t end) const;

 private:
  std::string path_;
  study::Part part_;
  Reader file_;
  std::int64_t version_ = 0;
};

}  // namespace mixlab::store
