/* segments.cu: a stable sort of the positions 0 .. COUNT - 1 by their rows. START gets ROWS + 1
 * numbers, where the positions of each row start and where those of the last one end; behind them
 * are the positions. A block has a part of the rows, MOST at a time, and reads the row of each
 * position twice: to count them, and to place those of its own, which it queues in order. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone(int *START, long long COUNT, long long ROWS)
#define THREADS 256
#define MOST 1024
#define ROW ((int)i)
enum { WARPS = THREADS / 32 };
//@BEGIN
HEAD {
    __shared__ int next[MOST]; // of a row: how many positions it has, then where the next one goes
    __shared__ int queued_row[2 * THREADS], queued[2 * THREADS], own[2][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const idx part = ceil_div(ROWS, gridDim.x), all = (blockIdx.x + 1) * part;
    const idx end = all < ROWS ? all : ROWS;
    for (idx first = blockIdx.x * part; first < end; first += MOST) {
        const int rows = end - first < MOST ? (int)(end - first) : MOST;
        for (int r = threadIdx.x; r < rows; r += THREADS) next[r] = 0;
        __syncthreads();

        // count
        int before = 0;
#pragma unroll 8
        for (idx i = threadIdx.x; i < COUNT; i += THREADS) {
            const int at = ROW - (int)first;
            before += at < 0;
            if (at >= 0 && at < rows) atomicAdd(&next[at], 1);
        }
        block_reduce<Sum, 0>(before);
        __syncthreads();

        // where each row starts
        for (int r = 0; r < rows; r += THREADS) {
            const int at = r + threadIdx.x, count = at < rows ? next[at] : 0;
            Pack<int, 1> sum[1] = {{count}};
            block_scan<0>(sum, before);
            if (at < rows) START[first + at] = next[at] = sum[0].at[0] - count;
        }
        if (threadIdx.x == 0 && first + rows == ROWS) START[ROWS] = COUNT;
        __syncthreads();

        // the positions of its rows, in order
        int waiting = 0, step = 0;
        for (idx from = 0; from < COUNT; from += 4 * THREADS) {
            int at[4];
#pragma unroll
            for (int item = 0; item < 4; item++) {
                const idx i = from + item * THREADS + threadIdx.x;
                at[item] = i < COUNT ? ROW - (int)first : -1;
            }
#pragma unroll
            for (int item = 0; item < 4; item++) {
                const bool is_own = at[item] >= 0 && at[item] < rows;
                const unsigned mask = __ballot_sync(0xffffffffu, is_own);
                if (lane == 0) own[step % 2][warp] = __popc(mask);
                __syncthreads();
                Pack<int, 1> upto = {{lane < WARPS ? own[step % 2][lane] : 0}};
                const int total = scan_lanes<32>(upto);
                const int before_warp = __shfl_sync(0xffffffffu, upto.at[0], warp ? warp - 1 : 0);
                if (is_own) {
                    const int to = waiting + (warp ? before_warp : 0) +
                                   __popc(mask & ((1u << lane) - 1));
                    queued_row[to] = at[item];
                    queued[to] = (int)(from + item * THREADS + threadIdx.x);
                }
                waiting += total, step++;
                if (waiting <= THREADS) continue;
                place_segments(queued_row, queued, waiting, next, START + ROWS + 1);
                waiting = 0;
            }
        }
        place_segments(queued_row, queued, waiting, next, START + ROWS + 1);
    }
}
