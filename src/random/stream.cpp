#include "mixlab/random/stream.h"

#include <Random123/philox.h>

namespace mixlab::random {

std::array<std::uint64_t, 4> philox_block(const StreamId& id, std::uint64_t block) {
  const r123::Philox4x64::ctr_type counter{{block, id.trajectory, static_cast<std::uint64_t>(id.purpose), 0}};
  const r123::Philox4x64::key_type key{{id.seed, id.environment}};
  const auto words = r123::Philox4x64{}(counter, key);
  return {words[0], words[1], words[2], words[3]};
}

}  // namespace mixlab::random
