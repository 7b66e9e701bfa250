/* permute.cu: a block copies a box of several axes to shared memory, in rows that are contiguous
 * where it is loaded, and gathers its elements in the order in which they are stored. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define BLOCK blockIdx.x
#define THREADS 256
#define ELEMENTS 1024
#define ITEMS 4
#define WHOLE blockIdx.x < 5
#define INSIDE at + item < 100
//@BEGIN
HEAD {
    unsigned char *const shared = dynamic_shared;
    //@IF starts
    const unsigned box = BLOCK;
    //@HOLE starts
    //@END
    //@HOLE scalars
    //@HOLE copies
    cp_async_commit();
    cp_async_wait<0>();
    __syncthreads();
    for (unsigned at = threadIdx.x; at < ELEMENTS; at += THREADS) {
        //@IF positions
        unsigned rest = at;
        //@HOLE positions
        //@END
        //@IF loop
#pragma unroll
        for (int item = 0; item < ITEMS; item++) {
            //@HOLE loop
        }
        //@END
        //@IF ragged
        const auto gather = [&](int item) {
            //@HOLE ragged
        };
        if (WHOLE) {
#pragma unroll
            for (int item = 0; item < ITEMS; item++) gather(item);
        } else {
#pragma unroll
            for (int item = 0; item < ITEMS; item++)
                if (INSIDE) gather(item);
        }
        //@END
    }
}
