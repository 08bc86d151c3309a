#include "prelude.h"

#pragma GCC target("avx2,fma,avx512f,avx512dq,avx512vl,prefer-vector-width=512")
#define MIXLAB_LANES avx512
#define MIXLAB_LANES_WIDTH 8
#define MIXLAB_LANES_FMA 512
#include "pack.h"

namespace mixlab::engine::lanes {

Kernel avx512_kernel(int p) {
  return avx512::kernel_of(p);
}

}  // namespace mixlab::engine::lanes
