// No exploration: theta the centre of the set, beta 0.
#pragma once

#include "engine/lanes/player.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Greedy final : public Player<P> {
 public:
  static constexpr std::string_view rule = "greedy";

  Greedy(const Tables&, std::int64_t) {}
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
