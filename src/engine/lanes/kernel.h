// The kernels as the rest of the engine sees them: one per instruction set and dimension.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mixlab/engine/lanes.h"
#include "mixlab/engine/row.h"
#include "tables.h"

namespace mixlab::engine::lanes {

struct Task {
  const Tables& tables;
  std::int64_t first = 0;                   ///< trajectory of lane 0
  int n = 0;                                ///< trajectories
  const RoundObserver* observer = nullptr;  ///< slow
};

struct Kernel {
  PackWidth width;
  bool (*run)(const Task& task, std::vector<Row>& rows);  ///< false if a stop was requested
};

/// The dimensions that kernels are built for, by the files in kernels/.
using Dimensions = std::integer_sequence<int, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96, 128>;
inline constexpr int largest_dimension = 128;
/// Beyond, AVX-512 is no faster than AVX2: there are no kernels, and those of AVX2 run.
inline constexpr int largest_avx512_dimension = 32;

/// `isa` must be supported.
Kernel kernel_for(Isa isa, int p);

}  // namespace mixlab::engine::lanes
