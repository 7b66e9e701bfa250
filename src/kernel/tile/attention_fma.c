/* attention_fma.c: tiles of an attention without tensor cores, by fused multiply-adds.
 * In: a TileSpace. Out: legal tiles: first one that fits every GPU, then others by estimated
 * time. */
#include "kernel/tile/tile_private.h"

#include <math.h>

enum {
    SIDE = 64, /* queries, and keys, of the first tile */
    THREADS = 16,
    DEPTH = 16,
    MOST_CHUNKS = 4, /* each of as many columns as keys */
    MOST_COLUMNS = MOST_CHUNKS * SIDE,
    MOST_RESULTS = 32, /* of a thread along a row */
    MOST_KEPT = 256,   /* depth of what stays in shared memory */
    PAD = 4,           /* floats between rows of shared memory */
    WARP = 32,
    LEAST_THREADS = 64,
    MOST_THREADS = 512,
    LEAST_SIDE = 8,      /* threads along a row, */
    LEAST_THREADS_M = 4, /* and along the queries: a warp has 4 x 8 */
    MOST_SIDE = 64,
    MOST_EACH = 8, /* queries, and keys, of a thread */
    LEAST_DEPTH = 8,
    MOST_DEPTH = 32,
    MOST_BLOCKS = 4,
    OTHERS = 38,       /* registers besides scores, results and operands */
    ADDRESSES = 12,    /* those of an operand, of 32 bits */
    NEW_ADDRESSES = 4, /* where they are computed again for each step */
    MOST_SUMS = 160    /* registers of scores and results, if no score waits in shared memory */
};

static int score_count(const Body *b) { return b->chain.count ? b->chain.count : 1; }

/* Of a score, in whole steps; -1: open. */
static int64_t depth_of(const Body *b, const Tile *t, int score) {
    const int axis = b->chain.count ? b->chain.depth[score] : ATTENTION_DEPTH;
    int64_t depth;
    if (!dim_is_const(b->indices->dims, b->indices->extent[axis], &depth)) return -1;
    return ceil_div(depth, t->k) * t->k;
}

/* A chain has several of both; weights take the place of scores. */
static int results(const Body *b) { return b->chain.count ? b->chain.out_count : 1; }

static int scores(const Body *b) {
    return score_count(b) > results(b) ? score_count(b) : results(b);
}

/* Sums of a thread, with so many of the scores. */
static int sums(const Body *b, const Tile *t, int scores) {
    return t->m * (scores * t->n + results(b) * t->columns) / (t->threads_m * t->threads_n);
}

bool fma_waits(const Body *b, const Tile *t) {
    return scores(b) > 1 && sums(b, t, scores(b)) > MOST_SUMS;
}

int fma_weight_tiles(const Body *b, const Tile *t) { return fma_waits(b, t) ? scores(b) - 1 : 1; }

/* Left operands, weights, and two steps of keys or values: floats. */
static int64_t shared_of(const Body *b, const Tile *t, int64_t left_rows) {
    const int widest = t->n > t->columns ? t->n : t->columns;
    const int64_t rows = (left_rows + fma_weight_tiles(b, t) * t->n) * (t->m + PAD);
    return (int64_t)sizeof(float) * (rows + 2 * (int64_t)t->k * (widest + PAD));
}

static int64_t all_rows(const Body *b, const Tile *t) {
    int64_t rows = 0;
    for (int i = 0; i < score_count(b); i++) {
        const int64_t depth = depth_of(b, t, i);
        if (depth < 0 || depth > MOST_KEPT) return -1;
        rows += depth;
    }
    return rows;
}

bool fma_keeps_left(const Body *b, const Machine *gpu, const Tile *t) {
    const int64_t rows = all_rows(b, t), bytes = shared_of(b, t, rows);
    return rows >= 0 && bytes <= gpu->shared_block && bytes * t->blocks <= gpu->shared_processor;
}

int fma_left_rows(const Body *b, const Machine *gpu, const Tile *t) {
    return fma_keeps_left(b, gpu, t) ? (int)all_rows(b, t) : 2 * t->k;
}

