// One lane has waited for the flag, and the others go on.
// tensors: input x f32[64], output y f32[32]
// workspace: 512
// expect: error: race: reads 4 bytes at workspace
#include "prelude.cuh"
#define WAITED
#include "flags.h"
