/* dot.cu: c[batch, m, n] = sum over k of a[batch, m, k] * b[batch, n, k], for `products` operands b
 * that share a, one fused multiply-add at a time. A block of threads_m x threads_n threads
 * computes tile_m x tile_n elements of each product from a pipeline of `stages` tiles of tile_k in
 * k, in shared memory: operands are copied there by cp.async, or evaluated in registers and stored.
 * A thread has rows x cols elements of each product, in groups of 16 bytes; along each side, the
 * groups of its threads are interleaved. While it multiplies the elements of one k, it loads those
 * of the next; copies may start in parts, one before every second k. Integers are summed
 * unsigned, which wraps.
 *
 * `wide`: sizes and pointers allow 16-byte loads of the operands that are contiguous across k. The
 * first stage takes the elements that whole stages leave: the main loop has no tests. */
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
#define STEP s ? tile_k : first
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
    constexpr int threads_m = THREADS_M, threads_n = THREADS_N; /* of a block */
    constexpr int rows = ROWS, cols = COLS; /* of a thread */
    constexpr int tile_m = threads_m * rows, tile_n = threads_n * cols, tile_k = DEPTH;
    constexpr int stages = STAGES, pack = 16 / sizeof(SUM);
    constexpr int group_m = rows < pack ? rows : pack, group_n = cols < pack ? cols : pack;
    constexpr int products = COUNT; /* right operands that share the left one */
    struct Stage { SUM a[tile_k][tile_m + 4], b[products][tile_k][tile_n + 4]; };
    Stage *const stage = (Stage *)dynamic_shared;
    /* A warp has 4 x 8 threads. Lanes 2 apart share a row, and those 1 apart a column: then half a
     * warp loads its packs of 16 bytes at once. */
    const int thread = threadIdx.x, warp = thread / 32;
    const int thread_m = warp / (threads_n / 8) * 4 + thread / 16 % 2 * 2 + thread % 2;
    const int thread_n = warp % (threads_n / 8) * 8 + thread / 2 % 8;
    const int tx = thread_n * group_n, ty = thread_m * group_m;
    const IDX tiles_n = (DOT_N + tile_n - 1) / tile_n, tiles_m = (DOT_M + tile_m - 1) / tile_m;
    const IDX n_start = (IDX)blockIdx.x % tiles_n * tile_n;
    const IDX m_start = (IDX)blockIdx.x / tiles_n % tiles_m * tile_m;
    //@HOLE AT_BATCH
    //@IF IF_KEEP
    [[maybe_unused]] SUM a_part[A_ITEMS], b_part[products][B_ITEMS]; /* what is not copied */
    //@END
    //@IF IF_SHORT
    const int first = FIRST; /* elements of k of the first stage: those that whole stages leave */
    //@END
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
    Pack<SUM, group_m> a_frag[2][rows / group_m];
    Pack<SUM, group_n> b_frag[2][products][cols / group_n];
    /* Loads the thread's elements of one k. */
    const auto load = [&](int set, int slot, int l) {
#pragma unroll
        for (int i = 0; i < rows / group_m; i++)
            a_frag[set][i] = load_pack<group_m>(&stage[slot].a[l][i * threads_m * group_m + ty]);
#pragma unroll
        for (int c = 0; c < products; c++)
#pragma unroll
            for (int j = 0; j < cols / group_n; j++)
                b_frag[set][c][j] =
                    load_pack<group_n>(&stage[slot].b[c][l][j * threads_n * group_n + tx]);
    };
    SUM sum[products][rows][cols] = {};
    const auto multiply = [&](int set) {
#pragma unroll
        for (int c = 0; c < products; c++)
#pragma unroll
            for (int i = 0; i < rows; i++)
#pragma unroll
                for (int j = 0; j < cols; j++)
                    sum[c][i][j] += a_frag[set][i / group_m].at[i % group_m] *
                                    b_frag[set][c][j / group_n].at[j % group_n];
    };

    IDX k_next = 0; /* start of the stage that is fetched next */
#pragma unroll 1
    for (int s = 0; s < stages - 1; s++) {
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
        k_next += STEP;
    }
    //@IF IF_COPIES
    cp_async_wait<stages - 2>();
    //@END
    __syncthreads();
    int slot = 0, put = stages - 1; /* stages that are multiplied, and fetched */
    load(0, slot, 0);
#pragma unroll 1
    for (;;) {
        const bool is_fetching = k_next < DOT_K;
        const bool is_last = k_next >= DOT_K + (stages - 2) * tile_k;
#pragma unroll
        for (int l = 0; l < tile_k - 1; l++) {
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
        cp_async_wait<stages - 2>();
        //@END
        __syncthreads();
        put = slot;
        if (!is_last) slot = slot + 1 < stages ? slot + 1 : 0;
        load(0, slot, 0);
        multiply(1);
        if (is_last) break;
        k_next += tile_k;
    }

    //@IF IF_ROWS
    /* Results go through shared memory, threads_m rows at a time; a warp, or a part of one, takes a
     * row. */
    constexpr int pitch = products * (tile_n + 4);
    SUM *const strip = (SUM *)dynamic_shared;
    __syncthreads();
#pragma unroll 1
    for (int piece = 0; piece < rows; piece++) {
#pragma unroll
        for (int i = 0; i < rows; i++)
            if (i == piece)
#pragma unroll
                for (int c = 0; c < products; c++)
#pragma unroll
                    for (int j = 0; j < cols; j++)
                        strip[thread_m * pitch + c * tile_n +
                              j / group_n * (threads_n * group_n) + tx + j % group_n] =
                            sum[c][i][j];
        __syncthreads();
#pragma unroll 1
        for (int own = thread / ROW_THREADS; own < threads_m; own += THREADS / ROW_THREADS) {
            const int lane = thread % ROW_THREADS;
            const SUM *const row_sums = strip + own * pitch;
            const IDX from = m_start + piece / group_m * (threads_m * group_m) + piece % group_m;
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
    for (int row = 0; row < rows; row++) {
        SUM row_sums[products][cols];
#pragma unroll
        for (int i = 0; i < rows; i++)
            if (i == row)
#pragma unroll
                for (int j = 0; j < products * cols; j++)
                    row_sums[j / cols][j % cols] = sum[j / cols][i][j % cols];
        const IDX at_m = m_start + row / group_m * (threads_m * group_m) + ty + row % group_m;
        //@IF IF_RAGGED
        if (at_m >= DOT_M) continue;
        //@END
        //@HOLE RESULTS
    }
    //@END
}
