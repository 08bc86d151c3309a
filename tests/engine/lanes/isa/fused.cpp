#define MIXLAB_LANES fused_operations_test
#include MIXLAB_FUSED_ISA
#include "operations_of_isa.h"

namespace mixlab::engine::lanes {

InstructionSet fused_operations() {
  return {MIXLAB_LANES::n_lanes, MIXLAB_LANES::operations};
}

}  // namespace mixlab::engine::lanes
