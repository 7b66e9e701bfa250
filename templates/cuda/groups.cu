/* groups.cu: a stable sort of the positions 0 .. COUNT - 1 by groups of rows. A block places those of
 * one of PARTS parts, each of which TALLY has counted. START is as in segments.cu, of groups. */
#include "prelude.cuh"
#define HEAD                                                                                       \
    extern "C" __global__ void alone(const int *TALLY, int *START, long long COUNT, long long ROWS)
#define THREADS 256
#define PARTS 8
#define GROUPS 64
#define ROW ((int)i)
enum { WARPS = THREADS / 32 };
//@BEGIN
HEAD {
    constexpr int items = 4, slices = THREADS / GROUPS;
    __shared__ int next[GROUPS], in_all[GROUPS], in_earlier[GROUPS];
    __shared__ RowTile<WARPS, items, GROUPS> tile;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int shift = group_shift<GROUPS>(ROWS);
    for (int group = threadIdx.x; group < GROUPS; group += THREADS) in_all[group] = in_earlier[group] = 0;
    __syncthreads();

    // in all parts, and in those before this one
    if (threadIdx.x < slices * GROUPS) {
        const int group = threadIdx.x % GROUPS;
        int sum = 0, sum_before = 0;
#pragma unroll 32
        for (int part = threadIdx.x / GROUPS; part < PARTS; part += slices) {
            const int count = TALLY[part * GROUPS + group];
            sum += count;
            if (part < (int)blockIdx.x) sum_before += count;
        }
        atomicAdd(&in_all[group], sum);
        atomicAdd(&in_earlier[group], sum_before);
    }
    __syncthreads();

    // where each group starts, and its first position of this part goes
    const int count = threadIdx.x < GROUPS ? in_all[threadIdx.x] : 0;
    int placed = 0;
    Pack<int, 1> sum[1] = {{count}};
    block_scan<Sum, 0>(sum, placed);
    if (threadIdx.x < GROUPS) {
        const int start = sum[0].at[0] - count;
        next[threadIdx.x] = start + in_earlier[threadIdx.x];
        if (blockIdx.x == 0) START[threadIdx.x] = start;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) START[GROUPS] = COUNT;

    const idx size = ceil_div(COUNT, PARTS), begin = blockIdx.x * size;
    const idx end = begin + size < COUNT ? begin + size : COUNT;
    for (idx from = begin; from < end; from += items * THREADS) {
        int group[items], at[items];
#pragma unroll
        for (int item = 0; item < items; item++) {
            const idx i = from + (warp * items + item) * 32 + lane;
            at[item] = (int)i;
            group[item] = i < end ? ROW >> shift : -1;
        }
        place_rows(group, at, GROUPS, bits_of(GROUPS), tile, next, START + GROUPS + 1);
    }
}
