// No fault: a block waits for a flag of an earlier one.
// tensors: input x f32[64], output y f32[32]
// workspace: 512
// expect: ok
#include "prelude.cuh"
#include "flags.h"
