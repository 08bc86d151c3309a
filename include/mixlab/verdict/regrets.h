// Regret at the horizon, of all cells: what comparisons and rates are made of.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace mixlab::store {
class ResultsFile;
}

namespace mixlab::verdict {

/// One trajectory, run in several cells: its regret in each.
using RegretRow = std::span<const double>;
/// Calls with every row of a table, in order of trajectory; a table can be gone through again and again.
using RegretTable = std::function<void(const std::function<void(RegretRow)>& visit)>;

/// How many numbers are held in memory of a table, or of the columns that go by together: 13 sets on 20 000
/// trajectories. Longer ones go by several times.
inline constexpr std::size_t verdict_room = std::size_t{1} << 19;

class Regrets {
 public:
  explicit Regrets(const store::ResultsFile& results);

  /// Reads these trajectories now, if those of all cells are few enough to be held in memory; those before them come first.
  void keep(std::int64_t cell, std::int64_t first, std::int64_t end);
  /// Trajectories first..end-1; NaN: not run.
  std::vector<double> read(std::int64_t cell, std::int64_t first, std::int64_t end) const;
  /// The trajectories that were run in all of these cells.
  RegretTable common_rows(std::vector<std::int64_t> cells) const;

 private:
  std::vector<double> read_file(std::int64_t cell, std::int64_t first, std::int64_t end) const;

  const store::ResultsFile& results_;
  std::vector<std::size_t> horizons_;      ///< of each cell, where in `round`
  std::vector<std::vector<double>> kept_;  ///< of each cell, from the first trajectory on
};

}  // namespace mixlab::verdict
