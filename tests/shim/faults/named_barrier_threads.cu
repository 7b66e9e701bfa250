// The warps do not agree on how many threads share a barrier.
// tensors: input x f32[64], output y f32[64]
// expect: error: barrier 1 has 32 threads, not 64
#include "prelude.cuh"
#define COUNT 32
#include "named_barriers.h"
