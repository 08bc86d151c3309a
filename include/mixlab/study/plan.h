// The plan: which rows (cell, trajectory) there are, cut into parts. A pure function of the study and of the rows
// that are already done, never of time or machine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mixlab/study/study.h"

namespace mixlab::study {

/// Trajectories first..end-1 of one cell: the unit that is computed, written and acknowledged as a whole.
struct Part {
  int cell = 0;
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::int64_t number = 0;  ///< decides the shard

  std::int64_t size() const { return end - first; }
};

/// "c0003-000000-001023.h5"
std::string file_name(const Part& part);
/// The part that a file of this name holds, without its number; nothing if it is not the name of a part.
std::optional<Part> parse_file_name(const std::string& name);

/// A set of rows, as disjoint ranges of trajectories per cell.
class RowRanges {
 public:
  void add(int cell, std::int64_t first, std::int64_t end);
  std::int64_t count() const;
  std::int64_t count(int cell) const;
  /// The ranges inside [first, end) that are not in the set.
  std::vector<std::pair<std::int64_t, std::int64_t>> missing(int cell, std::int64_t first, std::int64_t end) const;

 private:
  std::map<int, std::map<std::int64_t, std::int64_t>> ranges_;  // cell -> first -> end
};

struct Shard {
  std::int64_t index = 0;
  std::int64_t count = 1;
};

/// Throws InputError unless `text` is I/N with 0 <= I < N.
Shard parse_shard(const std::string& text);

/// Whether cells may stop before all their trajectories are run: `study.stop = verdict`.
bool stops_at_verdict(const Study& study);

/// The parts still to be computed by this shard. `part_sizes`: one per cell. Parts never cross a multiple of the part
/// size, so a study that grows only adds ranges; nor a look, where cells may stop.
std::vector<Part> missing_parts(const Study& study, const std::vector<std::int64_t>& part_sizes, const RowRanges& done,
                                Shard shard = {});
/// The same up to trajectory ends[cell] only. Numbers, and so shards, do not depend on where cells end.
std::vector<Part> missing_parts(const Study& study, const std::vector<std::int64_t>& part_sizes,
                                const std::vector<std::int64_t>& ends, const RowRanges& done, Shard shard = {});

/// About n log-spaced rounds from 1 to T, both included.
std::vector<std::int64_t> checkpoints(std::int64_t T, int n);

}  // namespace mixlab::study
