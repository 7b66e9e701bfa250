// A block releases its own stage twice, and not that of the other.
// tensors: input x bf16[1024], output y f32[128]
// expect: error: race:
#include "prelude.cuh"
#define BLOCKS 4
#define RELEASED if (threadIdx.x < 2) mbarrier_arrive(empty)
#include "cluster.h"
