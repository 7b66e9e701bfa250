/* segments.cuh: sorts of positions by their rows. Sections as in types.cuh. */
#pragma once
#include "memory.cuh"
//@BEGIN
//@SECTION --
// ---- sorts of indices ----------------------------------------------------------------------

//@SECTION Values
/* What a position adds to a bin: of several scatters by the same indices one each. */
template <class T, int N> struct Values { T at[N]; };

//@SECTION place_segments
/* The first warp places what the block has queued, in order. */
DEVICE void place_segments(const int *row, const int *queued, int waiting, int *next,
                           int *position) {
    const int lane = threadIdx.x % 32;
    __syncthreads();
    for (int from = 0; threadIdx.x < 32 && from < waiting; from += 32) {
        const int at = from + lane < waiting ? row[from + lane] : -1;
        const unsigned alike = __match_any_sync(0xffffffffu, at);
        const int before = __popc(alike & ((1u << lane) - 1));
        const int first = at >= 0 ? next[at] : 0;
        __syncwarp();
        if (at >= 0) position[first + before] = queued[from + lane];
        if (at >= 0 && before == 0) next[at] = first + __popc(alike);
        __syncwarp();
    }
    __syncthreads();
}

//@SECTION group_shift
/* Each of GROUPS groups has 2 to the power of this rows. */
template <int GROUPS> DEVICE int group_shift(idx rows) {
    int shift = 0;
    while (((idx)GROUPS << shift) < rows) shift++;
    return shift;
}

//@SECTION bits_of
/* Of the numbers below n. */
DEVICE int bits_of(int n) {
    int bits = 0;
    while (1 << bits < n) bits++;
    return bits;
}

//@SECTION lanes_alike
/* The lanes of the warp that have the same `bits` lower bits; by votes, which are several times as
 * fast as __match_any_sync. */
DEVICE unsigned lanes_alike(int x, int bits) {
    unsigned alike = 0xffffffffu;
    for (int bit = 0; bit < bits; bit++) {
        const bool is_set = x >> bit & 1;
        const unsigned set = __ballot_sync(0xffffffffu, is_set);
        alike &= is_set ? set : ~set;
    }
    return alike;
}

//@SECTION rank_rows
/* How many items before an item of its warp have its row; `count`, of the warp: how many items have
 * each row of 2^bits. The items of a warp are those of its lanes, item 0 of all lanes first; a row
 * below 0 is none. */
template <int ITEMS>
DEVICE void rank_rows(const int (&row)[ITEMS], int bits, int *count, int (&rank)[ITEMS]) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        const unsigned own = __ballot_sync(0xffffffffu, row[item] >= 0);
        const unsigned alike = own & lanes_alike(row[item], bits);
        const int before = __popc(alike & ((1u << lane) - 1));
        const int first = row[item] >= 0 ? count[row[item]] : 0;
        rank[item] = first + before;
        __syncwarp();
        if (row[item] >= 0 && before == 0) count[row[item]] = first + __popc(alike);
        __syncwarp();
    }
}

//@SECTION start_rows
/* Replaces the number of positions of each row, in `next`, by where these start, behind `placed`
 * others, and copies that to `start`; adds all numbers to `placed`. */
template <int THREADS> DEVICE void start_rows(int rows, int *next, int *start, int &placed) {
    for (int row = 0; row < rows; row += THREADS) {
        const int at = row + threadIdx.x, count = at < rows ? next[at] : 0;
        Pack<int, 1> sum[1] = {{count}};
        block_scan<Sum, 0>(sum, placed);
        if (at < rows) start[at] = next[at] = sum[0].at[0] - count;
    }
}

//@SECTION RowTile
/* Memory of a block that places ITEMS positions of each thread by up to MOST rows. */
template <int WARPS, int ITEMS, int MOST> struct RowTile {
    union {
        int of_warp[WARPS][MOST]; // how many items of a row the warps before have
        int sorted[2][32 * WARPS * ITEMS]; // then the positions in order, and where they go
        long long key[32 * WARPS * ITEMS]; // of few items in many rows: see sort_keys
    };
    int first[MOST], apart[MOST]; // of a row: its first item in order, and from there to its place
};

//@SECTION sort_keys
/* Sorts the keys of a block, all different and below the last one of their type, by a network;
 * there is memory for a power of two of them. */
template <int THREADS> DEVICE void sort_keys(long long *key, int count) {
    int size = 1;
    while (size < count) size *= 2;
    for (int i = count + threadIdx.x; i < size; i += THREADS) key[i] = 0x7fffffffffffffffll;
    __syncthreads();
    for (int run = 2; run <= size; run *= 2)
        for (int far = run / 2; far; far /= 2) {
            for (int i = threadIdx.x; i < size / 2; i += THREADS) {
                const int low = i / far * 2 * far + i % far, high = low + far;
                const long long a = key[low], b = key[high];
                if ((a > b) == !(low & run)) key[low] = b, key[high] = a;
            }
            __syncthreads();
        }
}

