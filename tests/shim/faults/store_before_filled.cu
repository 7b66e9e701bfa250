// TMA stores a box that other threads may still be filling.
// tensors: input x bf16[2048], output y bf16[2048]
// expect: error: uninitialised: reads 16 bytes at slots[1]
#include "prelude.cuh"
#define FILLED
#define ROWS 32
#include "store_box.h"
