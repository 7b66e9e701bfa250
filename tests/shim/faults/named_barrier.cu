// No fault: two warps take turns by barriers with a number.
// tensors: input x f32[64], output y f32[64]
// expect: ok
#include "prelude.cuh"
#include "named_barriers.h"
