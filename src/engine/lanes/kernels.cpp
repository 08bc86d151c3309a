// Which kernels there are, and which this processor can run.
#include <utility>

#include "kernel.h"

namespace mixlab::engine {
namespace lanes {
namespace {

/// The smallest dimension from p on that has a kernel; its vectors are filled up with zeros.
template <class Kernels, int largest = largest_dimension, int... P>
Kernel smallest_from(int p, std::integer_sequence<int, P...>) {
  Kernel found{};
  const auto take = [&]<int dimension>() {
    if constexpr (dimension <= largest) found = Kernels::template kernel<dimension>();
    return true;
  };
  static_cast<void>(((P >= p && take.template operator()<P>()) || ...));
  return found;
}

}  // namespace

// Instantiated by the files in kernels/, once per instruction set.
#define MIXLAB_KERNELS(isa)    \
  namespace isa {              \
  template <int P>             \
  Kernel kernel();             \
  struct Kernels {             \
    template <int P>           \
    static Kernel kernel() {   \
      return isa::kernel<P>(); \
    }                          \
  };                           \
  }
MIXLAB_KERNELS(portable)
#if MIXLAB_FUSED
MIXLAB_KERNELS(fused)
#endif
#if MIXLAB_AVX2
MIXLAB_KERNELS(avx2)
#endif
#if MIXLAB_AVX512
MIXLAB_KERNELS(avx512)
#endif
#undef MIXLAB_KERNELS

Kernel kernel_for([[maybe_unused]] Isa isa, int p) {
#if MIXLAB_AVX512
  if (isa == Isa::avx512 && p <= largest_avx512_dimension)
    return smallest_from<avx512::Kernels, largest_avx512_dimension>(p, Dimensions{});
#endif
#if MIXLAB_AVX2
  if (isa == Isa::avx2 || isa == Isa::avx512) return smallest_from<avx2::Kernels>(p, Dimensions{});
#endif
#if MIXLAB_FUSED
  if (isa == Isa::fused) return smallest_from<fused::Kernels>(p, Dimensions{});
#endif
  return smallest_from<portable::Kernels>(p, Dimensions{});
}

}  // namespace lanes

bool supported(Isa isa) {
#if MIXLAB_AVX512
  if (isa == Isa::avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#if MIXLAB_AVX2
  if (isa == Isa::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#if MIXLAB_FUSED && MIXLAB_X86
  if (isa == Isa::fused) return __builtin_cpu_supports("fma");
#elif MIXLAB_FUSED
  if (isa == Isa::fused) return true;
#endif
  return isa == Isa::portable;
}

}  // namespace mixlab::engine
