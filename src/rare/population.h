// Numbers of the streams that populations of paths draw from.
#pragma once

#include <cstdint>

namespace mixlab::rare {

constexpr std::uint64_t chooser = 0xffffff;  ///< in place of a particle: who draws the survivors

/// Another one for every population, iteration and particle below 2^20, 2^20 and 2^24 - 1.
inline std::uint64_t stream_number(int population, std::uint64_t iteration, std::uint64_t particle) {
  return static_cast<std::uint64_t>(population) << 44 | iteration << 24 | particle;
}

}  // namespace mixlab::rare
