// How the cells of a study hang together: which keys it sweeps, and which cells differ in one thing only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mixlab/store/results_file.h"

namespace mixlab::verdict {

using Cells = std::vector<std::int64_t>;

/// Cells that differ, among all swept keys, in one alone.
struct SweepLine {
  std::string key;        ///< "study.horizon" or "noise.tau"
  Cells cells;            ///< in ascending order of x
  std::vector<double> x;  ///< the key's value in each
  std::string label;      ///< what they share, in words
  bool same_noise = false;
};

class Sweep {
 public:
  explicit Sweep(const store::ResultsFile& results);

  /// Pairs of cells with the same noise, horizon and confidence settings and another policy.
  std::vector<std::pair<std::int64_t, std::int64_t>> rivals() const;
  /// All lines along the horizon and along tau, of at least two points.
  std::vector<SweepLine> lines() const;

  bool has(const std::string& key) const { return columns_.contains(key); }
  bool is_swept(const std::string& key) const;
  /// The value of a numeric key; NaN if the cell has none.
  double number(const std::string& key, std::int64_t cell) const;
  const std::string& text(const std::string& key, std::int64_t cell) const {
    return columns_.at(key).at(cell_index(cell));
  }
  const std::string& label(std::int64_t cell) const { return labels_.at(cell_index(cell)); }

 private:
  static std::size_t cell_index(std::int64_t cell) { return static_cast<std::size_t>(cell); }
  /// The values of the keys that are wanted, in the order of the keys.
  std::vector<std::string> values(std::int64_t cell, const std::function<bool(const std::string&)>& wanted) const;
  /// All of [problem] and [noise]: cells that agree in it have the same noise.
  std::vector<std::string> environment(std::int64_t cell) const;
  std::vector<SweepLine> lines_along(const std::string& key, const std::set<std::string>& written_as) const;
  std::string label_without(std::int64_t cell, const std::set<std::string>& keys) const;

  std::int64_t n_cells_ = 0;
  std::vector<std::string> labels_;
  std::vector<std::string> swept_;                           ///< full keys
  std::vector<std::string> sweep_;                           ///< their values as written, cell by cell
  std::map<std::string, std::vector<std::string>> columns_;  ///< full key -> value per cell, as text
};

}  // namespace mixlab::verdict
