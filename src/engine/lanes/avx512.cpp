#define MIXLAB_LANES avx512
#include "isa/avx512.h"
#include "pack.h"

namespace mixlab::engine::lanes {

Kernel avx512_kernel(int p) {
  return avx512::kernel_of(p);
}

}  // namespace mixlab::engine::lanes
