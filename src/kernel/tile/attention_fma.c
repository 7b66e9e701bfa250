/* attention_fma.c: tiles of an attention without tensor cores, by fused multiply-adds.
 * In: a TileSpace. Out: legal tiles: first one that fits every GPU, then others by estimated
 * time. */
#include "kernel/tile/tile_private.h"

enum {
    SIDE = 64, /* queries, and keys, of the first tile */
    THREADS = 16,
    DEPTH = 16,
    MOST_CHUNKS = 4, /* each of as many columns as keys */
    PAD = 4,         /* floats between rows of shared memory */
    WARP = 32,
    LEAST_THREADS = 64,
    MOST_THREADS = 512,
    LEAST_SIDE = 8, /* threads along a row, */
    MOST_SIDE = 64, /* and along the queries */
    MOST_EACH = 8,  /* queries, and keys, of a thread */
    LEAST_DEPTH = 8,
    MOST_DEPTH = 32,
    MOST_BLOCKS = 4,
    OTHERS = 40,   /* registers besides scores, results and operands */
    ADDRESSES = 12 /* those of an operand, of 32 bits */
};

/* Steps of queries, and of keys or values, and the weights: floats. */
int64_t tile_attention_fma_shared(const Tile *t) {
    const int widest = t->n > t->columns ? t->n : t->columns;
    const int64_t steps = t->k * ((int64_t)t->m + PAD + widest + PAD);
    return (int64_t)sizeof(float) * (steps + (int64_t)t->n * (t->m + PAD));
}

static void complete(const TileSpace *s, Tile *t) {
    (void)s;
    t->threads = t->threads_m * t->threads_n;
}

/* ---- what is legal --------------------------------------------------------------------------- */

static const char *threads_refusal(const TileSpace *s, const Tile *t) {
    const int64_t threads = (int64_t)t->threads_m * t->threads_n;
    if (!is_power_of_two(t->threads_n) || t->threads_n < LEAST_SIDE || t->threads_n > WARP)
        return arena_printf(s->arena, "%d, 16 or %d threads of a warp share a row, not %d",
                            LEAST_SIDE, WARP, t->threads_n);
    if (is_power_of_two(t->threads_m) && t->threads_m <= MOST_SIDE && threads >= LEAST_THREADS &&
        threads <= MOST_THREADS)
        return NULL;
    return arena_printf(s->arena,
                        "threads_m must be a power of 2 up to %d that makes %d to %d threads with "
                        "threads_n=%d, not %d",
                        MOST_SIDE, LEAST_THREADS, MOST_THREADS, t->threads_n, t->threads_m);
}

static bool is_shared_out(int size, int threads) {
    return size % threads == 0 && is_power_of_two(size / threads) && size / threads <= MOST_EACH;
}

static const char *sides_refusal(const TileSpace *s, const Tile *t) {
    const int threads = t->threads_m * t->threads_n;
    if (!is_shared_out(t->m, t->threads_m) || !is_shared_out(t->n, t->threads_n))
        return arena_printf(s->arena,
                            "m and n are 1, 2, 4 or %d times threads_m=%d and threads_n=%d, and "
                            "not %d and %d",
                            MOST_EACH, t->threads_m, t->threads_n, t->m, t->n);
    if (t->columns < t->n || t->columns % t->n || t->columns > MOST_CHUNKS * t->n)
        return arena_printf(s->arena, "columns must be 1 to %d times n=%d, not %d", MOST_CHUNKS,
                            t->n, t->columns);
    if (!is_power_of_two(t->k) || t->k < LEAST_DEPTH || t->k > MOST_DEPTH || t->n % t->k)
        return arena_printf(s->arena,
                            "k must be a power of 2 from %d to %d that divides n=%d, not %d",
                            LEAST_DEPTH, MOST_DEPTH, t->n, t->k);
    if (t->m * t->k % threads == 0 && t->n * t->k % threads == 0) return NULL;
    return arena_printf(s->arena, "%d threads do not share out %d x %d and %d x %d elements",
                        threads, t->m, t->k, t->n, t->k);
}

/* A chain has several of both; weights take the place of scores. */
static int results(const TileSpace *s) {
    return s->k->family == F_CHAIN ? s->b->chain.out_count : 1;
}

static int scores(const TileSpace *s) {
    const int count = s->k->family == F_CHAIN ? s->b->chain.count : 1;
    return count > results(s) ? count : results(s);
}

/* Registers of a thread, about. */
static int registers_of(const TileSpace *s, const Tile *t) {
    const int threads = t->threads_m * t->threads_n, widest = t->n > t->columns ? t->n : t->columns;
    const int products = s->k->family == F_CHAIN ? s->b->chain.count : 1;
    const int operands = 2 * products + results(s), word = body_is_32bit(s->b) ? 1 : 2;
    return t->m * (scores(s) * t->n + results(s) * t->columns) / threads +
           t->k * (t->m + widest) / threads + operands * ADDRESSES * word + OTHERS;
}

