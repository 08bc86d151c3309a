#include "prelude.h"

#pragma GCC target("avx2,fma")
#define MIXLAB_LANES avx2
#define MIXLAB_LANES_WIDTH 4
#define MIXLAB_LANES_FMA 256
#include "pack.h"

namespace mixlab::engine::lanes {

Kernel avx2_kernel(int p) {
  return avx2::kernel_of(p);
}

}  // namespace mixlab::engine::lanes
