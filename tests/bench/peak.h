// The machine's peak: fused multiply-adds of doubles per second of one core, measured.
#pragma once

#include "mixlab/engine/lanes.h"

namespace mixlab::bench {

/// In 1e9 FMA/s, with the registers of `isa`; the best of some milliseconds.
double fma_peak(engine::Isa isa);

}  // namespace mixlab::bench
