/* fma.c: tiles of a contraction that is multiplied by fused multiply-adds, one at a time. In: a
 * TileSpace. Out: legal tiles: first one with as many sums as registers hold, then others by the
 * time that is estimated. */
#include "kernel/tile/tile_private.h"

#include <math.h>

enum {
    SIDE = 16,  /* threads along m */
    ACROSS = 8, /* and along n, of threads with many sums */
    DEPTH = 16, /* of a stage along k */
    LARGE = 8,  /* accumulators of a thread along m, */
    WIDE = 16,  /* and along n */
    SMALL = 4,
    FIRST_SUMS = 64,  /* registers of a thread, of rows */
    MOST_STAGED = 16, /* elements of a stage that go through them */
    OTHERS = 28,      /* beside the sums and operands, at least */
    PAD = 4,          /* elements between rows of shared memory */
    WARP = 32,
    LEAST_SIDE = 8, /* threads */
    MOST_SIDE = 64,
    MOST_THREADS = 512,
    MOST_EACH = 16, /* sums of a thread along a side */
    LEAST_DEPTH = 8,
    MOST_DEPTH = 32,
    LEAST_STAGES = 2,
    COPIED_STAGES = 3, /* where operands are copied while others are multiplied */
    MOST_STAGES = 8,
    MOST_BLOCKS = 8
};

static int words_of(const TileSpace *s) {
    return (int)dtype_size(dtype_compute(s->b->accs.at[0].type)) / 4;
}

/* ---- the first ------------------------------------------------------------------------------- */

/* Does memory hold the operand as it is multiplied? */
static bool is_plain(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    return v->kind == V_LOAD && !v->guard && !b->indices->node.at[v->ix].dynamic &&
           v->type == b->accs.at[0].type && (v->type == T_F32 || v->type == T_F64);
}

/* How the operands of all products lie in memory. */
typedef struct Operands {
    bool all_plain, any_across, any_along; /* of plain ones: is one contiguous across k, along k? */
} Operands;

static void see_operand(const Body *b, int value, int own, int summed, Operands *o) {
    const bool plain = is_plain(b, value);
    const bool across = value_contiguous(b, value, own) > value_contiguous(b, value, summed);
    o->all_plain &= plain;
    o->any_across |= plain && across;
    o->any_along |= plain && !across;
}

static Operands operands_of(const Body *b) {
    Operands o = {.all_plain = true};
    for (int i = 0; i < body_summand_count(b); i++) {
        const Summand t = body_summand(b, i);
        see_operand(b, t.left, DOT_M, t.axis, &o);
        for (int j = 0; j < b->dots; j++) see_operand(b, t.right[j], DOT_N, t.axis, &o);
    }
    return o;
}

/* Are sizes known, and multiples of those of the tile? */
static bool is_whole(const Body *b, int m, int n, int k) {
    const int side[] = {[DOT_M] = m, [DOT_N] = n, [DOT_K] = k};
    int64_t size;
    for (int axis = DOT_M; axis <= DOT_K; axis++)
        if (!dim_is_const(b->indices->dims, b->indices->extent[axis], &size) || size % side[axis])
            return false;
    return true;
}

/* Those along k are copied element by element: where there are no others, packs that go through
 * registers are faster, but for threads of many sums whose copies start between the products.
 * 4096 x 4096 x 4096 (a @ b.T) takes 2887 us on an H100 in tiles of 8 x 8 sums of a thread, with
 * copies 3248; in tiles of 8 x 16, with copies between the products, 2797. Of few threads they
 * would take too many registers: 2050 x 2050 x 1024 in tiles of 64 x 128 takes 248 us on an H200
 * with copies, and 395 with 272 bytes of spills. */
