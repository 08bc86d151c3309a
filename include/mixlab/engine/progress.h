// How a run shows where it is: one live line on a terminal, one line every 30 s elsewhere, nothing when quiet.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "mixlab/engine/row.h"

namespace mixlab::engine {

/// What there is to show. Misses count the trajectories of this process.
struct Tally {
  std::int64_t done = 0;  ///< trajectories, those found finished included
  std::int64_t total = 0;
  std::int64_t computed = 0;  ///< by this process
  double rounds = 0;          ///< computed by this process; 0: not counted
  std::vector<std::string> sets;
  std::vector<std::int64_t> misses;  ///< per set
};

/// "1:02:03" or "2:03".
std::string clock_text(double seconds);

/// The line, at most `width` characters; sets that do not fit are left out.
std::string progress_line(const Tally& tally, double seconds, std::size_t width);

class Progress {
 public:
  enum class Style { live, plain, quiet };
  /// `live` on a terminal, else `plain`.
  static Style style_for(int file_descriptor);

  using Clock = std::function<double()>;  ///< seconds
  Progress(std::ostream& out, Style style, Clock clock);
  using Listener = std::function<void(const Tally&)>;
  /// Shows nothing; tells somebody instead, every time.
  explicit Progress(Listener listener);

  /// Shows `tally` if it is time to; call it as often as you like.
  void show(const Tally& tally);
  /// Shows the end.
  void finish(const Tally& tally);
  double seconds() const { return clock_() - start_; }

 private:
  void print(const Tally& tally);

  std::ostream& out_;
  Style style_;
  Listener listener_ = {};
  Clock clock_;
  double start_;
  double last_;
};

}  // namespace mixlab::engine
