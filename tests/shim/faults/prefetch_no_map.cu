// The launcher has not made the map of a box that is brought to L2.
// tensors: input x bf16[1024], output y bf16[1024]
// expect: error: a prefetch by a map
#include "prelude.cuh"
#define MADE 0
#include "prefetch.h"