bool tile_fma_copies(const Body *b, const Tile *t, int value, const Machine *gpu) {
    if (!machine_has_mma(gpu) || !is_plain(b, value)) return false;
    const int threads = t->threads_m * t->threads_n;
    return operands_of(b).any_across || (t->m + t->n) * t->k > MOST_STAGED * threads ||
           (is_whole(b, t->m, t->n, t->k) && t->m * t->n >= LARGE * WIDE * threads);
}

static int columns_each(int each, int products) {
    return products == 1 ? each : products == 2 ? each / 2 : each / 4;
}

/* `rows` and `cols`: sums of a thread. */
static Tile shaped(const TileSpace *s, TileKind kind, int threads_n, int rows, int cols, int k) {
    return (Tile){.kind = kind,
                  .m = SIDE * rows,
                  .n = threads_n * cols,
                  .k = k,
                  .threads_m = SIDE,
                  .threads_n = threads_n,
                  .stages = operands_of(s->b).any_across && machine_has_mma(s->machine)
                                ? COPIED_STAGES
                                : LEAST_STAGES,
                  .blocks = 2};
}

/* Where a tile owns rows: enough for their columns, and rows for as many registers. Addresses of 64
 * bits take two of these. */
static Tile rows_first(const TileSpace *s) {
    int cols = SMALL;
    while (cols * SIDE < s->dot.columns) cols *= 2;
    int rows = FIRST_SUMS / words_of(s) / (cols * s->dot.count);
    if (rows > LARGE) rows = LARGE;
    Tile t = shaped(s, TILE_FMA_ROWS, SIDE, rows, cols, rows == LARGE ? LEAST_DEPTH : DEPTH);
    while (rows > 1 && tile_fma_shared(s->b, &t) > TILE_SHARED)
        t = shaped(s, TILE_FMA_ROWS, SIDE, rows /= 2, cols, DEPTH);
    if (!body_is_32bit(s->b)) t.blocks = 1;
    return t;
}

/* Few output tiles: smaller ones. */
static Tile small(const TileSpace *s) {
    Tile t = shaped(s, TILE_FMA, SIDE, SMALL, columns_each(SMALL, s->dot.count), DEPTH);
    if (!body_is_32bit(s->b)) t.blocks = 1;
    return t;
}

/* Is a copy along k, which is of one element, to go between the products? Then 128 threads have 8 x
 * 16 sums: of as many products each loads fewer operands, and copies. Not where tiles may end
 * beyond the operands (dot_parts), or where a multiprocessor has one such block alone: 256 threads
 * are faster. */
static bool copies_between(const TileSpace *s, const Operands *o) {
    const Dim *extent = s->b->indices->extent;
    double tiles = 1;
    int64_t n;
    if (!o->all_plain || !o->any_along || !machine_has_mma(s->machine)) return false;
    if (s->dot.count > 1 || body_summand_count(s->b) > 1) return false;
    if (!is_whole(s->b, SIDE * LARGE, ACROSS * WIDE, DEPTH)) return false;
    for (int axis = DOT_BATCH; axis <= DOT_N; axis++) {
        if (!dim_is_const(s->b->indices->dims, extent[axis], &n)) return false;
        tiles *= axis == DOT_BATCH ? (double)n : (double)ceil_div(n, SIDE * LARGE);
    }
    return tiles > s->machine->processors;
}

/* As many sums as registers allow, of all products together: of 256 threads with 8 x 8 each, or of
 * 128 with 8 x 16 where those have too few registers: for addresses of 64 bits, but to copy for
 * Hopper, for packs of several operands, and for operands that are computed. On an H100, 4096 x
 * 4096 x 4096 (a @ b.T) takes 2881 us by the former, 2973 by the latter, 2934 with open sizes. With
 * 64 bits ptxas spills both where addresses are computed for each copy, or elements before they are
 * stored: then there is one block. So does it before Hopper what goes through registers: stages are
 * deeper, so that it is copied, or where nothing is, there is one block. */
