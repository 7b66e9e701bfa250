/* grouped.cu: a stable sort of positions by their rows, of positions that are sorted by groups of
 * rows. A block has a group, MOST rows at a time; or at once, if it has few positions in many rows.
 * START is as in segments.cu. */
#include "prelude.cuh"
#define HEAD                                                                                       \
    extern "C" __global__ void alone(const int *GROUP, int *START, long long COUNT, long long ROWS)
#define THREADS 256
#define MOST 512
#define GROUPS 64
#define ROW ((int)i)
enum { WARPS = THREADS / 32 };
//@BEGIN
HEAD {
    constexpr int items = 4;
    __shared__ int next[MOST];
    __shared__ RowTile<WARPS, items, MOST> tile;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int shift = group_shift<GROUPS>(ROWS);
    const int *const position = GROUP + GROUPS + 1;
    const int begin = GROUP[blockIdx.x], stop = GROUP[blockIdx.x + 1];
    const idx group_end = (idx)(blockIdx.x + 1) << shift, end = group_end < ROWS ? group_end : ROWS;
    int placed = begin;
    if (blockIdx.x == 0 && threadIdx.x == 0) START[ROWS] = COUNT;
    if (1 << shift > MOST && stop - begin <= items * THREADS) {
        const idx first = (idx)blockIdx.x << shift;
        for (int from = threadIdx.x; from < stop - begin; from += THREADS) {
            const idx i = position[begin + from];
            tile.key[from] = (long long)(ROW - (int)first) << 32 | i;
        }
        sort_keys<THREADS>(tile.key, stop - begin);
        for (int from = threadIdx.x; from < stop - begin; from += THREADS)
            START[ROWS + 1 + begin + from] = (int)tile.key[from];
        for (idx row = first + 4 * threadIdx.x; row < end; row += 4 * THREADS) {
            int before = count_below(tile.key, stop - begin, (row - first) << 32);
            Pack<int, 4> start;
#pragma unroll
            for (int l = 0; l < 4; l++) {
                start.at[l] = begin + before;
                while (before < stop - begin && tile.key[before] >> 32 == row - first + l) before++;
            }
            if (row + 4 <= end)
                store_pack(START + row, start);
            else
                for (int l = 0; row + l < end; l++) START[row + l] = start.at[l];
        }
        return;
    }
    for (idx first = (idx)blockIdx.x << shift; first < end; first += MOST) {
        const int rows = end - first < MOST ? (int)(end - first) : MOST;
        for (int row = threadIdx.x; row < rows; row += THREADS) next[row] = 0;
        __syncthreads();

        // count
#pragma unroll 4
        for (int from = begin + threadIdx.x; from < stop; from += THREADS) {
            const idx i = position[from];
            const int row = ROW - (int)first;
            if (row >= 0 && row < rows) atomicAdd(&next[row], 1);
        }
        __syncthreads();

        start_rows<THREADS>(rows, next, START + first, placed);

        // the positions, in order
        for (int from = begin; from < stop; from += items * THREADS) {
            int own_row[items], at[items];
#pragma unroll
            for (int item = 0; item < items; item++) {
                const int to = from + (warp * items + item) * 32 + lane;
                const idx i = to < stop ? position[to] : 0;
                const int row = to < stop ? ROW - (int)first : -1;
                at[item] = (int)i;
                own_row[item] = row < rows ? row : -1;
            }
            place_rows(own_row, at, rows, bits_of(rows), tile, next, START + ROWS + 1);
        }
        __syncthreads();
    }
}
