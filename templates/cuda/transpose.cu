/* transpose.cu: a block computes tile_m x tile_n elements, tile_n along the axis on which stores
 * are contiguous. Loads that are contiguous along the other axis are in packs along that axis, and
 * are transposed in shared memory. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define BLOCK blockIdx.x
#define WIDTH 1
#define THREADS 256
#define TILES_M 4
#define TILES_N 4
enum { tile_m = 64, tile_n = 64, items = 4 };
//@BEGIN
HEAD {
    //@HOLE sizes
    unsigned char *const shared = dynamic_shared;
    const unsigned tile = BLOCK, tiles_m = TILES_M, tiles_n = TILES_N;
    const IDX col_start = (IDX)(tile % tiles_n) * tile_n;
    const IDX row_start = (IDX)(tile / tiles_n % tiles_m) * tile_m;
    //@IF positions
    const IDX batch = tile / tiles_n / tiles_m;
    //@HOLE positions
    //@END
    //@HOLE scalars
#pragma unroll 8
    for (int item = 0; item < items; item++) { /* packs of columns */
        const unsigned at = item * THREADS + threadIdx.x;
        const unsigned col = at / (tile_m / WIDTH), row = at % (tile_m / WIDTH) * WIDTH;
        //@HOLE loads
    }
    __syncthreads();
#pragma unroll 8
    for (int item = 0; item < items; item++) { /* packs of rows */
        const unsigned at = item * THREADS + threadIdx.x;
        const unsigned row = at / (tile_n / WIDTH), col = at % (tile_n / WIDTH) * WIDTH;
        //@HOLE loop
    }
}