static Tile large(const TileSpace *s) {
    enum { HOPPER = 90 };
    const Operands o = operands_of(s->b);
    const int wide = columns_each(WIDE, s->dot.count), each = columns_each(LARGE, s->dot.count);
    const bool is_short = body_is_32bit(s->b), sums = body_summand_count(s->b) > 1;
    const bool plain = o.all_plain && !sums;
    if (copies_between(s, &o)) {
        Tile t = shaped(s, TILE_FMA, ACROSS, LARGE, WIDE, DEPTH);
        t.stages = COPIED_STAGES;
        return t;
    }
    const bool fits =
        o.any_across ? is_short || s->machine->sm >= HOPPER : is_short && s->dot.count == 1;
    if (plain && fits)
        return shaped(s, TILE_FMA, SIDE, LARGE, each, o.any_across ? DEPTH : LEAST_DEPTH);
    const bool is_deep = !is_short && !o.any_across && s->machine->sm < HOPPER;
    if (is_short || (plain && machine_has_mma(s->machine)))
        return shaped(s, TILE_FMA, ACROSS, LARGE, wide, is_deep ? DEPTH : LEAST_DEPTH);
    Tile t = shaped(s, TILE_FMA, SIDE, LARGE, each, LEAST_DEPTH);
    t.blocks = 1;
    return t;
}

/* Tiles of 64 x 128 elements, or 128 x 64, of 128 threads with 8 x 8 sums each, or of 32 x 64, of
 * 64 threads with 4 x 8: four or eight blocks of a multiprocessor leave less of a last wave, and of
 * last tiles, empty than two with 128 x 128 do. Operands are copied: those that went through
 * registers would be spilled. */
static bool may_have_parts(const TileSpace *s) {
    return operands_of(s->b).all_plain && s->dot.count == 1 && body_summand_count(s->b) == 1 &&
           words_of(s) == 1 && body_is_32bit(s->b) && machine_has_mma(s->machine);
}

static Tile part(int threads_m, int threads_n, int rows, int blocks) {
    return (Tile){.kind = TILE_FMA,
                  .m = rows * threads_m,
                  .n = LARGE * threads_n,
                  .k = DEPTH,
                  .threads_m = threads_m,
                  .threads_n = threads_n,
                  .stages = COPIED_STAGES,
                  .blocks = blocks};
}

static Tile half(int threads_m, int threads_n) { return part(threads_m, threads_n, LARGE, 4); }
static Tile eighth(void) { return part(ACROSS, ACROSS, SMALL, 8); }

static Tile sixteenth(void) {
    Tile t = eighth();
    t.n /= 2;
    return t;
}

/* Products of 32 x 32: 8192 with 64 terms take 55 us on an H200 so, and 76 in tiles of 32 x 64. */
static Tile square(void) {
    Tile t = part(ACROSS, ACROSS, SMALL, 4);
    t.n = SMALL * ACROSS;
    t.k = MOST_DEPTH;
    return t;
}

/* Up to 32 columns: 65536 x 32 x 256 takes 38.5 us on an H200 so, and 56.4 in tiles of 64 x 64. */
static Tile narrow(void) {
    Tile t = half(SIDE, ACROSS);
    t.n = SMALL * ACROSS;
    return t;
}

/* Are there as many columns as `least` to 32, and rows? */
static bool is_within(const TileSpace *s, int axis, int least) {
    int64_t size;
    return dim_is_const(s->b->indices->dims, s->b->indices->extent[axis], &size) && size >= least &&
           size <= SMALL * ACROSS;
}

static bool is_square(const TileSpace *s) {
    enum { ALL = SMALL * ACROSS };
    return may_have_parts(s) && is_within(s, DOT_M, ALL) && is_within(s, DOT_N, ALL);
}

static bool is_narrow(const TileSpace *s) {
    enum { LEAST = 17 }; /* of fewer, half of the tile would be empty */
    const Tile t = narrow();
    return may_have_parts(s) && is_within(s, DOT_N, LEAST) && tile_is_counted(s->b) &&
           tile_count(s->b, &t) >= s->machine->processors;
}

