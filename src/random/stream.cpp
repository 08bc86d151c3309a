#include "mixlab/random/stream.h"

#include "philox.h"

namespace mixlab::random {

std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key) {
  return philox10(counter, key);
}

PhiloxPlace philox_place(const StreamId& id, std::uint64_t block) {
  return {{block, id.trajectory, static_cast<std::uint64_t>(id.purpose), 0}, {id.seed, id.environment}};
}

std::array<std::uint64_t, 4> philox_block(const StreamId& id, std::uint64_t block) {
  const PhiloxPlace place = philox_place(id, block);
  return philox(place.counter, place.key);
}

}  // namespace mixlab::random
