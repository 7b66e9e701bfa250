// The barrier of a block does not wait for the stores of others.
// tensors: input x f32[8], output y f32[8]
// expect: error: race: reads 4 bytes at part
#include "prelude.cuh"
#define GIVEN __syncthreads()
#include "cluster_stores.h"
