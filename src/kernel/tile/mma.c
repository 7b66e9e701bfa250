/* mma.c: tiles of a contraction on tensor cores by mma.sync: legality from shared memory and
 * registers, and an estimate of the time.
 * In: a TileSpace. Out: legal tiles. */
#include "kernel/tile/tile_private.h"

#include <math.h>

enum {
    WARP = 32,
    MMA_M = 16,
    MMA_N = 8,
    STEP_BYTES = 32,           /* bytes along k of one instruction */
    STRIP_PAD = 8,             /* elements between rows of the epilogue's strip in shared memory */
    RESERVED_SHARED = 1 << 10, /* bytes of each block that the system reserves */
    SPLIT_OPS = 6,             /* instructions for a term of two bf16 numbers, */
    SPLIT_TF32_OPS = 3,        /* and of two tf32 ones */
    GROUP = 8,
    OPERAND_UNROLL = 4,
    MOST_GROUP = 1 << 16,
    MOST_WARPS = 16,
    LEAST_STAGES = 2,
    RAW_STAGES = 3, /* at least, of what is brought ahead of computed operands */
    CHUNK = 16,
    MOST_STAGES = 8,
    ROW_BYTES = 256, /* of a row in shared memory, at most */
    MOST_SIDE = 1024,
    WIDEST_FINISH = 8, /* elements of one store in the epilogue, at most */
    LEAST_ROW_THREADS = 8
};

static int size_of(const DotForm *f) { return (int)dtype_size(f->product->type); }
static int step_bytes(const DotForm *f) {
    return f->product->terms > 1 ? 2 * STEP_BYTES : STEP_BYTES;
}
static int threads_of(const Tile *t) { return WARP * t->warps_m * t->warps_n; }

/* ---- what a tile takes ----------------------------------------------------------------------- */

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Of an operand: `stages` stages, or as many of what cp.async brings and two of what is computed
 * from it. */
static int64_t operand_shared(const DotForm *f, const Tile *t, int rows, const RawLoads *raw) {
    const int64_t tile = (int64_t)rows * t->k * size_of(f);
    return raw->count ? 2 * tile + tile / CHUNK * raw->bytes * t->stages : tile * t->stages;
}

/* Operands; later, the epilogue's strip, 16 rows of each warp at a time, or of all warps
 * that have parts of the same rows. */
int64_t tile_dot_shared(const DotForm *f, const Tile *t) {
    int64_t operands = operand_shared(f, t, t->m, &f->raw_left);
    int64_t warps = (int64_t)t->warps_m * t->warps_n;
    int64_t strip = MMA_M * ((int64_t)t->n / t->warps_n * f->count + STRIP_PAD) * 4;
    if (f->columns) warps = t->warps_m, strip = MMA_M * ((int64_t)t->n * f->count + STRIP_PAD) * 4;
    for (int i = 0; i < f->count; i++) operands += operand_shared(f, t, t->n, &f->raw_right[i]);
    return larger(operands, strip * warps);
}

/* Accumulators; two sets of fragments, or one and its terms; addresses and counters. Before sm_120,
 * f8 is multiplied as f16, converted in registers. */
int tile_dot_registers(const DotForm *f, const Tile *t) {
    const int pieces_m = t->m / t->warps_m / MMA_M;
    const int pieces_n = t->n / t->warps_n / MMA_N * f->count;
    const int fragments = 4 * pieces_m + 2 * pieces_n, sums = 4 * pieces_m * pieces_n;
    const bool is_f8 = f->multiply == MULTIPLY_F8E4M3 || f->multiply == MULTIPLY_F8E5M2;
    const int positions = f->is_scattered ? 24 : 0;
    if (f->product->terms > 1)
        return sums + (2 + f->product->terms * f->product->term_bytes / 2) * fragments + 88 +
               positions;
    return sums + (is_f8 && f->gpu->sm < 120 ? 4 : 2) * fragments + (is_f8 ? 96 : 44) + positions;
}

/* ---- what is legal --------------------------------------------------------------------------- */

static int register_limit(const Tile *t) {
    int share = MACHINE_REGISTERS / (threads_of(t) * t->blocks) / 8 * 8;
    return share < MACHINE_THREAD_REGISTERS ? share : MACHINE_THREAD_REGISTERS;
}

/* Rows of MN-major tiles must have 64, 128, 256 .. bytes. */
static bool has_swizzle(OperandLayout feed, int elements) {
    return feed != OPERAND_MN_MAJOR || (elements >= 32 && !(elements & (elements - 1)));
}

