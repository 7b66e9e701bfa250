/* dot.cu: c[batch, m, n] = sum over k of a[batch, m, k] * b[batch, n, k], for `products` operands b
 * that share a, one fused multiply-add at a time. A block of THREADS_M x THREADS_N threads
 * computes tile_m x tile_n elements of each product from a pipeline of STAGES tiles of DEPTH in k,
 * in shared memory: operands are copied there by cp.async, or evaluated in registers and stored.
 * A thread has ROWS x COLS elements of each product, in groups of 16 bytes; along each side, the
 * groups of its threads are interleaved. While it multiplies the elements of one k, it loads those
 * of the next; copies may start in parts, one before every second k. Integers are summed
 * unsigned, which wraps.
 *
 * `wide`: sizes and pointers allow 16-byte loads of the operands that are contiguous across k. The
 * first stage takes the FIRST elements that whole stages leave: the main loop has no tests. */
#include "prelude.cuh"
#define HEAD template <bool wide> __device__ void alone()
#define IDX int
#define SUM float
#define DOT_M 10
#define DOT_N 10
#define DOT_K 10
#define COUNT 1
#define THREADS 256
#define THREADS_M 16
#define THREADS_N 16
#define DEPTH 16
#define STAGES 3
#define ROWS 8
#define COLS 8
#define A_ITEMS 8
#define B_ITEMS 8
#define ROW_THREADS 16
#define FIRST (DOT_K - 1) % DEPTH + 1
#define PARTS 8
#define FETCH_STAGE int slot, int part, IDX k_start, bool whole
#define FETCH_START s, part, k_next, s > 0
#define FETCH_NEXT put, l / 2, k_next, true
#define KEEP_STAGE int slot, bool whole
#define KEEP_START s, s > 0
#define KEEP_NEXT put, true
#define AT_M valid ? from + own * group_m : DOT_M - 1
//@BEGIN
HEAD {
    constexpr int tile_m = THREADS_M * ROWS, tile_n = THREADS_N * COLS, pack = 16 / sizeof(SUM);
    constexpr int group_m = ROWS < pack ? ROWS : pack, group_n = COLS < pack ? COLS : pack;
    constexpr int products = COUNT; /* right operands that share the left one */
    struct Stage { SUM a[DEPTH][tile_m + 4], b[products][DEPTH][tile_n + 4]; };
    Stage *const stage = (Stage *)dynamic_shared;
    /* A warp has 4 x 8 threads. Lanes 2 apart share a row, and those 1 apart a column: then half a
     * warp loads its packs of 16 bytes at once. */
    const int thread = threadIdx.x, warp = thread / 32;
    const int thread_m = warp / (THREADS_N / 8) * 4 + thread / 16 % 2 * 2 + thread % 2;
    const int thread_n = warp % (THREADS_N / 8) * 8 + thread / 2 % 8;
    const int tx = thread_n * group_n, ty = thread_m * group_m;
    const IDX tiles_n = (DOT_N + tile_n - 1) / tile_n, tiles_m = (DOT_M + tile_m - 1) / tile_m;
    const IDX n_start = (IDX)blockIdx.x % tiles_n * tile_n;
    const IDX m_start = (IDX)blockIdx.x / tiles_n % tiles_m * tile_m;
    //@HOLE AT_BATCH
    //@IF IF_KEEP
    [[maybe_unused]] SUM a_part[A_ITEMS], b_part[products][B_ITEMS]; /* what is not copied */
    //@END
    const int first = FIRST;
    //@HOLE START
    //@IF IF_PARTS
    /* Starts the copies of a part of a stage, and evaluates what is not copied. */
    //@END
    //@IF IF_WHOLE_FETCH
    /* Starts the copies of a stage, and evaluates what is not copied. */
    //@END
    const auto fetch = [&](FETCH_STAGE) {
        //@HOLE FETCH
    };
    //@IF IF_KEEP
    /* Stores the latter to shared memory. */
    const auto keep = [&](KEEP_STAGE) {
        //@HOLE KEEP
    };
    //@END
    Pack<SUM, group_m> a_frag[2][ROWS / group_m];
    Pack<SUM, group_n> b_frag[2][products][COLS / group_n];
    /* Loads the thread's elements of one k. */
    const auto load = [&](int set, int slot, int l) {
#pragma unroll
        for (int i = 0; i < ROWS / group_m; i++)
            a_frag[set][i] = load_pack<group_m>(&stage[slot].a[l][i * THREADS_M * group_m + ty]);
#pragma unroll
        for (int c = 0; c < products; c++)
#pragma unroll
            for (int j = 0; j < COLS / group_n; j++)
                b_frag[set][c][j] =
                    load_pack<group_n>(&stage[slot].b[c][l][j * THREADS_N * group_n + tx]);
    };
    SUM sum[products][ROWS][COLS] = {};
    const auto multiply = [&](int set) {
#pragma unroll
        for (int c = 0; c < products; c++)
#pragma unroll
            for (int i = 0; i < ROWS; i++)
#pragma unroll
                for (int j = 0; j < COLS; j++)
                    sum[c][i][j] += a_frag[set][i / group_m].at[i % group_m] *
                                    b_frag[set][c][j / group_n].at[j % group_n];
    };

    IDX k_next = 0; /* start of the stage that is fetched next */
#pragma unroll 1
    for (int s = 0; s < STAGES - 1; s++) {
        if (k_next < DOT_K) {
            //@IF IF_PARTS
#pragma unroll
            for (int part = 0; part < PARTS; part++) fetch(FETCH_START);
            //@END
            //@IF IF_WHOLE_FETCH
            fetch(FETCH_START);
            //@END
            //@IF IF_KEEP
            keep(KEEP_START);
            //@END
        }
        //@IF IF_COPIES
        cp_async_commit();
        //@END
        k_next += s ? DEPTH : first;
    }
    //@IF IF_COPIES
    cp_async_wait<STAGES - 2>();
    //@END
    __syncthreads();
    int slot = 0, put = STAGES - 1; /* stages that are multiplied, and fetched */
    load(0, slot, 0);
#pragma unroll 1
    for (;;) {
        const bool is_fetching = k_next < DOT_K;
        const bool is_last = k_next >= DOT_K + (STAGES - 2) * DEPTH;
#pragma unroll
        for (int l = 0; l < DEPTH - 1; l++) {
            load((l + 1) % 2, slot, l + 1);
            //@IF IF_PARTS
            if (l % 2 == 0 && is_fetching) fetch(FETCH_NEXT);
            //@END
            //@IF IF_WHOLE_FETCH
            if (l == 0 && is_fetching) fetch(FETCH_NEXT);
            //@END
            multiply(l % 2);
        }
        //@IF IF_KEEP
        if (is_fetching) keep(KEEP_NEXT);
        //@END
        //@IF IF_COPIES
        cp_async_commit();
        cp_async_wait<STAGES - 2>();
        //@END
        __syncthreads();
        put = slot;
        if (!is_last) slot = slot + 1 < STAGES ? slot + 1 : 0;
        load(0, slot, 0);
        multiply(1);
        if (is_last) break;
        k_next += DEPTH;
    }

    //@IF IF_ROWS
    /* Results go through shared memory, THREADS_M rows at a time; a warp, or a part of one, takes a
     * row. */
    constexpr int pitch = products * (tile_n + 4);
    SUM *const strip = (SUM *)dynamic_shared;
    __syncthreads();
#pragma unroll 1
    for (int piece = 0; piece < ROWS; piece++) {
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (i == piece)
#pragma unroll
                for (int c = 0; c < products; c++)
#pragma unroll
                    for (int j = 0; j < COLS; j++)
                        strip[thread_m * pitch + c * tile_n +
                              j / group_n * (THREADS_N * group_n) + tx + j % group_n] =
                            sum[c][i][j];
        __syncthreads();
#pragma unroll 1
        for (int own = thread / ROW_THREADS; own < THREADS_M; own += THREADS / ROW_THREADS) {
            const int lane = thread % ROW_THREADS;
            const SUM *const row_sums = strip + own * pitch;
            const IDX from = m_start + piece / group_m * (THREADS_M * group_m) + piece % group_m;
            //@IF IF_RAGGED
            const bool valid = from + own * group_m < DOT_M; /* else: the last row, not stored */
            //@END
            [[maybe_unused]] const IDX at_m = AT_M;
            //@HOLE ROW
        }
        __syncthreads();
    }
    //@END
    //@IF IF_ELEMENTS
    //@HOLE RESULTS_START
#pragma unroll 1
    for (int row = 0; row < ROWS; row++) {
        SUM row_sums[products][COLS];
#pragma unroll
        for (int i = 0; i < ROWS; i++)
            if (i == row)
#pragma unroll
                for (int j = 0; j < products * COLS; j++)
                    row_sums[j / COLS][j % COLS] = sum[j / COLS][i][j % COLS];
        const IDX at_m = m_start + row / group_m * (THREADS_M * group_m) + ty + row % group_m;
        if (at_m >= DOT_M) continue;
        //@HOLE RESULTS
    }
    //@END
}
