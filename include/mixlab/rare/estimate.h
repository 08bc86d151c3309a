// An estimate of a miss probability and what is known about its error.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "mixlab/engine/row.h"
#include "mixlab/rare/mixture.h"
#include "mixlab/rare/path_row.h"

namespace mixlab::rare {

struct Estimate {
  static constexpr double alpha = 0.05;  ///< intervals and limits hold at confidence 1 - alpha
  /// NaN wherever no path was found, or where a number says nothing for the method.
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();

  std::int64_t cell = 0;
  std::string label;  ///< of the cell
  std::string set;
  double delta = 0;
  std::string method;
  double log10_estimate = none;
  double relative_error = none;
  double log10_low = none;
  double log10_high = none;
  double ess = none;
  double largest_share = none;
  std::uint8_t reliable = 0;
  std::string why;
  double log10_lower_limit = none;
  double upper_limit = none;
  std::int64_t paths = 0;
  std::int64_t hits = 0;

  /// The numbers among them, as a file has them.
  static constexpr auto columns() {
    using engine::Axis;
    using engine::column;
    return std::tuple{
        column(&Estimate::cell, "cell", Axis::none, -1, "", "cell of the study", 1),
        column(&Estimate::delta, "delta", Axis::none, none, "1", "level that the set is made for", 1),
        column(&Estimate::log10_estimate, "log10_estimate", Axis::none, none, "1",
               "log10 of the estimated probability that theta* ever leaves the set; NaN if no path was found", 1),
        column(&Estimate::relative_error, "relative_error", Axis::none, none, "1", "standard error over estimate", 1),
        column(&Estimate::log10_low, "log10_low", Axis::none, none, "1",
               "log10 of the lower end of the asymptotic interval at 95 %; NaN unless reliable", 1),
        column(&Estimate::log10_high, "log10_high", Axis::none, none, "1", "log10 of its upper end", 1),
        column(&Estimate::ess, "ess", Axis::none, none, "1",
               "(sum W)^2/sum W^2 of the weights of paths, or of populations", 1),
        column(&Estimate::largest_share, "largest_share", Axis::none, none, "1", "max W/sum W", 1),
        column(&Estimate::reliable, "reliable", Axis::none, 0, "",
               "1 where the diagnostics see nothing wrong with the interval", 1),
        column(&Estimate::log10_lower_limit, "log10_lower_limit", Axis::none, none, "1",
               "log10 of a lower limit at 95 % that needs no assumption", 1),
        column(&Estimate::upper_limit, "upper_limit", Axis::none, none, "1",
               "delta where the theory guarantees it, else a limit at 95 % from untwisted paths; NaN if there are none",
               1),
        column(&Estimate::paths, "paths", Axis::none, -1, "", "paths that were played", 1),
        column(&Estimate::hits, "hits", Axis::none, -1, "", "paths that left the set, or populations that found one",
               1),
    };
  }

  bool found() const { return hits > 0; }
};

/// From the paths 0, 1, ... of the mixture: mean, error and diagnostics of the weights of one target. Fills in the
/// numbers only. `guarantee`: delta where the theory guarantees the set, else NaN.
Estimate estimate_twisted(const Mixture& mixture, const std::vector<PathRow>& rows, std::size_t target,
                          double guarantee);

/// What a population of paths says at each of some levels: of splitting or of selection.
struct Repetition {
  std::vector<double> log_estimates;  ///< of P(miss); -infinity where no path was found
  std::int64_t n_paths = 0;           ///< that were played
};

/// Mean of independent repetitions at one of their levels, with its error.
Estimate estimate_repetitions(const std::string& method, const std::vector<Repetition>& repetitions, std::size_t level,
                              double guarantee);

}  // namespace mixlab::rare
