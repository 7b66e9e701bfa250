// A block waits for one that starts after it.
// tensors: input x f32[64], output y f32[32]
// workspace: 512
// expect: error: waits for a flag that no block before has set
#include "prelude.cuh"
#define FIRST 1
#include "flags.h"
