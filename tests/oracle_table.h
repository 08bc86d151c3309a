// A table that an oracle of tests/oracle has printed.
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "mixlab/core/text.h"

namespace mixlab {

/// One line of the table, by column.
class OracleLine {
 public:
  OracleLine(const std::vector<std::string>& columns, const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < columns.size(); ++i) values_[columns[i]] = values.at(i);
  }
  const std::string& text(const std::string& column) const { return values_.at(column); }
  double real(const std::string& column) const { return std::stod(text(column)); }
  std::int64_t integer(const std::string& column) const { return std::stoll(text(column)); }

 private:
  std::map<std::string, std::string> values_;
};

inline std::vector<OracleLine> oracle_table(const std::string& name) {
  std::ifstream file(MIXLAB_SOURCE_DIR "/tests/oracle/" + name);
  std::string line;
  std::getline(file, line);
  const auto columns = split(line, ',');
  std::vector<OracleLine> lines;
  while (std::getline(file, line)) lines.emplace_back(columns, split(line, ','));
  return lines;
}

}  // namespace mixlab