int fma_left_row(const Body *b, const Tile *t, int score) {
    int64_t row = 0;
    for (int i = 0; i < score; i++) row += depth_of(b, t, i);
    return (int)row;
}

int64_t tile_attention_fma_shared(const Body *b, const Machine *gpu, const Tile *t) {
    return shared_of(b, t, fma_left_rows(b, gpu, t));
}

static void complete(const TileSpace *s, Tile *t) {
    (void)s;
    t->threads = t->threads_m * t->threads_n;
}

/* ---- what is legal --------------------------------------------------------------------------- */

static const char *threads_refusal(const TileSpace *s, const Tile *t) {
    const int64_t threads = (int64_t)t->threads_m * t->threads_n;
    if (!is_power_of_two(t->threads_n) || t->threads_n < LEAST_SIDE || t->threads_n > WARP)
        return tile_refuse(s, "%d, 16 or %d threads of a warp share a row, not %d", LEAST_SIDE,
                           WARP, t->threads_n);
    if (is_power_of_two(t->threads_m) && t->threads_m >= LEAST_THREADS_M &&
        t->threads_m <= MOST_SIDE && threads >= LEAST_THREADS && threads <= MOST_THREADS)
        return NULL;
    return tile_refuse(s,
                       "threads_m must be a power of 2 from %d to %d that makes %d to %d threads "
                       "with threads_n=%d, not %d",
                       LEAST_THREADS_M, MOST_SIDE, LEAST_THREADS, MOST_THREADS, t->threads_n,
                       t->threads_m);
}

static bool is_shared_out(int size, int threads) {
    return size % threads == 0 && is_power_of_two(size / threads) && size / threads <= MOST_EACH;
}

static const char *sides_refusal(const TileSpace *s, const Tile *t) {
    const int threads = t->threads_m * t->threads_n;
    if (!is_shared_out(t->m, t->threads_m) || !is_shared_out(t->n, t->threads_n))
        return tile_refuse(s,
                           "m and n are 1, 2, 4 or %d times threads_m=%d and threads_n=%d, and "
                           "not %d and %d",
                           MOST_EACH, t->threads_m, t->threads_n, t->m, t->n);
    if (t->columns < t->threads_n || t->columns % t->threads_n ||
        t->columns > MOST_RESULTS * t->threads_n)
        return tile_refuse(s, "columns must be 1 to %d times threads_n=%d, not %d", MOST_RESULTS,
                           t->threads_n, t->columns);
    if (!is_power_of_two(t->k) || t->k < LEAST_DEPTH || t->k > MOST_DEPTH || t->n % t->k)
        return tile_refuse(s, "k must be a power of 2 from %d to %d that divides n=%d, not %d",
                           LEAST_DEPTH, MOST_DEPTH, t->n, t->k);
    if (t->m * t->k % threads == 0 && t->n * t->k % threads == 0 &&
        t->columns * t->k % threads == 0)
        return NULL;
    return tile_refuse(s,
                       "%d threads do not share out %d, %d and %d times %d elements of queries, "
                       "keys and values",
                       threads, t->m, t->n, t->columns, t->k);
}

int tile_attention_fma_registers(const Body *b, const Machine *gpu, const Tile *t) {
    const int threads = t->threads_m * t->threads_n;
    const int widest = t->n > t->columns ? t->n : t->columns;
    const int left = fma_keeps_left(b, gpu, t) ? 0 : score_count(b);
    const bool waits = fma_waits(b, t);
    const int addresses = waits ? NEW_ADDRESSES : ADDRESSES;
    const int operands = left + score_count(b) + results(b), word = body_is_32bit(b) ? 1 : 2;
    return sums(b, t, waits ? 1 : scores(b)) + t->k * ((left ? t->m : 0) + widest) / threads +
           operands * addresses * word + OTHERS;
}

