#include "mixlab/random/stream.h"

#include <Random123/philox.h>

namespace mixlab::random {

std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key) {
  const auto words = r123::Philox4x64{}({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
  return {words[0], words[1], words[2], words[3]};
}

PhiloxPlace philox_place(const StreamId& id, std::uint64_t block) {
  return {{block, id.trajectory, static_cast<std::uint64_t>(id.purpose), 0}, {id.seed, id.environment}};
}

std::array<std::uint64_t, 4> philox_block(const StreamId& id, std::uint64_t block) {
  const PhiloxPlace place = philox_place(id, block);
  return philox(place.counter, place.key);
}

}  // namespace mixlab::random