/* Whole pieces for every warp, at most as many warps as a block has. */
static const char *pieces_refusal(const TileSpace *s, const Tile *t) {
    const int step = 2 * MMA_N;
    if (t->warps_m < 1 || t->warps_n < 1 || (int64_t)t->warps_m * t->warps_n > MOST_WARPS)
        return tile_refuse(s, "a block has 1 to %d warps, not %d x %d", MOST_WARPS, t->warps_m,
                           t->warps_n);
    if (t->m < 1 || t->m > MOST_SIDE || t->m % (MMA_M * t->warps_m))
        return tile_refuse(s, "m must be a multiple of %d for each of warps_m=%d, up to %d, not %d",
                           MMA_M, t->warps_m, MOST_SIDE, t->m);
    if (t->n < 1 || t->n > MOST_SIDE || t->n % (step * t->warps_n))
        return tile_refuse(s, "n must be a multiple of %d for each of warps_n=%d, up to %d, not %d",
                           step, t->warps_n, MOST_SIDE, t->n);
    return NULL;
}

/* One k step is loaded ahead; rows of 64, 128 or 256 bytes are swizzled. */
static const char *layout_refusal(const TileSpace *s, const Tile *t) {
    const DotForm *f = &s->dot;
    const int64_t bytes = (int64_t)t->k * size_of(f);
    if (!is_power_of_two(bytes) || bytes < 2 * step_bytes(f) || bytes > ROW_BYTES)
        return tile_refuse(s, "k must be %d, %d, .. or %d, not %d", 2 * step_bytes(f) / size_of(f),
                           4 * step_bytes(f) / size_of(f), ROW_BYTES / size_of(f), t->k);
    if (!has_swizzle(f->left, t->m) || !has_swizzle(f->right[0], t->n))
        return tile_refuse(
            s,
            "an operand is MN-major: its side of the tile must be a power of 2, at least 32 "
            "(m=%d, n=%d)",
            t->m, t->n);
    if (t->stages < LEAST_STAGES || t->stages > MOST_STAGES)
        return tile_refuse(s, "stages must be %d to %d, not %d", LEAST_STAGES, MOST_STAGES,
                           t->stages);
    if (t->stages < RAW_STAGES && dot_has_raw(f))
        return tile_refuse(s, "stages must be %d to %d for computed operands, not %d", RAW_STAGES,
                           MOST_STAGES, t->stages);
    if (t->group >= 1 && t->group <= MOST_GROUP) return NULL;
    return tile_refuse(s, "group must be a number from 1 to %d, not %d", MOST_GROUP, t->group);
}

static const char *space_refusal(const TileSpace *s, const Tile *t) {
    const Machine *gpu = s->machine;
    const int64_t shared = tile_dot_shared(&s->dot, t);
    const int registers = tile_dot_registers(&s->dot, t);
    if (shared > gpu->shared_block)
        return tile_refuse(s, "%d stages take %lld bytes of shared memory, and a block has %d",
                           t->stages, (long long)shared, gpu->shared_block);
    if (t->blocks < 1 || (shared + RESERVED_SHARED) * t->blocks > gpu->shared_processor)
        return tile_refuse(s,
                           "blocks=%d of %lld bytes of shared memory, and a multiprocessor has %d",
                           t->blocks, (long long)shared, gpu->shared_processor);
    if (registers <= register_limit(t)) return NULL;
    return tile_refuse(s, "a thread takes about %d registers, and blocks=%d leave it %d", registers,
                       t->blocks, register_limit(t));
}

const char *tile_rows_refusal(const TileSpace *s, const Tile *t) {
    const DotForm *f = &s->dot;
    if (t->n >= f->columns && (!f->has_segments || t->n == f->columns)) return NULL;
    return tile_refuse(s,
                       "a tile must have the %d columns of a row%s, and n=%d is not "
                       "possible",
                       f->columns, f->has_segments ? " and no others" : "", t->n);
}

/* The epilogue processes 16 rows of all warps at a time. */
static int least_row_threads(const Tile *t) {
    return 2 * t->warps_n > LEAST_ROW_THREADS ? 2 * t->warps_n : LEAST_ROW_THREADS;
}

const char *tile_operand_refusal(const TileSpace *s, const Tile *t) {
    enum { MOST_UNROLL = 8 };
    if (t->operand_unroll >= 1 && t->operand_unroll <= MOST_UNROLL) return NULL;
    return tile_refuse(s, "operand_unroll is a number from 1 to %d, and not %d", MOST_UNROLL,
                       t->operand_unroll);
}

