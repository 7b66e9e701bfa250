/* binned.cu: elements of a part of ROWS, combined by where they go, one of BINS places. A warp, or
 * SLICES of them, each with other columns, have the results of their elements in shared memory,
 * VALUES of each; then the block combines those of its warps, in order. */
#include "prelude.cuh"
#define HEAD extern "C" __global__ void alone(float *PART_SUMS, long long ROWS)
#define THREADS 256
#define ITEMS 8
#define PARTS 8
#define BINS 64
#define VALUES 1
#define SLICES 1
#define COLUMNS 4
#define TABLES 8
#define INDEX long long
#define TYPE float
#define OP Sum
#define MEET true
#define PLACE place(at, value[item])
DEVICE int place(long long at, Values<float, 1> &value) { return value.at[0] = at, at % 64; }
//@BEGIN
HEAD {
    constexpr int items = ITEMS, columns = COLUMNS, slices = SLICES, tables = TABLES;
    constexpr bool sliced = slices > 1;
    constexpr int own = sliced ? items : items * 32, step = tables * own;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, table = warp / slices;
    TYPE *const bins = (TYPE *)dynamic_shared, *const own_bins = bins + table * (VALUES * BINS);
    const INDEX size = ceil_div(ROWS, PARTS), begin = blockIdx.x * size;
    const INDEX end = begin + size < ROWS ? begin + size : ROWS;
#pragma unroll 8
    for (int i = threadIdx.x; i < tables * VALUES * BINS; i += THREADS)
        bins[i] = OP::identity((TYPE)0);
    __syncthreads();

    // rows, of which each lane has a column; else elements
    const INDEX start = sliced ? begin + table * own : begin * columns + warp * own;
    const INDEX limit = table >= tables ? start : sliced ? end : end * columns;
    int bin[items];
    Values<TYPE, VALUES> value[items];
    for (int first = warp % slices * 32; first < (sliced ? columns : 1); first += slices * 32) {
        const bool has_column = !sliced || first + lane < columns;
        const int inner = sliced ? has_column ? first + lane : 0 : lane;
        const auto load = [&](INDEX from, int (&bin)[items], Values<TYPE, VALUES> (&value)[items]) {
            const INDEX first_at = (sliced ? from * columns : from) + inner;
#pragma unroll
            for (int item = 0; item < items; item++) {
                const INDEX at = first_at + item * (sliced ? columns : 32);
                const int to = PLACE;
                bin[item] = has_column ? to : -1;
            }
        };
        INDEX from = start;
        //@IF ahead
        if (from + own <= limit) {
            int bin_ahead[items];
            Values<TYPE, VALUES> value_ahead[items];
            load(from, bin, value);
            for (bool more = true; more; from += step) {
                more = from + step + own <= limit;
                load(more ? from + step : from, bin_ahead, value_ahead);
                combine_bins<OP, MEET, BINS>(bin, value, own_bins);
#pragma unroll
                for (int item = 0; item < items; item++) {
                    bin[item] = bin_ahead[item];
                    value[item] = value_ahead[item];
                }
            }
        }
        //@END
        //@IF behind
        for (; from + own <= limit; from += step) {
            load(from, bin, value);
            combine_bins<OP, MEET, BINS>(bin, value, own_bins);
        }
        //@END
        for (; from < limit; from += step) {
#pragma unroll
            for (int item = 0; item < items; item++) {
                const INDEX i = from + (sliced ? item : item * 32 + lane);
                const INDEX last = i < limit ? i : limit - 1;
                const INDEX at = sliced ? last * columns + inner : last;
                const int to = PLACE;
                bin[item] = i < limit && has_column ? to : -1;
            }
            combine_bins<OP, MEET, BINS>(bin, value, own_bins);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += THREADS) {
        const idx to = (idx)blockIdx.x * BINS + i;
        //@HOLE STORES
    }
}
