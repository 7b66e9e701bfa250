// A block reads what another may not have put there yet.
// tensors: input x f32[16], output y f32[8]
// expect: error: race: a load from block
#include "prelude.cuh"
#define PUT __syncthreads()
#include "cluster_loads.h"
