/* transpose_shifted.cu: as transpose.cu, for rows of any alignment. Packs are aligned in memory: of
 * what is loaded, they start up to VEC - 1 elements before the tile; of what is stored, as many
 * after its first column. So tiles have VEC - 1 more columns, which they share with their
 * neighbours. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone()
#define IDX int
#define BLOCK blockIdx.x
#define THREADS 256
#define TILES_M 4
#define TILES_N 4
#define FIRST (row_start + row) * 100 + col_start
#define COLS 100
#define INSIDE row_start + row < 100 && i1 < 100
#define COLUMN i1
enum { VEC = 4, tile_m = 64, tile_n = 64 };
//@BEGIN
HEAD {
    //@HOLE sizes
    constexpr int cols = tile_n + VEC - 1, packs = tile_m / VEC + 1;
    unsigned char *const shared = dynamic_shared;
    const unsigned tile = BLOCK, tiles_m = TILES_M, tiles_n = TILES_N;
    const IDX col_start = (IDX)(tile % tiles_n) * tile_n - (VEC - 1);
    const IDX row_start = (IDX)(tile / tiles_n % tiles_m) * tile_m;
    //@IF positions
    const IDX batch = tile / tiles_n / tiles_m;
    //@HOLE positions
    //@END
    //@HOLE scalars
#pragma unroll 4
    for (unsigned at = threadIdx.x; at < cols * packs; at += THREADS) {
        const unsigned col = at / packs, pack = at % packs;
        const IDX COLUMN = col_start + col;
        const bool inside = COLUMN >= 0 && COLUMN < COLS;
        //@HOLE loads
    }
    __syncthreads();
#pragma unroll 2
    for (unsigned at = threadIdx.x; at < tile_m * tile_n / VEC; at += THREADS) {
        const unsigned row = at / (tile_n / VEC);
        //@HOLE row_position
        const unsigned col = -(unsigned)(FIRST) % VEC + at % (tile_n / VEC) * VEC;
        const IDX COLUMN = col_start + col;
        if (INSIDE) {
            //@HOLE loop
        }
    }
}
