#define MIXLAB_LANES avx2
#include "isa/avx2.h"
#include "pack.h"

namespace mixlab::engine::lanes {

Kernel avx2_kernel(int p) {
  return avx2::kernel_of(p);
}

}  // namespace mixlab::engine::lanes
