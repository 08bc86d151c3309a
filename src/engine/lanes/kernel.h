// The kernels as the rest of the engine sees them: one an instruction set and dimension.
#pragma once

#include <cstdint>
#include <vector>

#include "mixlab/engine/lanes.h"
#include "mixlab/engine/row.h"
#include "tables.h"

namespace mixlab::engine::lanes {

struct Task {
  const Tables& tables;
  std::int64_t first = 0;        ///< trajectory of lane 0
  int n = 0;                     ///< trajectories
  const Watch* watch = nullptr;  ///< slow
};

struct Kernel {
  PackWidth width;
  bool (*run)(const Task& task, std::vector<Row>& rows);  ///< false if a stop was requested
};

/// For dimensions up to `p`.
Kernel portable_kernel(int p);
Kernel avx2_kernel(int p);
Kernel avx512_kernel(int p);

}  // namespace mixlab::engine::lanes
