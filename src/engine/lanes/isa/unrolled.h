// For instruction sets with registers to spare: everything is inlined and short loops are unrolled. Not under
// sanitizers, whose checks would multiply the code.
#pragma once

#if MIXLAB_SANITIZED
#include "rolled.h"
#else
#define MIXLAB_INLINE [[gnu::always_inline]] inline
#define MIXLAB_UNROLL(n) _Pragma(MIXLAB_TEXT(GCC unroll n))
#define MIXLAB_TEXT(x) #x
#endif
