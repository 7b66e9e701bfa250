// The flag is set before the other lanes have stored.
// tensors: input x f32[64], output y f32[32]
// workspace: 512
// expect: error: race: reads 4 bytes at workspace
#include "prelude.cuh"
#define STORED
#include "flags.h"
