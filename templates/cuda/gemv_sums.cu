/* gemv_sums.cu: the end of gemv.cu and gemv_fma.cu: warps add up their sums, and threads store packs
 * of results, or elements. */
#include "prelude.cuh"
#define IDX int
#define SUM float
#define BEYOND at_m >= 3 || at_n >= 100
#define PAD 4
#define FINISH_VECTOR wide ? 4 : 1
#define FINISH_UNROLL 1
template <bool wide> __device__ void alone(int n_start) {
    constexpr int tile_n = 16, width = tile_n, rows = 8, warps = 4, pitch = width + PAD;
    SUM *const strip = (SUM *)dynamic_shared;
//@BEGIN
__syncthreads();
for (int item = threadIdx.x; item < rows * width; item += 32 * warps) {
    SUM *const at = strip + item / width * pitch + item % width;
    SUM added = *at;
#pragma unroll
    for (int other = 1; other < warps; other++) added += at[other * rows * pitch];
    *at = added;
}
__syncthreads();
constexpr int VEC = FINISH_VECTOR;
#pragma unroll FINISH_UNROLL
for (int item = threadIdx.x; item < rows * tile_n / VEC; item += 32 * warps) {
    const IDX at_m = item / (tile_n / VEC), col = item % (tile_n / VEC) * VEC;
    const IDX at_n = n_start + col;
    const SUM *const sums = strip + at_m * pitch + col;
    //@IF IF_BEYOND
    if (BEYOND) continue;
    //@END
    //@HOLE FINISH
}
//@FINISH
}
