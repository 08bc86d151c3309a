#pragma once

#include "mixlab/bandit/confidence_set.h"
#include "mixlab/core/text.h"

namespace mixlab::bandit {

/// The condition of the sets made for i.i.d. noise: centred and sub-Gaussian given the whole past.
inline std::string needs_independence(const Collection& collection) {
  const double phi = collection.scale * collection.noise.phi(1);
  return phi == 0 ? std::string{} : "needs phi_1 = 0, the noise has " + to_text(phi);
}

}  // namespace mixlab::bandit
