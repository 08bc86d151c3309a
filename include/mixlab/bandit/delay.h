// Rules for the delay d of a confidence set.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "mixlab/core/catalogue.h"
#include "mixlab/noise/process.h"

namespace mixlab::bandit {

struct DelayQuestion {
  int p = 1;
  double B = 1;
  double scale = 1;  ///< the noise is scale times the process
  std::int64_t T = 1;
  const noise::Process& noise;
  /// Final squared radius of the policy's own set if its delay were d.
  std::function<double(std::int64_t d)> final_radius2 = {};

  double sigma() const { return scale * noise.sigma(); }
};

/// A rule in the catalogue.
struct DelayRule {
  /// d before it is clipped to [1,T]; throws KeyError for confidence.delay if the rule does not apply.
  std::function<double(const DelayQuestion&)> choose;
  /// g of d ~ T^g under phi_d ~ d^{-r}, for a set whose radius is smallest at d ~ T^`best`.
  std::function<double(double r, double best)> growth;
};
Registry<DelayRule>& delay_rules();

struct Delay {
  std::int64_t d = 1;
  std::string note;                 ///< a word if the delay was clipped
  const DelayRule* rule = nullptr;  ///< none: a number was given
};

/// `text` is a rule or a number.
Delay choose_delay(const std::string& text, const DelayQuestion& question);

}  // namespace mixlab::bandit
