// A block stores into another that may not have started.
// tensors: input x f32[8], output y f32[8]
// expect: error: race: a store to block
#include "prelude.cuh"
#define STARTED
#include "cluster_stores.h"
