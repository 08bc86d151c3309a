#define MIXLAB_LANES scalar_operations_test
#include "engine/lanes/isa/scalar.h"
#include "operations_of_isa.h"

namespace mixlab::engine::lanes {

InstructionSet scalar_operations() {
  return {MIXLAB_LANES::n_lanes, MIXLAB_LANES::operations};
}

}  // namespace mixlab::engine::lanes
