// The second warp waits at a barrier at which nobody arrives.
// tensors: input x f32[64], output y f32[64]
// expect: error: a phase that does not end
#include "prelude.cuh"
#define TURN named_wait(3, 64)
#include "named_barriers.h"
