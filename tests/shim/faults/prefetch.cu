// A box is brought to L2 before its elements are loaded.
// tensors: input x bf16[1024], output y bf16[1024]
// expect: ok
#include "prelude.cuh"
#include "prefetch.h"
