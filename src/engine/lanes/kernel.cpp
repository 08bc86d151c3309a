// Compiled once per instruction set and group of dimensions, which the build names:
//   MIXLAB_LANES             the instruction set, as name_of(Isa) spells it
//   MIXLAB_LANES_ISA         its file
//   MIXLAB_LANES_DIMENSIONS  2, 3, 4 for instance
#include MIXLAB_LANES_ISA
#include "pack.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
Kernel kernel() {
  return {Pack<P>::width, run_pack<P>};
}

/// Makes the compiler keep the kernels, which kernels.cpp calls.
template <int... P>
struct Built {
  static constexpr Kernel (*kernels[])() = {kernel<P>...};
};
template struct Built<MIXLAB_LANES_DIMENSIONS>;

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
