// What threads store is not fenced.
// tensors: input x bf16[4096], output y f32[512]
// expect: error: not fenced: reads 2 bytes at slots
#include "prelude.cuh"
#define FENCED
#include "rounds.h"
