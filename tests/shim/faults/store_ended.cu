// Shared memory ends with the block, and TMA may still read it.
// tensors: input x bf16[2048], output y bf16[2048]
// expect: error: not waited for: a TMA store
#include "prelude.cuh"
#define ENDED
#define ROWS 32
#include "store_box.h"
