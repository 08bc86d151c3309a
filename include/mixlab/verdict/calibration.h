// Is a set valid at every delta at once? Two tests on its anytime p-values (MATHEMATICS.md D.1): under validity
// P(p <= x) <= x for all x.
#pragma once

#include <vector>

#include "mixlab/verdict/sieve.h"

namespace mixlab::verdict {

struct Calibration {
  double excess = 0;  ///< sup_x (F_N(x) - x), at least 0
  double dkw = 1;     ///< p-value exp(-2 N excess^2), one-sided Dvoretzky-Kiefer-Wolfowitz; valid up to 1/2
  double simes = 1;   ///< p-value min_i N p_(i)/i: strong at small x, where the other is blind
};

/// p-values above 1 count as 1.
Calibration calibrate(const std::vector<ValueRun>& p_values);

/// What a sieve has to find for it: where a p-value may lie that is further out than all that are known.
std::vector<std::size_t> wanted_by_calibration(const std::vector<ValueRun>& p_values);

}  // namespace mixlab::verdict
