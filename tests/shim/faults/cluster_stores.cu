// Blocks of a cluster store into each other's shared memory.
// tensors: input x f32[8], output y f32[8]
// expect: ok
#include "prelude.cuh"
#include "cluster_stores.h"
