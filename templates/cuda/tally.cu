/* tally.cu: how many of the indices in each part of their list are in each group of rows: the first
 * step of a sort, and a histogram. A block counts MOST groups of a part in shared memory, in COPIES,
 * since threads wait for each other where they count the same group. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone(int *TALLY, long long COUNT, long long ROWS)
#define THREADS 256
#define MOST 1024
#define COPIES 2
#define PARTS 8
#define GROUPS 2048
#define ROW ((int)i)
//@BEGIN
HEAD {
    constexpr int items = 16, windows = (GROUPS + MOST - 1) / MOST;
    __shared__ int count[COPIES][MOST];
    const int part = blockIdx.x / windows, first = blockIdx.x % windows * MOST;
    const int groups = GROUPS - first < MOST ? GROUPS - first : MOST;
    const int shift = group_shift<GROUPS>(ROWS);
    const idx size = ceil_div(COUNT, PARTS), begin = part * size;
    const idx end = begin + size < COUNT ? begin + size : COUNT;
    int *const own = count[threadIdx.x / 32 % COPIES];
    for (int i = threadIdx.x; i < COPIES * MOST; i += THREADS) (&count[0][0])[i] = 0;
    __syncthreads();
    for (idx from = begin + threadIdx.x; from < end; from += items * THREADS) {
        int group[items];
#pragma unroll
        for (int item = 0; item < items; item++) {
            const idx i = from + item * THREADS;
            group[item] = i < end ? (ROW >> shift) - first : -1;
        }
#pragma unroll
        for (int item = 0; item < items; item++)
            if (group[item] >= 0 && group[item] < groups) atomicAdd(&own[group[item]], 1);
    }
    __syncthreads();
    for (int group = threadIdx.x; group < groups; group += THREADS) {
        int sum = 0;
#pragma unroll
        for (int copy = 0; copy < COPIES; copy++) sum += count[copy][group];
        TALLY[(idx)part * GROUPS + first + group] = sum;
    }
}
