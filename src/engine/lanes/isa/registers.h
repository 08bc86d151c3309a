// The types that the operations of an instruction set act on, for n_lanes lanes.
#pragma once

namespace mixlab::engine::lanes::MIXLAB_LANES {

inline constexpr int register_bytes = 8 * n_lanes;

using Register = double __attribute__((vector_size(register_bytes)));
using Integers = std::int64_t __attribute__((vector_size(register_bytes)));
using Words = std::uint64_t __attribute__((vector_size(register_bytes)));

/// One double per lane. (An array of one register: code of the standard library, which is not compiled for this
/// instruction set, may then move it about.)
struct alignas(register_bytes) Vec {
  static constexpr int width = n_lanes;
  Register r[1];

  Vec() = default;
  MIXLAB_INLINE explicit Vec(Register a) { r[0] = a; }
  /// The same number in all lanes; of the instruction set.
  MIXLAB_INLINE Vec(double x);
  MIXLAB_INLINE double operator[](int lane) const { return r[0][lane]; }
  MIXLAB_INLINE void set(int lane, double x) { r[0][lane] = x; }
  /// All lanes in memory, one after the other.
  MIXLAB_INLINE double* lanes() { return reinterpret_cast<double*>(r); }
  MIXLAB_INLINE const double* lanes() const { return reinterpret_cast<const double*>(r); }
};

/// Single precision, two numbers per lane: those of one vector in the lower half, of another in the upper half.
using Singles = float __attribute__((vector_size(register_bytes)));
/// One index for each.
using Indices = std::int32_t __attribute__((vector_size(register_bytes)));

enum class Half { lower, upper };

/// One number per lane, for both halves.
struct HalfSingles {
  float lane[n_lanes];
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
