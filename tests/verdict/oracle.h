// The statistics of the verdict against tests/oracle/statistics.csv.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "mixlab/core/text.h"
#include "mixlab/verdict/binomial.h"

namespace mixlab::verdict {

using Numbers = std::vector<double>;

inline std::int64_t whole(double number) {
  return static_cast<std::int64_t>(number);
}

inline Numbers numbers_in(const std::string& text) {
  Numbers numbers;
  for (const auto& word : split_blanks(text))
    numbers.push_back(word == "-" ? unknown : std::strtod(word.c_str(), nullptr));
  return numbers;
}

/// Probabilities as small as they come must still agree in their digits.
inline bool close(double mine, double theirs) {
  if (std::isnan(theirs)) return std::isnan(mine);
  return std::abs(mine - theirs) <= 1e-10 * std::abs(theirs) + 1e-300;
}

/// A logarithm near 0 is that of a number near 1.
inline bool close_logs(double mine, double theirs) {
  return std::abs(mine - theirs) <= 1e-12 * std::max(1.0, std::abs(theirs));
}

/// Every line of the table that is about `name`; there must be some.
inline void compare_with_oracle(const std::string& name, const std::function<Numbers(const Numbers&)>& statistic,
                                bool (*agree)(double mine, double theirs) = close) {
  std::ifstream table(MIXLAB_SOURCE_DIR "/tests/oracle/statistics.csv");
  int n_lines = 0;
  for (std::string line; std::getline(table, line);) {
    const auto columns = split(line, ',');
    if (columns.at(0) != name) continue;
    ++n_lines;
    const Numbers mine = statistic(numbers_in(columns.at(1))), theirs = numbers_in(columns.at(2));
    BOOST_REQUIRE(mine.size() == theirs.size());
    for (std::size_t i = 0; i < mine.size(); ++i)
      BOOST_TEST(agree(mine[i], theirs[i]),
                 line << " [" << i << "]: " << mine[i] << " here, " << theirs[i] << " there");
  }
  BOOST_TEST(n_lines > 0, "no line of the oracle is about " << name);
}

}  // namespace mixlab::verdict
