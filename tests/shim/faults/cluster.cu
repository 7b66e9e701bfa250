// No fault: two clusters, whose blocks load for each other.
// tensors: input x bf16[1024], output y f32[128]
// expect: ok
#include "prelude.cuh"
#define BLOCKS 4
#include "cluster.h"
