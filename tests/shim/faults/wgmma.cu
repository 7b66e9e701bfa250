// No fault: boxes, of which one ends beyond the tensor, and products of a warpgroup.
// tensors: input x bf16[4096], output y f32[512]
// expect: ok
#include "prelude.cuh"
#include "rounds.h"
