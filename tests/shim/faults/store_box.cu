// Boxes that TMA stores; the last one reaches beyond the tensor.
// tensors: input x bf16[2048], output y bf16[1920]
// expect: ok
#include "prelude.cuh"
#define ROWS 30
#include "store_box.h"
