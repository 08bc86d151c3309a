// Compiled once per instruction set: MIXLAB_LANES is its name, MIXLAB_LANES_ISA its file.
#include MIXLAB_LANES_ISA
#include "engine/lanes/pack.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template Kernel kernel<64>();

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
