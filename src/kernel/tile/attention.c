/* attention.c: whether an attention is for tensor cores, and its tiles there. In: a TileSpace. Out:
 * legal tiles; no time is estimated: the first of a table that fits comes first. */
#include "kernel/tile/tile_private.h"

enum {
    SHORT_ROW = 32,
    PIECE = 16, /* queries, keys, columns: a multiple of it, for mma */
    CHUNK = 8,  /* elements of a 16-byte copy */
    WARP = 32,
    MOST_WARPS = 8,
    OTHERS = 70, /* registers besides accumulators, */
    LEAST_OTHERS = 62,
    MOST_SIDE = 256,
    MOST_BLOCKS = 8,
    OPERAND_UNROLL = 2
};

/* Rows in shared memory have 64, 128, 256 or 512 bytes: swizzled() requires it, and threads divide
 * them evenly. */
static int row_elements(int64_t n) {
    int row = SHORT_ROW;
    while (row < n) row *= 2;
    return row;
}

static bool narrow_pair(const Body *b, const Accumulator *dot, Dtype *type) {
    *type = b->values.at[dot->value].type;
    return (*type == T_BF16 || *type == T_F16) && b->values.at[dot->index].type == *type;
}

static bool known_length(const Body *b, int axis, int64_t *n) {
    return dim_is_const(b->indices->dims, b->indices->extent[axis], n) && *n <= ATTENTION_LONGEST;
}

/* Without tensor cores, only `attention` and the reason are set. */
bool attention_form(const Body *b, const Machine *gpu, AttentionForm *f) {
    const AttentionValues p = b->attention;
    int64_t depth, columns;
    *f = (AttentionForm){.attention = p};
    f->is_narrow = narrow_pair(b, &b->accs.at[p.scores], &f->scores) &&
                   narrow_pair(b, &b->accs.at[p.out], &f->values);
    if (!known_length(b, ATTENTION_COLUMN, &columns)) f->long_axis = ATTENTION_COLUMN;
    if (!known_length(b, ATTENTION_DEPTH, &depth)) f->long_axis = ATTENTION_DEPTH;
    if (!machine_has_mma(gpu) || !f->is_narrow || f->long_axis) return false;
    f->depth_row = row_elements(depth);
    f->column_row = row_elements(columns);
    f->depth_steps = (int)(depth + PIECE - 1) / PIECE;
    f->column_steps = (int)(columns + PIECE - 1) / PIECE;
    f->widest = (int)(depth > columns ? depth : columns);
    attention_wgmma_obstacle(b, gpu, f);
    return true;
}

/* ---- on tensor cores ------------------------------------------------------------------------- */

/* Stages of tiles; at the end, exchange between warps with the same queries. */
int tile_attention_shared(const AttentionForm *f, const Tile *t) {
    const int tiles = 2 * (t->m * f->depth_row + t->n * (f->depth_row + f->column_row));
    const int lane_values = t->m / t->warps_m / PIECE * (6 + 8 * f->column_steps);
    const int exchanged = t->warps_m * t->warps_n * WARP * lane_values * (int)sizeof(float);
    return t->warps_n > 1 && exchanged > tiles ? exchanged : tiles;
}

/* Accumulators of scores and results. */
static int sums_of(const AttentionForm *f, const Tile *t) {
    return t->m / t->warps_m * (t->n / t->warps_n + PIECE * f->column_steps) / WARP;
}

/* Accumulators and the other registers; at most what a thread can have. */
int tile_attention_registers(const AttentionForm *f, const Tile *t) {
    const int registers = sums_of(f, t) + OTHERS;
    return registers < MACHINE_THREAD_REGISTERS ? registers : MACHINE_THREAD_REGISTERS;
}

static void mma_complete(const TileSpace *s, Tile *t) {
    (void)s;
    t->threads = WARP * t->warps_m * t->warps_n;
}

static const char *warps_refusal(const TileSpace *s, const Tile *t) {
    const AttentionForm *f = &s->attention;
    const int64_t warps = (int64_t)t->warps_m * t->warps_n;
    if (!is_power_of_two(t->warps_m) || !is_power_of_two(t->warps_n) || warps > MOST_WARPS)
        return arena_printf(s->arena, "a block has 1, 2, 4 or %d warps, not %d x %d", MOST_WARPS,
                            t->warps_m, t->warps_n);
    if (WARP * warps % (f->depth_row / CHUNK) || WARP * warps % (f->column_row / CHUNK))
        return arena_printf(s->arena, "%lld threads do not copy whole rows of %d and %d elements",
                            (long long)(WARP * warps), f->depth_row, f->column_row);
    return NULL;
}

