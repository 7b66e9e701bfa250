// Blocks of a cluster read each other's shared memory.
// tensors: input x f32[16], output y f32[8]
// expect: ok
#include "prelude.cuh"
#include "cluster_loads.h"
