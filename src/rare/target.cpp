#include "mixlab/rare/target.h"

#include <string>

#include "mixlab/core/hash.h"

namespace mixlab::rare {

random::Stream noise_stream(const engine::Experiment& experiment, const char* use, std::uint64_t path) {
  const std::uint64_t environment = hash64("rare " + std::string(use) + " " + std::to_string(experiment.environment));
  return random::Stream({experiment.seed, environment, path, random::Purpose::noise});
}

}  // namespace mixlab::rare
