// What threads put into a box is not fenced.
// tensors: input x bf16[2048], output y bf16[2048]
// expect: error: not fenced: reads 16 bytes at slots
#include "prelude.cuh"
#define FENCED
#define ROWS 32
#include "store_box.h"
