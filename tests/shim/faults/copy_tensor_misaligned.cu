// A box starts where its rows would not be swizzled as products read them.
// tensors: input x bf16[4096], output y f32[512]
// expect: error: misaligned: a box
#include "prelude.cuh"
#define SLOT slots + 128
#include "rounds.h"
