// A box is filled again while TMA may still read it.
// tensors: input x bf16[2048], output y bf16[2048]
// expect: error: race: writes shared memory that a TMA store of thread 0 may still read
#include "prelude.cuh"
#define READ
#define ROWS 32
#include "store_box.h"
