// The flag is never set.
// tensors: input x f32[64], output y f32[32]
// workspace: 512
// expect: error: waits for a flag that no block before has set
#include "prelude.cuh"
#define SET
#include "flags.h"
