// The flag is not cleared before the launch.
// tensors: input x f32[64], output y f32[32]
// workspace: 512
// expect: error: uninitialised:
#include "prelude.cuh"
#define SET
#define CLEAR
#include "flags.h"
