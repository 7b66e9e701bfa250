// A block ends while another arrives at its barriers.
// tensors: input x bf16[1024], output y f32[128]
// expect: error: a barrier of a block that has ended
#include "prelude.cuh"
#define BLOCKS 4
#define ENDED
#include "cluster.h"
