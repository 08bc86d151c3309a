// Columns of numbers for the tests of the sieve and of what is made with it.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "mixlab/random/sampler.h"
#include "mixlab/verdict/sieve.h"
#include "seed.h"

namespace mixlab::verdict {

using Column = std::vector<double>;

inline Column draw(std::size_t n, std::uint64_t seed, const std::function<double(double)>& value) {
  random::Stream stream = test_stream(seed);
  Column column(n);
  for (double& number : column) number = value(random::uniform(stream.next()));
  return column;
}

/// Samples that are easy, full of ties, full of one value, far from each other, or infinite.
inline std::vector<Column> awkward_columns() {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<Column> columns = {draw(20000, 91, [](double u) { return u; }),
                                 draw(20000, 92, [](double u) { return u / 1.3; }),
                                 draw(20000, 93, [](double u) { return std::floor(20 * u) / 20; }),
                                 draw(20000, 94, [](double u) { return u < 0.9 ? 0.5 : u; }),
                                 draw(20000, 95, [](double u) { return std::pow(10, -300 * u); }),
                                 draw(20000, 96, [=](double u) { return u < 0.3   ? 0
                                                                        : u < 0.6 ? infinity
                                                                                  : u; }),
                                 Column(20000, 1.0),
                                 draw(65, 97, [](double u) { return u; }),
                                 {0.3},
                                 {}};
  columns.push_back(columns[0]);
  std::sort(columns.back().begin(), columns.back().end());  // the sample that guides the search is every k-th
  columns.push_back(columns.back());
  std::reverse(columns.back().begin(), columns.back().end());
  return columns;
}

/// Passes of the column that it takes.
inline int sift(Sieve& sieve, const Column& column) {
  for (int n_passes = 1;; ++n_passes) {
    for (const double value : column) sieve.take(value);
    if (!sieve.end_pass()) return n_passes;
  }
}

}  // namespace mixlab::verdict