static const char *room_refusal(const TileSpace *s, const Tile *t) {
    const int threads = t->threads_m * t->threads_n;
    const int registers = tile_attention_fma_registers(s->b, s->machine, t);
    const int64_t bytes = tile_attention_fma_shared(s->b, s->machine, t);
    if (t->blocks < 1 || t->blocks > MOST_BLOCKS)
        return tile_refuse(s, "blocks must be a number from 1 to %d, not %d", MOST_BLOCKS,
                           t->blocks);
    int share = MACHINE_REGISTERS / (threads * t->blocks);
    if (share > MACHINE_THREAD_REGISTERS) share = MACHINE_THREAD_REGISTERS;
    if (registers > share)
        return tile_refuse(s,
                           "a thread takes about %d registers, and blocks=%d of %d threads leave "
                           "it %d",
                           registers, t->blocks, threads, share);
    if (s->b->chain.across.is_there && !fma_keeps_left(s->b, s->machine, t))
        return "rows of n are added up, and the left operands do not fit into shared memory";
    if (bytes <= s->machine->shared_block) return NULL;
    return tile_refuse(s, "a tile takes %lld bytes of shared memory, and a block has %d",
                       (long long)bytes, s->machine->shared_block);
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

static double tiles(const TileSpace *s, const Tile *t) {
    const Dims *d = s->b->indices->dims;
    const Dim *extent = s->b->indices->extent;
    return cost_size(d, extent[ATTENTION_BATCH]) * cost_tiles(d, extent[ATTENTION_QUERY], t->m) *
           cost_tiles(d, extent[ATTENTION_COLUMN], t->columns);
}

/* Does one tile of this side hold all queries of a head? */
static bool holds_all(const TileSpace *s, int side) {
    return cost_tiles(s->b->indices->dims, s->b->indices->extent[ATTENTION_QUERY], side) <= 1;
}

/* Are there tiles for two blocks of nearly all multiprocessors? */
static bool fills_both(const TileSpace *s, const Tile *t) {
    static const double nearly = 0.9;
    return tiles(s, t) >= 2 * nearly * s->machine->processors;
}

/* Queries of the multiprocessor that has the most. */
static double most_queries(const TileSpace *s, const Tile *t) {
    return ceil(tiles(s, t) / s->machine->processors) * t->m;
}

/* Do tiles of 128 queries leave a fifth of the multiprocessors without one, where those of 64 give
 * each one, and many a second? On an H200 32 x 361 x 80 takes 53 us in 192 tiles of 64 queries (of
 * 128 columns), 74 in 96 of 128. */
static bool leaves_idle(const TileSpace *s, const Tile *wide, const Tile *t) {
    const double processors = s->machine->processors;
    return tiles(s, wide) < 0.8 * processors && tiles(s, t) >= 1.3 * processors;
}

/* With 128 queries a block reads less shared memory for each multiply-add than with 64, which are
 * for few tiles; with 128 keys a thread has 8 x 8 scores, too. Shorter steps leave registers for a
 * second block. On an H200:
 *   - 8 x 4096 x 128: in tiles of 128 keys 1608 us, in those of 64 keys 1755; causal 834 and 900;
 *     causal heads of 64 columns 467, and 603 with 64 keys and two blocks. By steps of 32 the
 *     first takes 1586 us, and NVRTC 0.9 s, not 0.5.
 *   - 8 x 1024 x 128, whose keys are split, which makes 256 tiles of 64 queries: with 128 keys
 *     125, with 64 141; of 64 columns 73 and 82. 8 x 512 x 128, which are 128 tiles: with 128 keys
 *     43 by steps of 32, 45 by 16, with 64 keys 54.
 *   - 8 x 256 x 128: 36 us, in 64 tiles of 32 queries 27, in 128 of 16 21; of 32 columns 16, 13
 *     and 10.
 *   - 32 x 473 x 64, which has a tile for each multiprocessor, 71 us, with steps of 8 and two
 *     blocks 101. Of 140 tiles of 128 queries some have two: 10 x 780 x 80 (split keys) takes 154
 *     us with them, 102 with 64. */
static const struct {
    int m, n, k, threads_m, blocks;
} firsts[] = {
    {2 * SIDE, 2 * SIDE, DEPTH, THREADS, 1},
    {2 * SIDE, SIDE, DEPTH, THREADS, 2},
    {2 * SIDE, SIDE, LEAST_DEPTH, THREADS, 2},
    {2 * SIDE, SIDE, DEPTH, THREADS, 1},
    {2 * SIDE, SIDE, LEAST_DEPTH, THREADS, 1},
    {SIDE / 4, 2 * SIDE, MOST_DEPTH, THREADS / 2, 2},
    {SIDE / 2, 2 * SIDE, DEPTH, THREADS / 2, 2},
    {SIDE, 2 * SIDE, DEPTH, THREADS / 2, 2},
    {SIDE, 2 * SIDE, MOST_DEPTH, THREADS, 1},
    {SIDE, 2 * SIDE, DEPTH, THREADS, 1},
    {SIDE, SIDE, DEPTH, THREADS, 2},
};

/* 8 x 8 scores of a thread, so that it reads 16 floats of shared memory for 64 multiply-adds. On an
 * H200, 8 x 4096 x 64: an attention took 937 us, and 985 with 8 x 4; its backward in one pass 2481.
 * Masks take registers, and leave blocks with unequal work, which more of them share better: 2261
 * us with 64 rows, 2631 with 128. 48 columns took 711 us, and 777 with 8 x 4 scores; 80 columns, of
 * which a thread then has ten, in pairs, 1063 us, and 1247 with five. */
static const struct {
    int least, columns; /* for so many */
    bool across, positions;
    int m, n, k, threads_m, threads_n;
} wide_firsts[] = {
    {0, SIDE, true, false, 2 * SIDE, SIDE, DEPTH, 16, 8},
    {0, 2 * SIDE, true, false, SIDE, 2 * SIDE, LEAST_DEPTH, 8, 16},
    {0, SIDE, true, true, SIDE, 2 * SIDE, LEAST_DEPTH, 8, 16},
    {SIDE, SIDE, false, false, 2 * SIDE, SIDE, LEAST_DEPTH, 16, 8},
    {SIDE / 2, SIDE + THREADS, false, false, 2 * SIDE, SIDE, DEPTH, 16, 8},
};

/* Does anything but addresses depend on positions, as masks and random numbers do? */
static bool reads_positions(const Body *b) {
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].kind == V_INDEX) return true;
    return false;
}

