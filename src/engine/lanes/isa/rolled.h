// Short code: for machines that have nothing better.
#pragma once

#define MIXLAB_INLINE inline
#define MIXLAB_UNROLL(n)
