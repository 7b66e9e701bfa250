// A block reads four numbers of another at no multiple of 16 bytes.
// tensors: input x f32[16], output y f32[8]
// expect: error: misaligned: a load of 16 bytes
#include "prelude.cuh"
#define FIRST 1
#include "cluster_loads.h"