/* With the columns of t; false: none fits. */
static bool wide_first(const TileSpace *s, Tile *t) {
    const ChainValues *c = &s->b->chain;
    const bool across = c->across.is_there, positions = reads_positions(s->b);
    if (!across && (c->count || holds_all(s, SIDE))) return false;
    for (size_t i = 0; i < sizeof wide_firsts / sizeof *wide_firsts; i++) {
        Tile wide = *t;
        wide.m = wide_firsts[i].m, wide.n = wide_firsts[i].n, wide.k = wide_firsts[i].k;
        wide.threads_m = wide_firsts[i].threads_m, wide.threads_n = wide_firsts[i].threads_n;
        wide.blocks = 2;
        if (wide_firsts[i].across != across || wide_firsts[i].positions != positions) continue;
        if (t->columns < wide_firsts[i].least || t->columns > wide_firsts[i].columns) continue;
        if (refusal(s, &wide)) continue;
        if (across ? tiles(s, &wide) < s->machine->processors : !fills_both(s, &wide)) continue;
        *t = wide;
        return true;
    }
    return false;
}

/* Masks leave tiles with unequal work, and no multiprocessor has a second one: on an H200 8 causal
 * heads of 1993 x 64 take 268 us in 128 tiles of 128 queries, 193 in 256 of 64. */
static bool waits_for_longest(const TileSpace *s, const Tile *t) {
    return reads_positions(s->b) && tiles(s, t) <= s->machine->processors;
}

/* Are there neither masks nor tiles that end beyond queries or keys, which take registers? */
static bool is_plain(const TileSpace *s, const Tile *t) {
    const Indices *x = s->b->indices;
    return !reads_positions(s->b) &&
           dim_divides(x->dims, dim_const(x->dims, t->m), x->extent[ATTENTION_QUERY]) &&
           dim_divides(x->dims, dim_const(x->dims, t->n), x->extent[ATTENTION_KEY]);
}