/* Clocks for one k in tiles of m x n elements of all products; infinite: sizes are open. */
static double clocks_of(const TileSpace *s, int m, int n) {
    const Dim *extent = s->b->indices->extent;
    const int64_t side[] = {[DOT_BATCH] = 1, [DOT_M] = m, [DOT_N] = n / s->dot.count};
    double tiles = 1;
    int64_t size;
    for (int axis = DOT_BATCH; axis <= DOT_N; axis++) {
        if (!dim_is_const(s->b->indices->dims, extent[axis], &size)) return INFINITY;
        tiles *= (double)ceil_div(size, side[axis]);
    }
    return cost_fma_tiles(s->machine, tiles, m, n, operands_of(s->b).any_across);
}

/* Is it a short sum that is added to several parts in memory? Small tiles load more of these at a
 * time: the rest of 4 beside 5 parts of 1456 x 359 takes 8.8 us on an H200 so, and 23.9 in tiles of
 * 64 x 128. */
static bool adds_parts(const TileSpace *s) {
    int64_t k;
    return s->dot.result_loads > 1 && s->dot.count == 1 &&
           dim_is_const(s->b->indices->dims, s->b->indices->extent[DOT_K], &k) && k <= DEPTH;
}

static Tile first(const TileSpace *s) {
    enum { SIDE_LEAST = ACROSS * SMALL, SIDE_SMALL = SIDE * SMALL, SIDE_LARGE = SIDE * LARGE };
    if (s->dot.columns) return rows_first(s);
    if (words_of(s) > 1) return small(s);
    if (may_have_parts(s) && adds_parts(s)) return sixteenth();
    if (is_square(s)) return square();
    if (is_narrow(s)) return narrow();
    const double worth = operands_of(s->b).any_across ? 0.97 : 0.95; /* of the time of others */
    const double by_small = clocks_of(s, SIDE_SMALL, SIDE_SMALL),
                 by_large = clocks_of(s, SIDE_LARGE, SIDE_LARGE),
                 by_wide = clocks_of(s, SIDE_SMALL, SIDE_LARGE),
                 by_tall = clocks_of(s, SIDE_LARGE, SIDE_SMALL),
                 by_least = clocks_of(s, SIDE_LEAST, SIDE_SMALL);
    const double least = fmin(fmin(by_wide, by_tall), fmin(by_small, by_large));
    if (may_have_parts(s) && by_least < worth * least) return eighth();
    if (may_have_parts(s) && fmin(by_wide, by_tall) < worth * fmin(by_small, by_large))
        return by_tall < worth * by_wide ? half(SIDE, ACROSS) : half(ACROSS, SIDE);
    return by_small < by_large ? small(s) : large(s);
}

static void complete(const TileSpace *s, Tile *t) {
    t->threads = t->threads_m * t->threads_n;
    if (t->kind == TILE_FMA_ROWS) row_part_complete(s, t);
}

/* ---- what is legal --------------------------------------------------------------------------- */

/* Stages; then rows of results, threads_m of them at a time. */
int64_t tile_fma_shared(const Body *b, const Tile *t) {
    const int64_t columns = (int64_t)b->dots * (t->n + PAD), rows = t->m + PAD + columns;
    int64_t elements = t->stages * t->k * rows;
    if (t->kind == TILE_FMA_ROWS && elements < t->threads_m * columns)
        elements = t->threads_m * columns;
    return elements * (int64_t)dtype_size(dtype_compute(b->accs.at[0].type));
}

