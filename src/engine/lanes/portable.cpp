#include "prelude.h"

#define MIXLAB_LANES portable
#define MIXLAB_LANES_WIDTH 2
#define MIXLAB_LANES_FMA 0
#include "pack.h"

namespace mixlab::engine::lanes {

Kernel portable_kernel(int p) {
  return portable::kernel_of(p);
}

}  // namespace mixlab::engine::lanes
