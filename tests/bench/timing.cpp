#include "timing.h"

#include <algorithm>
#include <cmath>

#include "baseline.h"
#include "clock.h"
#include "mixlab/engine/lanes.h"
#include "mixlab/engine/reference.h"

namespace mixlab::bench {
namespace {

volatile double sink;

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

Timing::Timing(const Case& which, const TimingSettings& settings)
    : case_(which), settings_(settings), run_(which.study_text(settings.T), 1) {
  const std::string text = which.study_text(run_.in_lanes() ? settings.T : std::min(settings.T, most_reference_rounds));
  run_ = EngineRun(text, pack());
  if (run_.in_lanes()) run_.run(1);  // warms up
  const double start = cpu_seconds();
  run_.run(1);
  const double once = cpu_seconds() - start;
  const auto n_packs = static_cast<std::int64_t>(std::ceil(settings.seconds / std::max(once, 1e-6)));
  run_ = EngineRun(text, pack() * std::clamp<std::int64_t>(n_packs, 1, 100000));
}

void Timing::measure() {
  const double start = cpu_seconds();
  run_.run(1);
  lanes_.push_back(1e9 * (cpu_seconds() - start) / run_.rounds());
  const auto T = static_cast<int>(run_.experiment().T);
  if (settings_.reference && run_.in_lanes()) {
    const double before = cpu_seconds();
    engine::run_reference(run_.experiment(), static_cast<std::int64_t>(reference_.size()));
    reference_.push_back(1e9 * (cpu_seconds() - before) / T);
  }
  if (case_.at_least > 0) {
    const double before = cpu_seconds();
    double played = 0;
    do {
      sink = run_baseline(case_.p, case_.K, T, static_cast<std::uint64_t>(played));
      ++played;
    } while (cpu_seconds() - before < settings_.seconds);
    baseline_.push_back(1e9 * (cpu_seconds() - before) / (played * T));
  }
}

std::int64_t Timing::pack() const {
  return run_.in_lanes() ? engine::pack_width(run_.experiment()).most : 1;
}

}  // namespace mixlab::bench