/* Would it spill? Two results beside 8 x 8 scores do where masks or ends of rows take registers,
 * too. */
static bool would_spill(const TileSpace *s, const Tile *t) {
    return t->m > SIDE && t->n > SIDE && results(s->b) > 1 && !is_plain(s, t);
}

/* Scores that wait in shared memory leave registers for larger tiles, which pay from more than 64
 * columns on, and those of 128 x 128 from 128. On an H200 gradients of keys and values, 8 x 4096 x
 * 128, took 3394 us in tiles of 128 x 128, 3507 in those of 128 x 64, and 3927 in those of 64 x 64,
 * where none waits; of 96 columns 2758 and 2568; of 64 columns 1822 with 128 x 128, and 1791 with
 * 128 x 64, where none waits. */
static bool waits_in_vain(const TileSpace *s, const Tile *t) {
    return fma_waits(s->b, t) && (t->columns <= SIDE || (t->n > SIDE && t->columns < 2 * SIDE));
}

/* Is the tile meant for other numbers of columns, scores or blocks than this kernel has? */
static bool is_for_others(const TileSpace *s, const Tile *t) {
    const bool is_wide = t->m > SIDE, is_chain = s->b->chain.count > 0;
    const bool has_waves = tiles(s, t) > s->machine->processors;
    if (t->n > SIDE && t->columns < SIDE / 2) return true;
    if (t->m < SIDE) return is_chain || (has_waves && !holds_all(s, t->m));
    if (t->k == MOST_DEPTH && (is_chain || t->columns < SIDE)) return true;
    if (is_wide) return t->blocks > 1 && !fills_both(s, t);
    if (t->n == SIDE) return false;
    return (t->blocks > 1) != has_waves || (is_chain && t->blocks > 1);
}

/* Columns of a block: all, if their number is known and small. On an H200 2 x 16 heads of 473 x 80
 * take 84 us with 80 columns, 134 with 128; of 1500 x 80 709 and 874. */
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
        const int64_t all = ceil_div(columns, THREADS) * THREADS;
        t.columns = all < MOST_COLUMNS ? (int)all : MOST_COLUMNS;
    }
    if (wide_first(s, &t)) return t;
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        Tile wide = t;
        wide.m = firsts[i].m, wide.n = firsts[i].n, wide.k = firsts[i].k;
        wide.threads_m = firsts[i].threads_m, wide.blocks = firsts[i].blocks;
        if (most_queries(s, &wide) > most_queries(s, &t)) continue;
        if (is_for_others(s, &wide) || waits_in_vain(s, &wide)) continue;
        if (wide.m > SIDE && (leaves_idle(s, &wide, &t) || waits_for_longest(s, &wide))) continue;
        if (!would_spill(s, &wide) && !refusal(s, &wide)) return wide;
    }
    return t;
}

static void list(const TileSpace *s, Candidates *out) {
    const Tile least = first(s);
    candidate_add(s, least, 0, out);
    for (int choice = 0; choice < 5 * 3 * 4 * 4 * (1 + MOST_CHUNKS) * 3 * MOST_BLOCKS; choice++) {
        Tile t = least;
        int rest = choice;
        t.threads_m = 4 << rest % 5, rest /= 5;
        t.threads_n = LEAST_SIDE << rest % 3, rest /= 3;
        t.m = t.threads_m << rest % 4, rest /= 4;
        t.n = t.threads_n << rest % 4, rest /= 4;
        const int chunks = rest % (1 + MOST_CHUNKS);
        rest /= 1 + MOST_CHUNKS;
        t.columns = chunks ? t.n * chunks : least.columns;
        t.k = LEAST_DEPTH << rest % 3, rest /= 3;
        t.blocks = 1 + rest;
        if (!refusal(s, &t) && !tile_equal(&least, &t))
            candidate_add(s, t, 1 + tile_clocks(s, &t), out);
    }
}

const TileFamily tile_attention_fma = {list, complete, refusal};