const char *tile_memory_refusal(const TileSpace *s, const Tile *t, int threads, int shared,
                                int registers) {
    const int share = MACHINE_REGISTERS / (threads * t->blocks);
    const int most = share < MACHINE_THREAD_REGISTERS ? share : MACHINE_THREAD_REGISTERS;
    if (shared > s->machine->shared_block)
        return tile_refuse(s, "a tile takes %d bytes of shared memory, and a block has %d", shared,
                           s->machine->shared_block);
    if (registers <= most) return NULL;
    return tile_refuse(s, "a thread takes at least %d registers, and blocks=%d leave it %d",
                       registers, t->blocks, most);
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    if (s->b->blocks.term) return "warpgroups multiply scaled blocks of k: kind=wgmma";
    const char *wrong = pieces_refusal(s, t);
    if (!wrong) wrong = layout_refusal(s, t);
    if (!wrong && t->kind == TILE_MMA_ROWS) wrong = tile_rows_refusal(s, t);
    if (!wrong && t->kind == TILE_MMA_ROWS)
        wrong = row_part_refusal(s, t, WIDEST_FINISH, least_row_threads(t));
    if (!wrong && t->kind == TILE_MMA) wrong = epilogue_refusal(s, t);
    if (!wrong) wrong = tile_operand_refusal(s, t);
    return wrong ? wrong : space_refusal(s, t);
}

static void complete(const TileSpace *s, Tile *t) {
    t->threads = threads_of(t);
    if (t->kind == TILE_MMA_ROWS) row_part_complete(s, t);
}

typedef struct Shape {
    int warp_m, warp_n, warps_m, warps_n;
} Shape;

/* Tile of a warp, for all products together, and the number of warps; large ones first. */
static const Shape shapes[] = {{64, 64, 2, 4}, {64, 64, 4, 2}, {64, 64, 2, 2}, {64, 64, 1, 4},
                               {64, 64, 1, 2}, {64, 32, 2, 4}, {64, 32, 2, 2}, {64, 32, 1, 4},
                               {32, 64, 2, 2}, {32, 64, 4, 2}, {32, 64, 4, 1}, {32, 64, 2, 1},
                               {32, 32, 4, 2}, {32, 32, 2, 4}, {32, 32, 2, 2}, {16, 64, 1, 4},
                               {16, 64, 1, 2}, {16, 64, 2, 2}, {16, 32, 1, 4}, {16, 32, 2, 2}};

/* Vectors of computed operands that a thread loads before it computes: where each takes several
 * loads of f32, more than one would spill; where all operands of several products are, more than
 * two. */
static int operand_unroll(const DotForm *f) {
    bool all = f->left == OPERAND_COMPUTED && f->count > 1;
    for (int i = 0; i < f->count; i++) all = all && f->right[i] == OPERAND_COMPUTED;
    return f->wide_loads > 1 ? 1 : all ? OPERAND_UNROLL / 2 : OPERAND_UNROLL;
}

static Tile shaped(const DotForm *f, const Shape *s, int bytes, int stages, int blocks) {
    int each = s->warp_n / f->count / 16 * 16; /* columns of a warp in each product */
    Tile t = {.kind = f->columns ? TILE_MMA_ROWS : TILE_MMA,
              .m = s->warp_m * s->warps_m,
              .n = (each ? each : 16) * s->warps_n,
              .k = bytes / size_of(f),
              .warps_m = s->warps_m,
              .warps_n = s->warps_n,
              .stages = stages,
              .group = GROUP,
              .operand_unroll = operand_unroll(f),
              .blocks = blocks};
    return t;
}

/* The columns of a row, in whole pieces for so many warps. */
static int columns_of(const DotForm *f, int warps_n) {
    const int step = 2 * MMA_N * warps_n;
    int n = (f->columns + step - 1) / step * step;
    while (f->right[0] == OPERAND_MN_MAJOR && !has_swizzle(f->right[0], n)) n += step;
    return n;
}

/* Warps that share rows: side by side until each has few columns, and as many rows. */
static int row_shapes(const DotForm *f, Shape *found) {
    int count = 0;
    for (int warp_m = 64; warp_m >= MMA_M; warp_m /= 2)
        for (int warps_m = 4; warps_m >= 1; warps_m /= 2)
            for (int warps_n = 8; warps_n >= 1; warps_n /= 2) {
                const int n = columns_of(f, warps_n);
                if (warps_m * warps_n < 2 || warps_m * warps_n > 16) continue;
                if (f->has_segments && n != f->columns) continue;
                found[count++] = (Shape){warp_m, n / warps_n * f->count, warps_m, warps_n};
            }
    return count;
}

