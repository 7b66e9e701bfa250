// The flag is an ordinary store.
// tensors: input x f32[64], output y f32[32]
// workspace: 512
// expect: error: race:
#include "prelude.cuh"
#define SET *flag = 1
#include "flags.h"
