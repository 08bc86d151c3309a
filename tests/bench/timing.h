// One case, timed again and again.
#pragma once

#include <optional>
#include <vector>

#include "case.h"
#include "engine_run.h"

namespace mixlab::bench {

double median(std::vector<double> values);
double least(const std::vector<double>& values);

struct TimingSettings {
  int T = 10000;
  double seconds = 1;  ///< that a run takes
  bool reference = true;
};

class Timing {
 public:
  Timing(const Case& which, const TimingSettings& settings);

  /// Times all once: what is compared is measured in turns.
  void measure();

  const Case& which() const { return case_; }
  const EngineRun& run() const { return run_; }
  // Nanoseconds of one core per trajectory-round.
  const std::vector<double>& lanes() const { return lanes_; }
  const std::vector<double>& reference() const { return reference_; }
  const std::vector<double>& baseline() const { return baseline_; }

 private:
  std::int64_t pack() const;

  Case case_;
  TimingSettings settings_;
  EngineRun run_;
  std::vector<double> lanes_, reference_, baseline_;
};

}  // namespace mixlab::bench
