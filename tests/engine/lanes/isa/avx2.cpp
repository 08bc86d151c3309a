#define MIXLAB_LANES avx2_operations_test
#include "engine/lanes/isa/avx2.h"
#include "operations_of_isa.h"

namespace mixlab::engine::lanes {

InstructionSet avx2_operations() {
  return {MIXLAB_LANES::n_lanes, MIXLAB_LANES::operations};
}

}  // namespace mixlab::engine::lanes