static const char *room_refusal(const TileSpace *s, const Tile *t) {
    const int threads = t->threads_m * t->threads_n;
    const int registers = registers_of(s, t);
    const int64_t bytes = tile_attention_fma_shared(t);
    if (t->blocks < 1 || t->blocks > MOST_BLOCKS)
        return arena_printf(s->arena, "blocks must be a number from 1 to %d, not %d", MOST_BLOCKS,
                            t->blocks);
    int share = MACHINE_REGISTERS / (threads * t->blocks);
    if (share > MACHINE_THREAD_REGISTERS) share = MACHINE_THREAD_REGISTERS;
    if (registers > share)
        return arena_printf(s->arena,
                            "a thread takes about %d registers, and blocks=%d of %d threads leave "
                            "it %d",
                            registers, t->blocks, threads, share);
    if (bytes <= TILE_SHARED) return NULL;
    return arena_printf(s->arena, "a tile takes %lld bytes of shared memory, and a block has %d",
                        (long long)bytes, TILE_SHARED);
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    const char *wrong = threads_refusal(s, t);
    if (!wrong) wrong = sides_refusal(s, t);
    return wrong ? wrong : room_refusal(s, t);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Clocks of a tile of keys: multiply-adds of both products, their shared memory reads, or L2,
 * whichever takes longest. Queries are loaded again for every tile of keys. */
static double keys_clocks(const TileSpace *s, const Tile *t) {
    const Machine *gpu = s->machine;
    const double depth =
        (double)cost_size(s->b->indices->dims, s->b->indices->extent[ATTENTION_DEPTH]);
    const double threads = (double)t->threads_m * t->threads_n, rows = (double)t->m / t->threads_m;
    const double multiply = t->m * t->n * (depth + t->columns) / gpu->fma;
    const double read = threads * 4 *
                        (depth * (rows + (double)t->n / t->threads_n) +
                         t->n * (rows + (double)t->columns / t->threads_n));
    const double shared = read / (gpu->shared * 4.0); /* neighbours read the same words */
    const double bring = 4 * (depth * (t->m + t->n) + (double)t->n * t->columns) / gpu->l2;
    const double most = multiply > shared ? multiply : shared;
    return most > bring ? most : bring;
}

/* Clocks of all tiles of queries and columns; each step of k waits for its loads, which few threads
 * do not hide. */
static double tile_clocks(const TileSpace *s, const Tile *t) {
    enum { ENOUGH = 512 };
    const Dims *d = s->b->indices->dims;
    const Dim *extent = s->b->indices->extent;
    const double threads = (double)t->threads_m * t->threads_n * t->blocks;
    const double exposed = (threads < ENOUGH ? ENOUGH / threads - 1 : 0) / 2 + 4.0 / t->k;
    const double columns = cost_tiles(d, extent[ATTENTION_COLUMN], t->columns);
    const double keys = cost_tiles(d, extent[ATTENTION_KEY], t->n);
    Tile queries = *t;
    queries.n = 1 << 24; /* tile_waves counts tiles of queries alone */
    return tile_waves(s->b, s->machine, &queries) * columns *
           (keys * keys_clocks(s, t) * (1 + exposed) + s->machine->start);
}

/* Are there tiles for all multiprocessors? */
static bool fills_machine(const TileSpace *s, const Tile *t) {
    const Dims *d = s->b->indices->dims;
    const Dim *extent = s->b->indices->extent;
    return cost_size(d, extent[ATTENTION_BATCH]) * cost_tiles(d, extent[ATTENTION_QUERY], t->m) *
               cost_tiles(d, extent[ATTENTION_COLUMN], t->columns) >=
           s->machine->processors;
}

/* Columns of a block: all, if their number is known and small. Twice as many queries read less
 * shared memory for each multiply-add; shorter steps leave room for their weights. On an H200,
 * 8 x 4096 x 64 took 1419 us with 64 queries, and 1199 with 128. */
static Tile first(const TileSpace *s) {
    int64_t columns;
    Tile t = {.kind = TILE_ATTENTION_FMA,
              .m = SIDE,
              .n = SIDE,
              .k = DEPTH,
              .columns = SIDE,
              .threads_m = THREADS,
              .threads_n = THREADS,
              .blocks = 1};
    if (dim_is_const(s->b->indices->dims, s->b->indices->extent[ATTENTION_COLUMN], &columns)) {
        const int64_t chunks = ceil_div(columns, SIDE);
        t.columns *= chunks < MOST_CHUNKS ? (int)chunks : MOST_CHUNKS;
    }
    Tile wide = t;
    wide.m = 2 * SIDE;
    if (refusal(s, &wide)) wide.k = LEAST_DEPTH;
    return fills_machine(s, &wide) && !refusal(s, &wide) ? wide : t;
}

static void list(const TileSpace *s, Candidates *out) {
    const Tile least = first(s);
    candidate_add(s, least, 0, out);
    for (int choice = 0; choice < 5 * 3 * 4 * 4 * MOST_CHUNKS * 3 * MOST_BLOCKS; choice++) {
        Tile t = least;
        int rest = choice;
        t.threads_m = 4 << rest % 5, rest /= 5;
        t.threads_n = LEAST_SIDE << rest % 3, rest /= 3;
        t.m = t.threads_m << rest % 4, rest /= 4;
        t.n = t.threads_n << rest % 4, rest /= 4;
        t.columns = t.n * (1 + rest % MOST_CHUNKS), rest /= MOST_CHUNKS;
        t.k = LEAST_DEPTH << rest % 3, rest /= 3;
        t.blocks = 1 + rest;
        if (!refusal(s, &t) && !tile_equal(&least, &t))
            candidate_add(s, t, 1 + tile_clocks(s, &t), out);
    }
}

const TileFamily tile_attention_fma = {list, complete, refusal};
