#define MIXLAB_LANES avx512_operations_test
#include "engine/lanes/isa/avx512.h"
#include "operations_of_isa.h"

namespace mixlab::engine::lanes {

InstructionSet avx512_operations() {
  return {MIXLAB_LANES::n_lanes, MIXLAB_LANES::operations};
}

}  // namespace mixlab::engine::lanes
