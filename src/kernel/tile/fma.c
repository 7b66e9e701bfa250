/* fma.c: tiles of a contraction that is multiplied by fused multiply-adds, one at a time. In: a
 * TileSpace. Out: legal tiles: first one with as many sums as registers hold, then others by the
 * time that is estimated. */
#include "kernel/tile/tile_private.h"

enum {
    SIDE = 16,  /* threads along m, and along n */
    DEPTH = 16, /* of a tile along k */
    LARGE = 8,  /* accumulators of a thread along m, and along n */
    SMALL = 4,
    FIRST_SUMS = 64, /* registers of a thread */
    OTHERS = 28,     /* beside the sums, at least */
    PAD = 4,         /* elements between rows of shared memory */
    WARP = 32,
    MOST_SIDE = 64, /* threads */
    LEAST_THREADS = 64,
    MOST_THREADS = 512,
    MOST_EACH = 16, /* sums of a thread along a side */
    LEAST_DEPTH = 8,
    MOST_DEPTH = 32,
    MOST_BLOCKS = 8
};

static int words_of(const TileSpace *s) {
    return (int)dtype_size(dtype_compute(s->b->accs.at[0].type)) / 4;
}

/* ---- the first ------------------------------------------------------------------------------- */

/* Sums of a thread along each side: as many as registers allow, of all products together; fewer
 * where large tiles would leave multiprocessors idle. */
static int sums_each(const TileSpace *s) {
    const Dim *extent = s->b->indices->extent;
    int64_t tiles = 1, n;
    if (words_of(s) > 1) return SMALL;
    for (int axis = DOT_BATCH; axis <= DOT_N; axis++) {
        if (!dim_is_const(s->b->indices->dims, extent[axis], &n)) return LARGE;
        tiles *= axis == DOT_BATCH ? n : ceil_div(n, SIDE * LARGE);
    }
    return tiles < s->machine->processors ? SMALL : LARGE;
}

static int columns_each(int each, int products) {
    return products == 1 ? each : products == 2 ? each / 2 : each / 4;
}

/* Are neighbours of an operand, along one of these axes, neighbours in memory? */
static bool is_packed(const Body *b, int value, int own, int summed) {
    return dtype_size(dtype_compute(b->values.at[value].type)) == 4 &&
           value_contiguous(b, value, own) + value_contiguous(b, value, summed) > 0;
}

/* Where operands are loaded by packs, the next tile of 8 along k leaves registers for the sums:
 * 4096 x 4096 x 4096 takes 3024 us on an H200, 3376 with 16. */
static int depth(const TileSpace *s, int rows) {
    const Body *b = s->b;
    bool packed = rows == LARGE;
    for (int i = 0; i < body_summand_count(b); i++) {
        const Summand t = body_summand(b, i);
        packed = packed && is_packed(b, t.left, DOT_M, t.axis);
        for (int j = 0; j < b->dots; j++)
            packed = packed && is_packed(b, t.right[j], DOT_N, t.axis);
    }
    return packed ? LEAST_DEPTH : DEPTH;
}

/* Addresses of 64 bits take two registers. */
static Tile shaped(const TileSpace *s, TileKind kind, int rows, int cols) {
    return (Tile){.kind = kind,
                  .m = SIDE * rows,
                  .n = SIDE * cols,
                  .k = depth(s, rows),
                  .threads_m = SIDE,
                  .threads_n = SIDE,
                  .blocks = body_is_32bit(s->b) ? 2 : 1};
}

/* Where a tile owns rows: enough for their columns, and rows for as many registers. */
static Tile rows_first(const TileSpace *s) {
    int cols = SMALL;
    while (cols * SIDE < s->dot.columns) cols *= 2;
    int rows = FIRST_SUMS / words_of(s) / (cols * s->dot.count);
    if (rows > LARGE) rows = LARGE;
    Tile t = shaped(s, TILE_FMA_ROWS, rows, cols);
    while (rows > 1 && tile_fma_shared(s->b, &t) > TILE_SHARED)
        t = shaped(s, TILE_FMA_ROWS, rows /= 2, cols);
    return t;
}

static Tile first(const TileSpace *s) {
    if (s->dot.columns) return rows_first(s);
    const int each = sums_each(s);
    return shaped(s, TILE_FMA, each, columns_each(each, s->dot.count));
}

static void complete(const TileSpace *s, Tile *t) {
    t->threads = t->threads_m * t->threads_n;
    if (t->kind == TILE_FMA_ROWS) row_part_complete(s, t);
}

/* ---- what is legal --------------------------------------------------------------------------- */

int64_t tile_fma_shared(const Body *b, const Tile *t) {
    const int64_t rows = t->m + PAD + (int64_t)b->dots * (t->n + PAD);
    return 2 * t->k * rows * (int64_t)dtype_size(dtype_compute(b->accs.at[0].type));
}

static const char *sides_refusal(const TileSpace *s, const Tile *t) {
    const int64_t threads = (int64_t)t->threads_m * t->threads_n;
    if (!is_power_of_two(t->threads_m) || !is_power_of_two(t->threads_n) ||
        t->threads_m > MOST_SIDE || t->threads_n > MOST_SIDE || threads < LEAST_THREADS ||
        threads > MOST_THREADS)
        return arena_printf(s->arena,
                            "threads_m and threads_n are powers of 2 up to %d with a product from "
                            "%d to %d, not %d and %d",
                            MOST_SIDE, LEAST_THREADS, MOST_THREADS, t->threads_m, t->threads_n);
    if (t->m % t->threads_m || t->n % t->threads_n || !is_power_of_two(t->m / t->threads_m) ||
        !is_power_of_two(t->n / t->threads_n) || t->m / t->threads_m > MOST_EACH ||
        t->n / t->threads_n > MOST_EACH)
        return arena_printf(s->arena,
                            "m and n are 1 to %d times threads_m=%d and threads_n=%d (powers of "
                            "2), not %d and %d",
                            MOST_EACH, t->threads_m, t->threads_n, t->m, t->n);
    if (!is_power_of_two(t->k) || t->k < LEAST_DEPTH || t->k > MOST_DEPTH)
        return arena_printf(s->arena, "k must be a power of 2 from %d to %d, not %d", LEAST_DEPTH,
                            MOST_DEPTH, t->k);
    if (t->m * t->k % threads == 0 && t->n * t->k % threads == 0) return NULL;
    return arena_printf(s->arena, "%lld threads do not share out %d x %d and %d x %d elements",
                        (long long)threads, t->m, t->k, t->n, t->k);
}

