// A box starts where its rows would not be swizzled as threads put them.
// tensors: input x bf16[2048], output y bf16[2048]
// expect: error: misaligned: a box
#include "prelude.cuh"
#define BOX slots + box * 1024 + 128
#define ROWS 32
#include "store_box.h"