/* ---- what is best ---------------------------------------------------------------------------- */

/* Clocks to split the operands of a step into terms, in every warp that reads them. */
static double split_clocks(const DotForm *f, const Tile *t) {
    const int terms = f->product->terms, warps = t->warps_m * t->warps_n;
    double m = (double)t->m / t->warps_m, n = (double)t->n / t->warps_n * f->count;
    double pairs = (m + n) * 16 / WARP / 2; /* of a thread */
    const int each = f->multiply == MULTIPLY_TF32X3 ? SPLIT_TF32_OPS : SPLIT_OPS;
    return terms > 1 ? warps * (pairs * terms * each + m * n / WARP) / f->gpu->issue : 0;
}

/* Clocks of one step on a multiprocessor: the slowest of tensor cores, shared memory and L2, plus
 * part of the others, since they overlap incompletely. */
static double step_clocks(const DotForm *f, const Tile *t, double blocks) {
    double n = (double)t->n * f->count, step = step_bytes(f), warps = t->warps_m * t->warps_n;
    double depth = step / size_of(f), rate = f->gpu->mma * 2.0 / size_of(f);
    if (f->product->terms > 1) rate = f->gpu->mma * 2.0 / f->product->term_bytes;
    double busy = warps * blocks < 4 ? warps * blocks / 4 : 1;
    double mma = t->m * n * depth * f->product->products / (rate * busy);
    double rows = warps * ((double)t->m / t->warps_m + n / t->warps_n) + t->m + n;
    double shared = rows * step / f->gpu->shared, cache = (t->m + n) * step / f->gpu->l2;
    double times[] = {mma, shared, cache, split_clocks(f, t)}, most = 0, sum = 0;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        sum += times[i];
        if (times[i] > most) most = times[i];
    }
    return most + 0.15 * (sum - most);
}

static bool extent_is(const Body *b, int axis, int64_t *n) {
    return dim_is_const(b->indices->dims, b->indices->extent[axis], n);
}

/* Blocks that a multiprocessor has at a time. Where one tile has all rows, the right operand comes
 * from memory, not from L2, and its latency is hidden by the loads of other blocks: of few tiles,
 * there may be fewer than a multiprocessor may hold. */
static double blocks_held(const Body *b, const DotForm *f, const Tile *t) {
    int64_t rows, columns;
    const bool streams =
        extent_is(b, DOT_M, &rows) && rows <= t->m && extent_is(b, DOT_N, &columns);
    return streams ? fmin(t->blocks, fmax(1, tile_waves(b, f->gpu, t))) : t->blocks;
}

/* Clocks of the whole contraction. A multiprocessor with one block is idle while the block starts
 * and ends. The part that does not overlap shrinks with warps, stages, blocks and steps between
 * barriers: the weights were fitted to measurements on an H200. */
static const double CONVERTING = 4; /* of a warp that computes operands before it multiplies */

/* Where producers could compute operands for wgmma: clocks in which warps that multiply do, between
 * the products. On an H200 gelu(x) (4096 x 4096) times 128 columns takes 149 us, and 24 by wgmma; x
 * that is scaled 86 and 18. */
static double compute_clocks(const DotForm *f, const Tile *t) {
    static const double each = 0.5;
    if (f->no_wgmma || !wgmma_computes(f)) return 0;
    int rows = f->left == OPERAND_COMPUTED ? t->m : 0;
    for (int i = 0; i < f->count; i++) rows += f->right[i] == OPERAND_COMPUTED ? t->n : 0;
    return each * rows * step_bytes(f) / size_of(f);
}

/* Where wgmma is possible, too, rows that start within sectors of L2 take longer than estimated: on
 * an H200 5192 x 62 x 840 takes 11.4 us, 8.3 by wgmma, 528 x 456 x 648 (both transposed) 7.8 and
 * 6.2; but 104 x 1922 x 1096 8.7 and 9.0. */
static const double crossing = 1.22;

/* Results that a block finishes in a clock: fewer where it stores them in narrow packs, of which
 * each thread has many, and that is most of the work. On an H200 32 products of 1028 x 494 x 20, of
 * which two results at a time are stored, take 35 us in tiles of 64 x 64 by 4 warps, 40 in tiles of
 * 64 x 128 by 4 and 61 by two. Estimates of wgmma are beside those of whole packs; of rows that are
 * reduced, elements are not stored. */
