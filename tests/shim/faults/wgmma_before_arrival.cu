// Tiles are multiplied before they are there.
// tensors: input x bf16[4096], output y f32[512]
// expect: error: not waited for: reads 2 bytes at slots
#include "prelude.cuh"
#define ARRIVED if (round) mbarrier_wait(full, round)
#include "rounds.h"
