// A block loads into another that may not have initialised its barriers.
// tensors: input x bf16[1024], output y f32[128]
// expect: error: race: a barrier that block
#include "prelude.cuh"
#define BLOCKS 4
#define STARTED __syncthreads()
#include "cluster.h"
