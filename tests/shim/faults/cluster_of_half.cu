// A grid of one and a half clusters.
// tensors: input x bf16[1024], output y f32[96]
// expect: error: launch of shares with 3 blocks
#include "prelude.cuh"
#define BLOCKS 3
#include "cluster.h"