static const char *register_refusal(const TileSpace *s, const Tile *t) {
    const int threads = t->threads_m * t->threads_n;
    const int64_t sums = (int64_t)t->m * t->n / threads * s->dot.count * words_of(s);
    if (t->blocks < 1 || t->blocks > MOST_BLOCKS)
        return arena_printf(s->arena, "blocks must be a number from 1 to %d, not %d", MOST_BLOCKS,
                            t->blocks);
    int share = MACHINE_REGISTERS / (threads * t->blocks);
    if (share > MACHINE_THREAD_REGISTERS) share = MACHINE_THREAD_REGISTERS;
    if (sums + OTHERS <= share) return NULL;
    return arena_printf(s->arena,
                        "a thread has %lld registers of sums and %d of others, and blocks=%d of %d "
                        "threads leave it %d",
                        (long long)sums, OTHERS, t->blocks, threads, share);
}

/* Sums of rows meet in the shared memory of the right operands, threads_m at a time, and each is
 * taken by threads of one warp. */
static const char *rows_refusal(const TileSpace *s, const Tile *t) {
    if (t->threads_n > WARP || t->threads_m > 2 * t->k)
        return arena_printf(s->arena,
                            "rows of results want threads_n up to %d, and threads_m up to %d, "
                            "twice k; not %d and %d",
                            WARP, 2 * t->k, t->threads_n, t->threads_m);
    const char *wrong = tile_rows_refusal(&s->dot, t, s->arena);
    return wrong ? wrong : row_part_refusal(s, t, 1, t->threads_n);
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    const char *wrong = sides_refusal(s, t);
    if (!wrong) wrong = register_refusal(s, t);
    if (!wrong && t->kind == TILE_FMA_ROWS) wrong = rows_refusal(s, t);
    if (wrong) return wrong;
    const int64_t bytes = tile_fma_shared(s->b, t);
    if (bytes <= TILE_SHARED) return NULL;
    return arena_printf(s->arena, "two tiles take %lld bytes of shared memory, and a block has %d",
                        (long long)bytes, TILE_SHARED);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Clocks of a multiprocessor for one step of k of a tile: multiply-adds, what threads read from
 * shared memory for them, or what L2 brings, whichever takes longest. */
static double step_clocks(const TileSpace *s, const Tile *t) {
    const Machine *gpu = s->machine;
    const double words = words_of(s), n = (double)t->n * s->dot.count;
    const double threads = (double)t->threads_m * t->threads_n;
    const double rate = words > 1 ? gpu->fma / 2.0 : gpu->fma;
    const double multiply = t->m * n / rate;
    const double read = threads * (t->m / t->threads_m + n / t->threads_n) * words * 4;
    const double bring = (t->m + n) * words * 4 / gpu->l2;
    const double shared = read / (gpu->shared * SMALL); /* neighbours read the same words */
    const double most = multiply > shared ? multiply : shared;
    return most > bring ? most : bring;
}

/* Few threads of a multiprocessor hide little of what a step waits for. */
static double tile_clocks(const TileSpace *s, const Tile *t) {
    enum { ENOUGH = 512 };
    const Body *b = s->b;
    const double threads = (double)t->threads_m * t->threads_n * t->blocks;
    const double exposed = (threads < ENOUGH ? ENOUGH / threads - 1 : 0) / 2 + 2.0 / t->k;
    double steps = 0;
    for (int i = 0; i < body_summand_count(b); i++)
        steps += cost_tiles(b->indices->dims, b->indices->extent[body_summand(b, i).axis], t->k);
    return tile_waves(b, s->machine, t) *
           (steps * t->k * step_clocks(s, t) * (1 + exposed) + s->machine->start);
}

/* Powers of 2 of the first, by threads, sums of a thread, depth and blocks. */
static void list(const TileSpace *s, Candidates *out) {
    const bool has_rows = s->dot.columns > 0;
    Tile least = first(s);
    if (has_rows) row_part_choose(s, &least, 1, least.threads_n);
    candidate_add(s, least, 0, out);
    for (int choice = 0; choice < 4 * 4 * 5 * 5 * 3 * 3; choice++) {
        Tile t = least;
        int rest = choice;
        t.threads_m = LEAST_DEPTH << rest % 4, rest /= 4;
        t.threads_n = LEAST_DEPTH << rest % 4, rest /= 4;
        t.m = t.threads_m << rest % 5, rest /= 5;
        t.n = t.threads_n << rest % 5, rest /= 5;
        t.k = LEAST_DEPTH << rest % 3, rest /= 3;
        t.blocks = 1 << rest;
        if (sides_refusal(s, &t) || register_refusal(s, &t)) continue;
        if (has_rows && t.threads_n <= WARP) row_part_choose(s, &t, 1, t.threads_n);
        if (!tile_equal(&least, &t)) candidate_add(s, t, 1 + tile_clocks(s, &t), out);
    }
}

const TileFamily tile_fma = {list, complete, refusal};
