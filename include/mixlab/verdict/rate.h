// How fast regret grows with a swept horizon or tau: the slope of log mean regret over log x (MATHEMATICS.md D.7).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/verdict/binomial.h"
#include "mixlab/verdict/regrets.h"

namespace mixlab::verdict {

/// Whether trajectory i has the same noise in all samples, so that they must be resampled together.
enum class Pairing { independent, by_trajectory };

struct Slope {
  double value = unknown;
  Interval interval;  ///< percentile bootstrap over trajectories, at 1 - alpha
};

/// Least-squares slope of log y over log x; unknown without two different x.
double log_log_slope(const std::vector<double>& x, const std::vector<double>& y);

/// A table: mean of each column.
struct Means {
  std::int64_t n = 0;  ///< rows
  std::vector<double> values;
};
Means means_of(const RegretTable& rows, std::size_t n_columns);

/// Slope of the log of the means, one for each x. The bootstrap draws from streams of its own: the same numbers every
/// time. Of a long table at most about `room` numbers are held in memory.
Slope rate_of(const std::vector<double>& x, const RegretTable& rows, Pairing pairing, double alpha,
              int n_resamples = 1000, std::size_t room = verdict_room);

struct Rate {
  std::string key;    ///< what was swept
  std::string label;  ///< the rest of the cells in words
  std::vector<std::int64_t> cells;
  std::vector<double> x;
  std::vector<double> mean_regret;
  std::int64_t n = 0;          ///< trajectories per cell
  bool stopped_early = false;  ///< a cell stopped at its verdict: slope and
                               ///< interval are not those of a fixed n
  Slope slope;
  double predicted = unknown;    ///< the corollary's exponent, logarithms aside
  double bound_slope = unknown;  ///< slope of the theorem's right-hand side over the same cells, logarithms included
};

}  // namespace mixlab::verdict
