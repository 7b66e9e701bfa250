// The slot is passed on before the product has read it.
// tensors: input x bf16[4096], output y f32[512]
// expect: error: race: writes shared memory that a product of warp 4 reads
#include "prelude.cuh"
#define MULTIPLIED
#include "rounds.h"
