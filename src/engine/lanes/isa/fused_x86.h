// fused.h on x86, where FMA, and AVX, which comes with it, must be asked for.
#pragma once

#include "engine/lanes/prelude.h"

#pragma GCC target("fma")

#include "fused.h"
