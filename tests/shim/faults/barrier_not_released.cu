// The slot is never passed on.
// tensors: input x bf16[4096], output y f32[512]
// expect: error: a phase that does not end
#include "prelude.cuh"
#define RELEASED
#include "rounds.h"