static const char *sides_refusal(const TileSpace *s, const Tile *t) {
    const int64_t threads = (int64_t)t->threads_m * t->threads_n;
    if (!is_power_of_two(t->threads_m) || !is_power_of_two(t->threads_n) ||
        t->threads_m < LEAST_SIDE || t->threads_n < LEAST_SIDE || t->threads_m > MOST_SIDE ||
        t->threads_n > MOST_SIDE || threads > MOST_THREADS)
        return tile_refuse(s,
                           "threads_m and threads_n are powers of 2 from %d to %d with a product "
                           "up to %d, not %d and %d",
                           LEAST_SIDE, MOST_SIDE, MOST_THREADS, t->threads_m, t->threads_n);
    if (t->m % t->threads_m || t->n % t->threads_n || !is_power_of_two(t->m / t->threads_m) ||
        !is_power_of_two(t->n / t->threads_n) || t->m / t->threads_m > MOST_EACH ||
        t->n / t->threads_n > MOST_EACH)
        return tile_refuse(s,
                           "m and n are 1 to %d times threads_m=%d and threads_n=%d (powers of "
                           "2), not %d and %d",
                           MOST_EACH, t->threads_m, t->threads_n, t->m, t->n);
    if (t->stages < LEAST_STAGES || t->stages > MOST_STAGES)
        return tile_refuse(s, "stages must be %d to %d, not %d", LEAST_STAGES, MOST_STAGES,
                           t->stages);
    if (!is_power_of_two(t->k) || t->k < LEAST_DEPTH || t->k > MOST_DEPTH)
        return tile_refuse(s, "k must be a power of 2 from %d to %d, not %d", LEAST_DEPTH,
                           MOST_DEPTH, t->k);
    if (t->m <= threads && t->n <= threads && t->m * t->k % threads == 0 &&
        t->n * t->k % threads == 0)
        return NULL;
    return tile_refuse(s, "%lld threads do not share out %d x %d and %d x %d elements",
                       (long long)threads, t->m, t->k, t->n, t->k);
}

static const char *register_refusal(const TileSpace *s, const Tile *t) {
    const int threads = t->threads_m * t->threads_n;
    const int rows = t->m / t->threads_m, columns = t->n / t->threads_n * s->dot.count;
    const int sums = rows * columns * words_of(s), operands = 2 * (rows + columns) * words_of(s);
    if (t->blocks < 1 || t->blocks > MOST_BLOCKS)
        return tile_refuse(s, "blocks must be a number from 1 to %d, not %d", MOST_BLOCKS,
                           t->blocks);
    int share = MACHINE_REGISTERS / (threads * t->blocks);
    if (share > MACHINE_THREAD_REGISTERS) share = MACHINE_THREAD_REGISTERS;
    if (sums + operands + OTHERS <= share) return NULL;
    return tile_refuse(s,
                       "a thread has %d registers of sums and %d of others, and blocks=%d of %d "
                       "threads leave it %d",
                       sums, operands + OTHERS, t->blocks, threads, share);
}

/* Sums of rows meet in shared memory, threads_m at a time, and each is taken by threads of one
 * warp. */
static const char *rows_refusal(const TileSpace *s, const Tile *t) {
    if (t->threads_n > WARP)
        return tile_refuse(s, "rows of results want threads_n up to %d, not %d", WARP,
                           t->threads_n);
    const char *wrong = tile_rows_refusal(s, t);
    return wrong ? wrong : row_part_refusal(s, t, 1, t->threads_n);
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    const char *wrong = sides_refusal(s, t);
    if (!wrong) wrong = register_refusal(s, t);
    if (!wrong && t->kind == TILE_FMA_ROWS) wrong = rows_refusal(s, t);
    if (wrong) return wrong;
    const int64_t bytes = tile_fma_shared(s->b, t);
    if (bytes <= s->machine->shared_block) return NULL;
    return tile_refuse(s, "%d stages take %lld bytes of shared memory, and a block has %d",
                       t->stages, (long long)bytes, s->machine->shared_block);
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
        t.threads_m = LEAST_SIDE << rest % 4, rest /= 4;
        t.threads_n = LEAST_SIDE << rest % 4, rest /= 4;
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
