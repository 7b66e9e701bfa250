/* mma_raw.cu: copies of what a computed operand of mma.cu loads, for the chunks of 16 bytes that a
 * thread computes: each to a place of its own in the stage. */
#include "prelude.cuh"
#define ITEMS 4
#define ROW (int)(thread / 4) + 32 * item
#define CHUNK (int)(thread % 4)
#define WHICH row
#define MOST 128
#define INSIDE true
template <class> __device__ void alone(unsigned char *slot, unsigned thread, int k_start) {
//@BEGIN
#pragma unroll
for (int item = 0; item < ITEMS; item++) {
    const int row = ROW, chunk = CHUNK;
    //@IF IF_PARTIAL
    if (WHICH >= MOST) break;
    //@END
    //@HOLE AT_OWN
    //@HOLE AT_K
    const bool inside = INSIDE;
    //@HOLE COPIES
}
//@FINISH
}