static double finish_rate(const DotForm *f, const Tile *t, double steps) {
    enum { PACK_CLOCKS = 380, RESULT_BYTES = 2, SHORT_BYTES = 128 }; /* of k */
    const bool has_narrow_packs = !f->columns && t->vector * RESULT_BYTES < CHUNK;
    const bool is_most = steps * step_bytes(f) <= SHORT_BYTES;
    if (!f->no_wgmma || !has_narrow_packs || !is_most) return f->gpu->finish;
    return fmin(f->gpu->finish, (double)threads_of(t) * t->vector / PACK_CLOCKS);
}

/* Clocks in which a block copies a stage element by element: a thread waits for the elements that
 * it has under way, unless other blocks do so, too. On an H200 2109 x 494 x 150 (both across k)
 * takes 23 us in tiles of 64 x 128 by two warps, 9.3 in those of 32 x 64 by four. Of open sizes it
 * was not measured. */
static double copy_clocks(const Body *b, const DotForm *f, const Tile *t, double waves) {
    enum { WAIT = 336, ELEMENT_OPS = 3 /* load, move into place, store */ };
    const double elements = tile_is_counted(b) ? tile_copied_rows(b, f, t) * t->k : 0;
    const double wait = elements / threads_of(t) / t->operand_unroll * WAIT;
    return fmax(wait / fmin(t->blocks, waves), elements * ELEMENT_OPS / (f->gpu->issue * WARP));
}

static double tile_clocks(const Body *b, const DotForm *f, const Tile *t) {
    const Dims *d = b->indices->dims;
    const Dim *extent = b->indices->extent;
    double tile_steps = (double)t->k * size_of(f) / step_bytes(f);
    double steps = 0;
    for (int i = 0; i < body_summand_count(b); i++)
        steps += cost_tiles(d, extent[body_summand(b, i).axis], t->k) * tile_steps;
    double blocks = blocks_held(b, f, t), warps = t->warps_m * t->warps_n * blocks;
    double exposed = 0.5 / warps + 0.5 / tile_steps + 0.4 / t->stages + 0.2 / blocks;
    if (dot_has_raw(f)) exposed += CONVERTING / warps;
    double block = steps * (step_clocks(f, t, blocks) * (1 + exposed) + compute_clocks(f, t));
    double ends = f->gpu->start + (double)t->m * t->n * f->count / finish_rate(f, t, steps);
    const double crossed = !f->no_wgmma && wgmma_loads_cross(b, f) ? crossing : 1;
    const double waves = tile_waves(b, f->gpu, t);
    const double copies = steps / tile_steps * copy_clocks(b, f, t, waves);
    return waves * (crossed * (block + ends / blocks) + copies);
}

/* The same shape with other epilogues and operands. */
static void add_variants(const TileSpace *s, const Tile *t, double clocks, Candidates *out) {
    if (!s->dot.columns) epilogue_variants(s, t, clocks, out);
    for (int unroll = 1; unroll <= 2 * OPERAND_UNROLL; unroll *= 2) {
        Tile other = *t;
        other.operand_unroll = unroll;
        if (unroll != t->operand_unroll) candidate_add(s, other, 1.02 * clocks, out);
    }
}

static void list(const TileSpace *s, Candidates *out) {
    enum { ROW_SHAPES = 36 };
    Shape rows[ROW_SHAPES];
    const DotForm *f = &s->dot;
    const Shape *all = f->columns ? rows : shapes;
    int count = f->columns ? row_shapes(f, rows) : (int)(sizeof shapes / sizeof *shapes);
    for (int i = 0; i < count; i++)
        for (int bytes = 128; bytes >= 64; bytes /= 2)
            for (int stages = 4; stages >= 2; stages--)
                for (int blocks = 4; blocks >= 1; blocks--) {
                    Tile t = shaped(f, &all[i], bytes, stages, blocks);
                    if (f->columns)
                        row_part_choose(s, &t, WIDEST_FINISH, least_row_threads(&t));
                    else
                        epilogue_choose(s, &t);
                    const double clocks = tile_clocks(s->b, f, &t);
                    candidate_add(s, t, clocks, out);
                    if (stages == 3 && blocks == 2 && bytes == 128)
                        add_variants(s, &t, clocks, out);
                }
}

const TileFamily tile_mma = {list, complete, refusal};
