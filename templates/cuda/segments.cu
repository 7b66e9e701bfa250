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
    __shared__ int queued_row[2 * THREADS], queued_position[2 * THREADS], own[2][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const idx part = ceil_div(ROWS, gridDim.x), part_end = (blockIdx.x + 1) * part;
    const idx end = part_end < ROWS ? part_end : ROWS;
    for (idx first = blockIdx.x * part; first < end; first += MOST) {
        const int rows = end - first < MOST ? (int)(end - first) : MOST;
        for (int row = threadIdx.x; row < rows; row += THREADS) next[row] = 0;
        __syncthreads();

        // count
        int placed = 0;
#pragma unroll 8
        for (idx i = threadIdx.x; i < COUNT; i += THREADS) {
            const int at = ROW - (int)first;
            placed += at < 0;
            if (at >= 0 && at < rows) atomicAdd(&next[at], 1);
        }
        block_reduce<Sum, 0>(placed);
        __syncthreads();

        start_rows<THREADS>(rows, next, START + first, placed);
        if (threadIdx.x == 0 && first + rows == ROWS) START[ROWS] = COUNT;
        __syncthreads();

        // the positions of its rows, in order
        int queue_size = 0, step = 0;
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
                const unsigned own_lanes = __ballot_sync(0xffffffffu, is_own);
                if (lane == 0) own[step % 2][warp] = __popc(own_lanes);
                __syncthreads();
                Pack<int, 1> up_to = {{lane < WARPS ? own[step % 2][lane] : 0}};
                const int own_count = scan_lanes<Sum, 32>(up_to);
                const int before_warp = __shfl_sync(0xffffffffu, up_to.at[0], warp ? warp - 1 : 0);
                if (is_own) {
                    const int to = queue_size + (warp ? before_warp : 0) +
                                   __popc(own_lanes & ((1u << lane) - 1));
                    queued_row[to] = at[item];
                    queued_position[to] = (int)(from + item * THREADS + threadIdx.x);
                }
                queue_size += own_count, step++;
                if (queue_size <= THREADS) continue;
                place_segments(queued_row, queued_position, queue_size, next, START + ROWS + 1);
                queue_size = 0;
            }
        }
        place_segments(queued_row, queued_position, queue_size, next, START + ROWS + 1);
    }
}
