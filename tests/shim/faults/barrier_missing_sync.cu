// Threads may come to a barrier before it is initialised.
// tensors: input x bf16[4096], output y f32[512]
// expect: error: race: a barrier that thread 0 has initialised
#include "prelude.cuh"
#define INITIALISED
#include "rounds.h"
