/* pointwise.cu: a block computes TILE elements; each thread loads all of its items before it
 * computes the first one. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define BLOCK (int)blockIdx.x
#define TILE 1024
enum { items = 4 };
//@BEGIN
HEAD {
    const IDX tile = BLOCK * TILE;
    //@HOLE scalars
    //@IF hoisted
#pragma unroll
    for (int item = 0; item < items; item++) {
        //@HOLE hoisted
    }
    //@END
    //@IF loop
#pragma unroll
    for (int item = 0; item < items; item++) {
        //@HOLE loop
    }
    //@END
    //@HOLE single
}
