// Everything the kernels use from outside, to be included before an instruction set is chosen: code of other headers
// must not be compiled for it, because the linker may keep that copy for all. (An implicit constructor does not get the
// chosen instruction set: kernels whose members have initialisers write out an empty one.)
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/stale.h"
#include "exact.h"
#include "kernel.h"
#include "mixlab/core/stop.h"
#include "mixlab/random/directions.h"
#include "mixlab/random/sampler.h"
#include "span.h"
#include "tables.h"