static const char *sides_refusal(const TileSpace *s, const Tile *t) {
    if (t->m < 1 || t->m > MOST_SIDE || t->m % (PIECE * t->warps_m))
        return arena_printf(s->arena,
                            "m must be a multiple of %d for each of warps_m=%d, up to %d, not %d",
                            PIECE, t->warps_m, MOST_SIDE, t->m);
    if (t->n < 1 || t->n > MOST_SIDE || t->n % (PIECE * t->warps_n))
        return arena_printf(s->arena,
                            "n must be a multiple of %d for each of warps_n=%d, up to %d, not %d",
                            PIECE, t->warps_n, MOST_SIDE, t->n);
    if (t->blocks < 1 || t->blocks > MOST_BLOCKS)
        return arena_printf(s->arena, "blocks must be a number from 1 to %d, not %d", MOST_BLOCKS,
                            t->blocks);
    return NULL;
}

static const char *mma_refusal(const TileSpace *s, const Tile *t) {
    const char *wrong = warps_refusal(s, t);
    if (!wrong) wrong = sides_refusal(s, t);
    if (!wrong) wrong = tile_operand_refusal(t, s->arena);
    return wrong ? wrong
                 : tile_memory_refusal(s, t, WARP * t->warps_m * t->warps_n,
                                       tile_attention_shared(&s->attention, t),
                                       sums_of(&s->attention, t) + LEAST_OTHERS);
}

/* For up to so many columns and queries (0: any): queries and keys of a tile, warps along both,
 * blocks of a multiprocessor. With few queries, warps split the keys; wider rows leave fewer
 * registers for each query. The last row of each width fits every device. */
static const struct {
    int columns, queries, m, n, warps_m, warps_n, blocks;
} tiles[] = {
    {64, 16, 16, 128, 1, 4, 4}, {64, 32, 32, 128, 2, 2, 3},  {64, 64, 64, 128, 4, 1, 3},
    {64, 0, 128, 128, 4, 1, 2}, {128, 16, 16, 128, 1, 4, 3}, {128, 32, 32, 128, 2, 2, 3},
    {128, 64, 64, 64, 4, 1, 3}, {128, 0, 128, 64, 4, 1, 2},  {256, 16, 16, 64, 1, 4, 2},
    {256, 0, 64, 64, 4, 1, 1},  {256, 0, 64, 32, 4, 1, 1},
};

static Tile mma_first(const TileSpace *s) {
    int64_t queries;
    if (!dim_is_const(s->b->indices->dims, s->b->indices->extent[ATTENTION_QUERY], &queries))
        queries = INT64_MAX;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        if (tiles[i].columns < s->attention.widest) continue;
        if (tiles[i].queries && tiles[i].queries < queries) continue;
        const Tile t = {.kind = TILE_ATTENTION_MMA,
                        .m = tiles[i].m,
                        .n = tiles[i].n,
                        .warps_m = tiles[i].warps_m,
                        .warps_n = tiles[i].warps_n,
                        .blocks = tiles[i].blocks,
                        .operand_unroll = OPERAND_UNROLL};
        if (!mma_refusal(s, &t)) return t;
    }
    BUG("no tile of an attention fits sm_%d", s->machine->sm);
}

static void mma_list(const TileSpace *s, Candidates *out) {
    const Tile first = mma_first(s);
    candidate_add(s, first, 0, out);
    for (int unroll = 1; unroll <= 4; unroll *= 2) {
        Tile t = first;
        t.operand_unroll = unroll;
        if (unroll != OPERAND_UNROLL) candidate_add(s, t, 1, out);
    }
    for (int m = PIECE; m <= 128; m *= 2)
        for (int n = PIECE; n <= 128; n *= 2)
            for (int warps_m = 1; warps_m <= MOST_WARPS; warps_m *= 2)
                for (int warps_n = 1; warps_n <= MOST_WARPS; warps_n *= 2)
                    for (int blocks = 1; blocks <= 4; blocks++) {
                        Tile t = first;
                        t.m = m, t.n = n, t.blocks = blocks;
                        t.warps_m = warps_m, t.warps_n = warps_n;
                        const int distance = tile_distance(&first, &t);
                        if (distance) candidate_add(s, t, distance, out);
                    }
}

const TileFamily tile_attention_mma = {mma_list, mma_complete, mma_refusal};
