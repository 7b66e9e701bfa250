// The second warp says that it is there, and does not wait.
// tensors: input x f32[64], output y f32[64]
// expect: error: race:
#include "prelude.cuh"
#define TURN named_arrive(1, 64)
#include "named_barriers.h"
