/* attention.c: whether an attention is for tensor cores, and its tiles there. In: a TileSpace. Out:
 * legal tiles; no time is estimated: the first of a table that fits comes first. */
#include "kernel/tile/tile_private.h"

enum {
    SHORT_ROW = 32,
    PIECE = 16, /* queries, keys, columns: a multiple of it, for mma */
    CHUNK = 16, /* bytes of a copy */
    WARP = 32,
    MOST_WARPS = 8,
    OTHERS = 70, /* registers besides accumulators, */
    LEAST_OTHERS = 62,
    OTHERS_F32 = 95, /* the same of f32 operands, */
    LEAST_OTHERS_F32 = 72,
    OTHERS_LONG = 135, /* and where their rows are long: */
    LEAST_OTHERS_LONG = 96,
    LEAST_OTHERS_TERMS = 128,
    LONG_ROW = 128,
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

static bool is_pair(const Body *b, const Accumulator *dot, Dtype *type) {
    *type = b->values.at[dot->value].type;
    return b->values.at[dot->index].type == *type;
}

static bool is_half(Dtype type) { return type == T_BF16 || type == T_F16; }

/* Three terms of bf16 have no place where the f32 numbers were. */
Multiply attention_f32_products(const Kernel *k) {
    const Multiply multiply = dot_by_precision(k->g->attrs.precision);
    return dot_product(multiply)->terms > 2 ? MULTIPLY_FMA : multiply;
}

/* Sets the operands' types; do tensor cores multiply them? */
static bool are_multiplied(const Kernel *k, const Body *b, AttentionForm *f) {
    if (!is_pair(b, &b->accs.at[f->attention.scores], &f->scores)) return false;
    if (!is_pair(b, &b->accs.at[f->attention.out], &f->values)) return false;
    if (is_half(f->scores) && is_half(f->values)) return true;
    if (f->scores == T_F32 && f->values == T_F32) f->f32_products = attention_f32_products(k);
    return f->f32_products != MULTIPLY_FMA;
}

static bool known_length(const Body *b, int axis, int64_t most, int64_t *n) {
    return dim_is_const(b->indices->dims, b->indices->extent[axis], n) && *n <= most;
}

/* Of keys and values that are computed, as those of a quantised cache. Products of f32 settle
 * operands in place. */
static void find_raw_loads(const Kernel *k, const Body *b, AttentionForm *f) {
    const int key = b->accs.at[f->attention.scores].index;
    const int value = b->accs.at[f->attention.out].index;
    if (f->f32_products) return;
    if (!operand_is_copied(b, key, ATTENTION_DEPTH, f->scores))
        f->raw_keys = operand_row_loads(k, b, key, ATTENTION_KEY, ATTENTION_DEPTH, f->scores);
    if (!operand_is_copied(b, value, ATTENTION_COLUMN, f->values))
        f->raw_values = operand_row_loads(k, b, value, ATTENTION_KEY, ATTENTION_COLUMN, f->values);
}

/* Without tensor cores, only `attention` and the reason are set. */
bool attention_form(const Kernel *k, const Body *b, const Machine *gpu, AttentionForm *f) {
    int64_t depth, columns;
    *f = (AttentionForm){.attention = b->attention};
    f->has_mma_types = are_multiplied(k, b, f);
    f->longest = f->f32_products ? ATTENTION_LONGEST_F32 : ATTENTION_LONGEST;
    if (!known_length(b, ATTENTION_COLUMN, f->longest, &columns)) f->long_axis = ATTENTION_COLUMN;
    if (!known_length(b, ATTENTION_DEPTH, f->longest, &depth)) f->long_axis = ATTENTION_DEPTH;
    if (!machine_has_mma(gpu) || !f->has_mma_types || f->long_axis) return false;
    f->depth_row = row_elements(depth);
    f->column_row = row_elements(columns);
    f->depth_steps = (int)(depth + PIECE - 1) / PIECE;
    f->column_steps = (int)(columns + PIECE - 1) / PIECE;
    f->widest = (int)(depth > columns ? depth : columns);
    find_raw_loads(k, b, f);
    attention_wgmma_obstacle(b, gpu, f);
    return true;
}

/* ---- on tensor cores ------------------------------------------------------------------------- */

int attention_element_size(const AttentionForm *f) { return (int)dtype_size(f->scores); }

/* Copies of what is computed: packs of a tile, and their bytes. */
static int raw_bytes(const AttentionForm *f, const Tile *t) {
    const int keys = f->raw_keys.count ? t->n * f->depth_row / f->raw_keys.elements : 0;
    const int values = f->raw_values.count ? t->n * f->column_row / f->raw_values.elements : 0;
    return keys * f->raw_keys.bytes + values * f->raw_values.bytes;
}

/* Tiles, and what they are computed from; at the end, exchange between warps with the same queries.
 */
int tile_attention_shared(const AttentionForm *f, const Tile *t) {
    const int size = attention_element_size(f);
    const int tiles =
        size * (t->m * f->depth_row + t->n * (f->depth_row + f->column_row)) + raw_bytes(f, t);
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
    const int of_f32 = f->column_row < LONG_ROW ? OTHERS_F32 : OTHERS_LONG;
    const int registers = sums_of(f, t) + (f->f32_products ? of_f32 : OTHERS);
    return registers < MACHINE_THREAD_REGISTERS ? registers : MACHINE_THREAD_REGISTERS;
}

static void mma_complete(const TileSpace *s, Tile *t) {
    (void)s;
    t->threads = WARP * t->warps_m * t->warps_n;
}

static const char *warps_refusal(const TileSpace *s, const Tile *t) {
    const AttentionForm *f = &s->attention;
    const int64_t warps = (int64_t)t->warps_m * t->warps_n;
    const int each = CHUNK / attention_element_size(f);
    if (!is_power_of_two(t->warps_m) || !is_power_of_two(t->warps_n) || warps > MOST_WARPS)
        return tile_refuse(s, "a block has 1, 2, 4 or %d warps, not %d x %d", MOST_WARPS,
                           t->warps_m, t->warps_n);
    if (WARP * warps % (f->depth_row / each) || WARP * warps % (f->column_row / each))
        return tile_refuse(s, "%lld threads do not copy whole rows of %d and %d elements",
                           (long long)(WARP * warps), f->depth_row, f->column_row);
    return NULL;
}

static const char *sides_refusal(const TileSpace *s, const Tile *t) {
    if (t->m < 1 || t->m > MOST_SIDE || t->m % (PIECE * t->warps_m))
        return tile_refuse(s, "m must be a multiple of %d for each of warps_m=%d, up to %d, not %d",
                           PIECE, t->warps_m, MOST_SIDE, t->m);
    if (t->n < 1 || t->n > MOST_SIDE || t->n % (PIECE * t->warps_n))
        return tile_refuse(s, "n must be a multiple of %d for each of warps_n=%d, up to %d, not %d",
                           PIECE, t->warps_n, MOST_SIDE, t->n);
    if (t->blocks < 1 || t->blocks > MOST_BLOCKS)
        return tile_refuse(s, "blocks must be a number from 1 to %d, not %d", MOST_BLOCKS,
                           t->blocks);
    return NULL;
}

/* Rows that are split, and addresses of 64 bits, need more; code of sm_120 needs a few more, and
 * most where rows are split. */
static int least_others(const TileSpace *s, const AttentionForm *f) {
    enum { SM_120 = 120 };
    if (!f->f32_products) return LEAST_OTHERS;
    const bool is_split = dot_product(f->f32_products)->terms > 1;
    const bool is_sm_120 = s->machine->sm >= SM_120;
    const bool needs_more = is_split || !body_is_32bit(s->b) || is_sm_120;
    if (is_split && is_sm_120) return LEAST_OTHERS_TERMS;
    if (f->f32_products == MULTIPLY_TF32X3) /* terms are in registers */
        return f->column_row >= LONG_ROW ? LEAST_OTHERS_TERMS : LEAST_OTHERS_LONG;
    return f->column_row >= LONG_ROW && needs_more ? LEAST_OTHERS_LONG : LEAST_OTHERS_F32;
}

static const char *mma_refusal(const TileSpace *s, const Tile *t) {
    const AttentionForm *f = &s->attention;
    const int others = least_others(s, f);
    const char *wrong = warps_refusal(s, t);
    if (!wrong) wrong = sides_refusal(s, t);
    if (!wrong) wrong = tile_operand_refusal(s, t);
    return wrong ? wrong
                 : tile_memory_refusal(s, t, WARP * t->warps_m * t->warps_n,
                                       tile_attention_shared(f, t), sums_of(f, t) + others);
}

/* For up to so many columns and queries (0: any): queries and keys of a tile, warps along both,
 * blocks of a multiprocessor. With few queries, warps split the keys; wider rows leave fewer
 * registers for each query. The last row of each width fits every device. */
typedef struct MmaTile {
    int columns, queries, m, n, warps_m, warps_n, blocks;
} MmaTile;

static const MmaTile of_halves[] = {
    {64, 16, 16, 128, 1, 4, 4}, {64, 32, 32, 128, 2, 2, 3},  {64, 64, 64, 128, 4, 1, 3},
    {64, 0, 128, 128, 4, 1, 2}, {128, 16, 16, 128, 1, 4, 3}, {128, 32, 32, 128, 2, 2, 3},
    {128, 64, 64, 64, 4, 1, 3}, {128, 0, 128, 64, 4, 1, 2},  {256, 16, 16, 64, 1, 4, 2},
    {256, 0, 64, 64, 4, 1, 1},  {256, 0, 64, 32, 4, 1, 1},   {0},
};

static const MmaTile of_f32[] = {
    {32, 16, 16, 128, 1, 4, 4}, {32, 32, 32, 128, 2, 2, 3},
    {32, 0, 128, 128, 4, 1, 2}, {64, 16, 16, 128, 1, 4, 2},
    {64, 32, 32, 64, 2, 2, 3},  {64, 64, 64, 64, 4, 1, 3},
    {64, 0, 128, 64, 4, 1, 2},  {128, 16, 16, 64, 1, 4, 2},
    {128, 32, 32, 64, 2, 2, 2}, {128, 64, 64, 64, 4, 1, 2},
    {128, 0, 128, 32, 4, 1, 2}, {128, 0, 128, 64, 8, 1, 1},
    {128, 0, 64, 64, 4, 1, 2},  {0},
};

/* Copies beside the tiles take room of other blocks: two of them, or fewer keys at a time. */
static void make_room(const TileSpace *s, Tile *t) {
    enum { LEAST_KEYS = 32, RESERVED = 1024 };
    const AttentionForm *f = &s->attention;
    const int blocks = t->blocks;
    while ((f->raw_keys.count || f->raw_values.count) && t->n > LEAST_KEYS &&
           t->n > PIECE * t->warps_n &&
           (int64_t)t->blocks * (tile_attention_shared(f, t) + RESERVED) >
               s->machine->shared_processor) {
        const bool is_few = t->blocks <= 2;
        t->n = is_few ? t->n / 2 : t->n;
        t->blocks = is_few ? blocks : 2;
    }
}

/* Operands that are loaded ahead: of 128 x 128 scores and more than 32 columns ptxas has no
 * registers for two before sm_90, and spills some. */
static int operands_ahead(const TileSpace *s, const MmaTile *i) {
    enum { SM_90 = 90, FULL = 128, NARROW = 32 };
    const bool is_full = i->m == FULL && i->n == FULL && s->attention.widest > NARROW;
    return is_full && s->machine->sm < SM_90 ? 1 : OPERAND_UNROLL;
}

static Tile mma_first(const TileSpace *s) {
    int64_t queries;
    if (!dim_is_const(s->b->indices->dims, s->b->indices->extent[ATTENTION_QUERY], &queries))
        queries = INT64_MAX;
    for (const MmaTile *i = s->attention.f32_products ? of_f32 : of_halves; i->columns; i++) {
        if (i->columns < s->attention.widest) continue;
        if (i->queries && i->queries < queries) continue;
        Tile t = {.kind = TILE_ATTENTION_MMA,
                  .m = i->m,
                  .n = i->n,
                  .warps_m = i->warps_m,
                  .warps_n = i->warps_n,
                  .blocks = i->blocks,
                  .operand_unroll = operands_ahead(s, i)};
        make_room(s, &t);
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
        if (unroll != first.operand_unroll) candidate_add(s, t, 1, out);
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
