/* binned.cu: elements of a part of ROWS, combined by where they go, one of BINS places. A warp, or
 * SLICES of them, each with other columns, have the results of their elements in shared memory,
 * VALUES of each; then the block combines those of its warps, in order. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone(float *PART_SUMS, long long ROWS, long long COLUMNS)
#define THREADS 256
#define ITEMS 8
#define PARTS 8
#define BINS 64
#define VALUES 1
#define SLICES 1
#define AHEAD true
#define TYPE float
#define OP Sum
#define MEET true
#define PLACE place(at, value[item])
DEVICE int place(idx at, Pack<float, 1> &value) { return value.at[0] = at, at % 64; }
//@BEGIN
HEAD {
    constexpr int items = ITEMS, slices = SLICES, tables = THREADS / 32 / slices;
    constexpr bool sliced = slices > 1;
    constexpr int step = sliced ? tables * items : THREADS * items;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, table = warp / slices;
    TYPE *const bins = (TYPE *)dynamic_shared, *const own_bins = bins + table * (VALUES * BINS);
    const idx size = ceil_div(ROWS, PARTS), begin = blockIdx.x * size;
    const idx end = begin + size < ROWS ? begin + size : ROWS;
    for (int i = threadIdx.x; i < tables * VALUES * BINS; i += THREADS)
        bins[i] = OP::identity((TYPE)0);
    __syncthreads();

    // rows, of which each lane has a column; else elements
    const idx start = sliced ? begin + table * items : begin * COLUMNS + warp * items * 32;
    const idx limit = sliced ? end : end * COLUMNS;
    for (int first = warp % slices * 32; first < (sliced ? COLUMNS : 1); first += slices * 32) {
        const bool has_column = !sliced || first + lane < COLUMNS;
        const int column = sliced && has_column ? first + lane : 0;
        const auto load = [&](idx from, int (&bin)[items], Pack<TYPE, VALUES> (&value)[items]) {
#pragma unroll
            for (int item = 0; item < items; item++) {
                const idx i = from + (sliced ? item : item * 32 + lane);
                const idx inner = i < limit ? i : limit - 1;
                const idx at = sliced ? inner * COLUMNS + column : inner;
                const int to = PLACE;
                bin[item] = i < limit && has_column ? to : -1;
            }
        };
        int bin[items], bin_ahead[items];
        Pack<TYPE, VALUES> value[items], value_ahead[items];
        load(start, bin, value);
        for (idx from = start; from < limit; from += step) {
            if (AHEAD) load(from + step, bin_ahead, value_ahead);
            combine_bins<OP, MEET, BINS>(bin, value, own_bins);
            if (!AHEAD) load(from + step, bin_ahead, value_ahead);
#pragma unroll
            for (int item = 0; item < items; item++) {
                bin[item] = bin_ahead[item];
                value[item] = value_ahead[item];
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += THREADS) {
        const idx to = (idx)blockIdx.x * BINS + i;
        //@HOLE STORES
    }
}
