#include "mixlab/bandit/confidence_set.h"

#include <cmath>

namespace mixlab::bandit {

study::Registry<SetMaker>& confidence_sets() {
  static study::Registry<SetMaker> registry(study::Kind::sets);
  return registry;
}

double largest_logdet(int p, double lambda, std::int64_t t) {
  return p * std::log1p(static_cast<double>(t) / (p * lambda));
}

}  // namespace mixlab::bandit
