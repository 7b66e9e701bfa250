/* gemv_fma.c: tiles of a contraction of f32 with few rows on a GPU, by fused multiply-adds. It is
 * bound by the bytes of its right operand, which go from memory to registers; threads of a warp
 * that have the same columns, and warps, share out k.
 * In: a TileSpace. Out: legal tiles, the first one first. */
#include "kernel/tile/tile_private.h"

enum {
    WARP = 32,
    ROWS = 16,
    EACH = 4,    /* elements of a thread along k, and across it */
    ALONG_N = 8, /* threads of a warp along n, where rows of the right operand are along k */
    LEAST_N = 16,
    MOST_N = 128,
    CROWDED = 12, /* rows, from which on ptxas would spill what is loaded ahead */
    WIDE = 32,    /* columns of a block of more than 2 rows, or across k: 128 bytes */
    THREADS = 256,
    MOST_UNROLL = 8,
    OTHER_REGISTERS = 40
};

static bool is_across(const Body *b) { return operand_is_across(b, b->accs.at[0].index, DOT_N); }

GemvLanes tile_gemv_lanes(const Body *b, const Tile *t) {
    const int n = is_across(b) ? t->n / EACH : ALONG_N;
    return (GemvLanes){.is_across = is_across(b), .n = n, .columns = t->n / n};
}

/* Elements of k of a warp. */
static int depth(const Body *b, const Tile *t) { return WARP / tile_gemv_lanes(b, t).n * EACH; }

/* ---- what is legal --------------------------------------------------------------------------- */

static bool is_plain(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    return v->kind == V_LOAD && v->type == T_F32 && !v->guard &&
           !b->indices->node.at[v->ix].dynamic;
}

/* The right operands, which lie in memory in one way. */
static bool are_plain(const Body *b) {
    bool all = true;
    for (int i = 0; i < b->dots; i++)
        all = all && is_plain(b, b->accs.at[i].index) &&
              operand_is_across(b, b->accs.at[i].index, DOT_N) == is_across(b);
    return all;
}

const char *gemv_fma_obstacle(const TileSpace *s) {
    const Body *b = s->b;
    int64_t rows;
    if (body_has_rows(b)) return "rows of the result are reduced";
    if (b->added.count || b->blocks.term) return "products are added up, or scaled in blocks of k";
    if (b->accs.at[0].type != T_F32 || !is_plain(b, b->accs.at[0].value) || !are_plain(b))
        return "an operand is not f32, or is computed";
    if (dim_is_const(b->indices->dims, b->indices->extent[DOT_M], &rows) && rows <= ROWS)
        return NULL;
    return "more than 16 rows, or their number is not known";
}

int tile_gemv_fma_registers(const Body *b, const Tile *t) {
    const int columns = tile_gemv_lanes(b, t).columns;
    return (tile_gemv_fma_rows(b) + EACH * t->operand_unroll) * columns * b->dots + OTHER_REGISTERS;
}

int tile_gemv_fma_rows(const Body *b) {
    int64_t rows = ROWS;
    dim_is_const(b->indices->dims, b->indices->extent[DOT_M], &rows);
    return (int)rows;
}

int64_t tile_gemv_fma_shared(const Body *b, const Tile *t) {
    const int64_t sums = (int64_t)tile_gemv_fma_rows(b) * (t->n * b->dots + GEMV_PAD);
    return t->threads / WARP * sums * (int64_t)sizeof(float);
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    const char *obstacle = gemv_fma_obstacle(s);
    if (obstacle) return obstacle;
    if (t->n < LEAST_N || t->n > MOST_N || !is_power_of_two(t->n))
        return tile_refuse(s, "n must be a power of 2 from %d to %d, not %d", LEAST_N, MOST_N,
                           t->n);
    if (t->k != depth(s->b, t))
        return tile_refuse(s, "k must be %d with n=%d, not %d", depth(s->b, t), t->n, t->k);
    const char *wrong = gemv_block_refusal(s, t);
    if (wrong) return wrong;
    return tile_memory_refusal(s, t, t->threads, (int)tile_gemv_fma_shared(s->b, t),
                               tile_gemv_fma_registers(s->b, t));
}

static void complete(const TileSpace *s, Tile *t) {
    t->m = tile_gemv_fma_rows(s->b);
    t->blocks = 1;
}

/* ---- what is best ---------------------------------------------------------------------------- */

static Tile shaped(const TileSpace *s, int n) {
    Tile t = {.kind = TILE_GEMV_FMA, .n = n, .threads = THREADS, .operand_unroll = 1, .blocks = 1};
    t.k = depth(s->b, &t);
    epilogue_choose(s, &t);
    if (!epilogue_stores_neighbours(s)) t.vector = 1;
    return t;
}

static double blocks_of(const TileSpace *s, int n) {
    const Indices *x = s->b->indices;
    return cost_tiles(x->dims, x->extent[DOT_BATCH], 1) * cost_tiles(x->dims, x->extent[DOT_N], n);
}

/* Measured on an H200, in us: along k 1 x 4096 x 4096 19.2, in tiles of 32 x 64 with k split 43; 4
 * x 14336 x 4096 62 and 140, 16 x 14336 x 4096 106 and 145, 8 columns of 30000 x 4096 140 and 364;
 * across k 1 x 4096 x 4096 18.1 and 34, 8 x 4096 x 4096 22.6 and 32, 4 x 14336 x 4096 57 and 118.
 * Wide blocks share what they load of more rows; few blocks have more threads, and load less ahead
 * where these have few registers. */
static Tile best(const TileSpace *s) {
    static const int unroll[2][2][4] = {{{4, 2, 2, 1}, {8, 8, 2, 2}}, {{4, 4, 4, 1}, {4, 2, 4, 8}}};
    const int rows = tile_gemv_fma_rows(s->b);
    const bool across = is_across(s->b);
    int n = across || rows > ROWS / 8 ? WIDE : LEAST_N;
    const bool may_be_wider = !across && rows > ROWS / 4 && s->b->dots == 1;
    if (may_be_wider && blocks_of(s, 2 * WIDE) >= s->machine->processors) n = 2 * WIDE;
    const bool has_many = 2 * blocks_of(s, n) >= 3 * s->machine->processors;
    Tile t = shaped(s, n);
    t.threads = has_many ? THREADS / 2 : rows > CROWDED ? THREADS : 2 * THREADS;
    const int most =
        unroll[across][has_many][(rows > ROWS / 8) + (rows > ROWS / 4) + (rows > ROWS / 2)];
    const int parts = s->b->dots * (rows > CROWDED ? 2 : 1);
    t.operand_unroll = most > parts ? most / parts : 1;
    return t;
}

/* The first tile by stages in shared memory has the cost 0: these come before it. */
static void list(const TileSpace *s, Candidates *out) {
    static const double first = -1, slower = 0.1; /* for each doubling or halving */
    if (gemv_fma_obstacle(s)) return;
    const Tile t = best(s);
    for (int n = LEAST_N; n <= MOST_N / 2; n *= 2)
        for (int threads = THREADS / 2; threads <= 2 * THREADS; threads *= 2)
            for (int unroll = 1; unroll <= MOST_UNROLL; unroll *= 2) {
                Tile other = shaped(s, n);
                other.threads = threads, other.operand_unroll = unroll;
                candidate_add(s, other, first + slower * tile_distance(&t, &other), out);
            }
}

const TileFamily tile_gemv_fma = {list, complete, refusal};