//@SECTION count_below
/* Of sorted keys: how many are below a limit. */
DEVICE int count_below(const long long *key, int count, long long limit) {
    int below = 0;
    for (int left = count; left;) {
        const int half = left / 2;
        if (key[below + half] < limit) {
            below += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return below;
}

//@SECTION place_rows
/* Places the positions of the items of a block by their rows, in order: items of a warp before
 * those of the next one. rows: at most 2^bits. next: where the next position of each row goes.
 * Positions are put in order first: then neighbours go to memory together. */
template <int WARPS, int ITEMS, int MOST>
DEVICE void place_rows(const int (&row)[ITEMS], const int (&at)[ITEMS], int rows, int bits,
                       RowTile<WARPS, ITEMS, MOST> &tile, int *next, int *position) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int rank[ITEMS], placed = 0;
    for (int own = lane; own < rows; own += 32) tile.of_warp[warp][own] = 0;
    __syncwarp();
    rank_rows(row, bits, tile.of_warp[warp], rank);
    __syncthreads();
    for (int from = 0; from < rows; from += 32 * WARPS) {
        const int own = from + threadIdx.x;
        int count = 0;
#pragma unroll
        for (int each = 0; each < WARPS && own < rows; each++) {
            const int more = tile.of_warp[each][own];
            tile.of_warp[each][own] = count;
            count += more;
        }
        Pack<int, 1> sum[1] = {{count}};
        block_scan<Sum, 0>(sum, placed);
        if (own < rows) {
            tile.first[own] = sum[0].at[0] - count;
            tile.apart[own] = next[own] - tile.first[own];
            next[own] += count;
        }
    }
    __syncthreads();
    int to[ITEMS];
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        if (row[item] < 0) continue;
        rank[item] += tile.first[row[item]] + tile.of_warp[warp][row[item]];
        to[item] = rank[item] + tile.apart[row[item]];
    }
    __syncthreads();
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        if (row[item] < 0) continue;
        tile.sorted[0][rank[item]] = at[item];
        tile.sorted[1][rank[item]] = to[item];
    }
    __syncthreads();
    for (int item = threadIdx.x; item < placed; item += 32 * WARPS)
        position[tile.sorted[1][item]] = tile.sorted[0][item];
    __syncthreads();
}

//@SECTION combine_bins
/* Combines the x of each item of a warp into its bin, one of BINS places for each value; below 0:
 * none. Items of lanes with one bin are combined in their order first, if lanes may MEET so: each
 * lane with what the next one has of it, until the first lane has all. */
template <class Op, bool MEET, int BINS, int ITEMS, int VALUES, class T>
DEVICE void combine_bins(const int (&bin)[ITEMS], Values<T, VALUES> (&x)[ITEMS], T *to) {
    const int lane = threadIdx.x % 32;
    unsigned alike[ITEMS];
#pragma unroll
    for (int item = 0; item < ITEMS; item++)
        alike[item] = MEET ? __match_any_sync(0xffffffffu, bin[item]) : 0;
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        const unsigned behind = bin[item] >= 0 ? alike[item] & ~((2u << lane) - 1) : 0;
        int next = behind ? __ffs((int)behind) - 1 : -1;
        while (MEET && __any_sync(0xffffffffu, next >= 0)) {
            const int from = next >= 0 ? next : lane;
            const int after = __shfl_sync(0xffffffffu, next, from);
#pragma unroll
            for (int i = 0; i < VALUES; i++) {
                const T more = __shfl_sync(0xffffffffu, x[item].at[i], from);
                if (next >= 0) x[item].at[i] = Op::of(x[item].at[i], more);
            }
            if (next >= 0) next = after;
        }
        if (bin[item] >= 0 && !(alike[item] & ((1u << lane) - 1)))
#pragma unroll
            for (int i = 0; i < VALUES; i++) {
                T &sum = to[i * BINS + bin[item]];
                sum = Op::of(sum, x[item].at[i]);
            }
        __syncwarp();
    }
}

//@SECTION combine_tables
/* What is at `from` and, STRIDE behind each other, in further tables, in their order. */
template <class Op, int TABLES, int STRIDE, class T> DEVICE T combine_tables(const T *from) {
    T sum = from[0];
#pragma unroll
    for (int table = 1; table < TABLES; table++) sum = Op::of(sum, from[table * STRIDE]);
    return sum;
}
