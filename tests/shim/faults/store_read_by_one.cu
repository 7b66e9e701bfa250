// That TMA has read a box only one thread knows.
// tensors: input x bf16[2048], output y bf16[2048]
// expect: error: race: writes 16 bytes at slots
#include "prelude.cuh"
#define FREE (void)__shfl_sync(0xffffffffu, lane, 0) /* orders no memory */
#define ROWS 32
#include "store_box.h"
