#define MIXLAB_LANES portable
#include "isa/scalar.h"
#include "pack.h"

namespace mixlab::engine::lanes {

Kernel portable_kernel(int p) {
  return portable::kernel_of(p);
}

}  // namespace mixlab::engine::lanes
