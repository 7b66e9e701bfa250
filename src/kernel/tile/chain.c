/* chain.c: whether a chain of contractions is for tensor cores, and its tiles there. In: a
 * TileSpace. Out: legal tiles; no time is estimated: the first of a table that fits comes first. */
#include "kernel/tile/tile_private.h"

enum {
    SHORT_ROW = 32,
    PIECE = 16, /* rows, n, columns: a multiple of it, for mma */
    CHUNK = 8,  /* elements of a 16-byte copy */
    WARP = 32,
    MOST_WARPS = 8,
    OTHERS = 90,        /* registers besides accumulators, at least, */
    OTHERS_SPLIT = 100, /* where operands are split */
    MOST_SIDE = 256,
    MOST_BLOCKS = 8,
    OPERAND_UNROLL = 2,
    MOST_COLUMNS_F32 = 192 /* of results together: with more, registers spill */
};

/* Rows in shared memory have 64, 128, 256 or 512 bytes: swizzled() requires it. */
static int row_elements(int64_t n) {
    int row = SHORT_ROW;
    while (row < n) row *= 2;
    return row;
}

/* Sets the operands' type; do tensor cores multiply them? All are f32, or none. */
static bool is_multiplied(const Body *b, int left, int right, Multiply f32, Dtype *type) {
    *type = b->values.at[left].type;
    if (b->values.at[right].type != *type) return false;
    return f32 ? *type == T_F32 : *type == T_BF16 || *type == T_F16;
}

/* In steps of 16 elements; 0: open or too long. */
static int steps_along(const Body *b, int axis, int longest) {
    int64_t n;
    if (!dim_is_const(b->indices->dims, b->indices->extent[axis], &n)) return 0;
    return n <= longest ? (int)ceil_div(n, PIECE) : 0;
}

int chain_element_size(const ChainForm *f) { return f->f32_products ? 4 : 2; }

static void find_columns(const Body *b, int value, ChainColumns *found) {
    const Value *v = &b->values.at[value];
    const bool of_column = v->axes >> ATTENTION_KEY & 1 && !(v->axes >> ATTENTION_QUERY & 1);
    for (int i = 0; i < value_sources(v); i++) find_columns(b, v->src[i], found);
    if (v->kind != V_LOAD || v->type != T_F32 || v->guard || !of_column) return;
    for (int i = 0; i < found->count; i++)
        if (found->value[i] == value) return;
    if (found->count < CHAIN_COLUMNS) found->value[found->count++] = value;
}

ChainColumns chain_columns(const Body *b) {
    ChainColumns found = {0};
    if (b->chain.across.is_there && !body_is_32bit(b)) return found; /* registers are few */
    for (int i = 0; i < b->chain.out_count; i++)
        find_columns(b, b->accs.at[b->chain.outs[i]].value, &found);
    return found;
}

/* Does a value read another one, other than through `through`? */
static bool reads(const Body *b, int value, int what, int through) {
    const Value *v = &b->values.at[value];
    if (value == through) return false;
    if (value == what) return true;
    for (int i = 0; i < value_sources(v); i++)
        if (reads(b, v->src[i], what, through)) return true;
    return false;
}

ChainSplit chain_split(const Body *b, Dtype type) {
    const ChainValues *c = &b->chain;
    if (c->count == 2 && c->out_count == 2 && !c->across.is_there && body_is_32bit(b))
        for (int i = 0; i < 4; i++) {
            const ChainSplit split = {i / 2, i % 2};
            const int score = b->accs.at[c->scores[split.score]].result,
                      other = b->accs.at[c->scores[!split.score]].result;
            const int first = value_unrounded(b, b->accs.at[c->outs[split.first]].value, type),
                      second = value_unrounded(b, b->accs.at[c->outs[!split.first]].value, type);
            if (dtype_compute(b->values.at[first].type) == T_F32 && reads(b, first, score, 0) &&
                !reads(b, first, other, 0) && reads(b, second, first, 0) &&
                !reads(b, second, score, first))
                return split;
        }
    return (ChainSplit){-1, -1};
}

bool chain_form(const Kernel *k, const Body *b, const Machine *gpu, ChainForm *f) {
    const ChainValues *c = &b->chain;
    *f = (ChainForm){.count = c->count, .out_count = c->out_count, .has_mma_types = true};
    f->has_across = c->across.is_there;
    f->across_weights = c->across.weights, f->across_left = c->across.left;
    if (b->values.at[b->accs.at[c->scores[0]].value].type == T_F32)
        f->f32_products = attention_f32_products(k);
    f->longest = f->f32_products ? ATTENTION_LONGEST_F32 : ATTENTION_LONGEST;
    f->most_columns = f->f32_products ? MOST_COLUMNS_F32 : ATTENTION_LONGEST;
    for (int i = 0; i < c->count; i++) {
        const Accumulator *a = &b->accs.at[c->scores[i]];
        f->has_mma_types &= is_multiplied(b, a->value, a->index, f->f32_products, &f->scores[i]);
        f->depth_steps[i] = steps_along(b, c->depth[i], f->longest);
        f->depth_row[i] = row_elements(PIECE * f->depth_steps[i]);
        if (!f->depth_steps[i]) f->long_axis = c->depth[i];
        if (PIECE * f->depth_steps[i] > f->widest) f->widest = PIECE * f->depth_steps[i];
    }
    f->column_steps = steps_along(b, ATTENTION_COLUMN, f->longest);
    f->column_row = row_elements(PIECE * f->column_steps);
    if (!f->column_steps) f->long_axis = ATTENTION_COLUMN;
    for (int i = 0; i < c->out_count; i++) {
        const Accumulator *a = &b->accs.at[c->outs[i]];
        f->has_mma_types &= is_multiplied(b, a->value, a->index, f->f32_products, &f->values[i]);
        f->right_of[i] = c->right_of[i];
    }
    if (PIECE * f->column_steps > f->widest) f->widest = PIECE * f->column_steps;
    f->no_wgmma = chain_wgmma_obstacle(b, gpu, f);
    f->of_column = chain_columns(b);
    f->split = chain_split(b, f->values[0]);
    return machine_has_mma(gpu) && f->has_mma_types && !f->long_axis &&
           PIECE * f->column_steps * f->out_count <= f->most_columns;
}

/* ---- shared memory: left operands, then stages of right operands and values ------------------ */

/* Of a row: padded, or whole panels of 64 elements. */
static int row_bytes(const ChainForm *f, const Tile *t, int row, int steps) {
    enum { PANEL_STEPS = 4, PANEL_BYTES = 128 };
    if (t->kind == TILE_CHAIN_MMA) return chain_element_size(f) * row;
    return PANEL_BYTES * (int)ceil_div(steps, PANEL_STEPS);
}

int tile_chain_left(const ChainForm *f, const Tile *t, int score) {
    int bytes = 0;
    for (int i = 0; i < score; i++)
        bytes += t->m * row_bytes(f, t, f->depth_row[i], f->depth_steps[i]);
    return bytes;
}

int tile_chain_right(const ChainForm *f, const Tile *t, int score) {
    int bytes = 0;
    for (int i = 0; i < score; i++)
        bytes += t->n * row_bytes(f, t, f->depth_row[i], f->depth_steps[i]);
    return bytes;
}

int tile_chain_values(const ChainForm *f, const Tile *t, int out) {
    int bytes = tile_chain_right(f, t, f->count);
    if (out < f->out_count && f->right_of[out] >= 0)
        return tile_chain_right(f, t, f->right_of[out]);
    for (int i = 0; i < out; i++)
        if (f->right_of[i] < 0) bytes += t->n * row_bytes(f, t, f->column_row, f->column_steps);
    return bytes;
}

int tile_chain_across_row(const Tile *t) { return 2 * row_elements(t->n); }

/* Of m rows of n weights; warpgroups write those of the next tile beside them. */
int tile_chain_across(const ChainForm *f, const Tile *t) {
    if (!f->has_across) return 0;
    return t->kind == TILE_CHAIN_MMA ? t->m * tile_chain_across_row(t) : 2 * 2 * t->m * t->n;
}

int tile_chain_of_column(const ChainForm *f, const Tile *t) {
    return f->of_column.count * t->n * (int)sizeof(float);
}

int tile_chain_shared(const ChainForm *f, const Tile *t) {
    enum { BARRIER_BYTES = 8 };
    const int left = tile_chain_left(f, t, f->count), stage = tile_chain_values(f, t, f->out_count);
    const int across = tile_chain_across(f, t);
    if (t->kind == TILE_CHAIN_MMA) return left + 2 * stage + across;
    return left + t->stages * (stage + tile_chain_of_column(f, t)) + across +
           BARRIER_BYTES * (1 + 2 * t->stages);
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Accumulators of scores and results, and the other registers. Weights take the place of scores;
 * those of f32 are rounded, or split, beside them. */
static int registers_of(const ChainForm *f, const Tile *t) {
    const int scores = f->count + (f->f32_products ? 1 : 0);
    const int others = dot_product(f->f32_products)->terms > 1 ? OTHERS_SPLIT : OTHERS;
    return t->m / t->warps_m * (t->n * scores + PIECE * f->column_steps * f->out_count) / WARP +
           others;
}

int tile_chain_registers(const ChainForm *f, const Tile *t) {
    enum { UNIT = 8 }; /* of which warps get registers; warpgroups share out all of them */
    if (t->kind == TILE_CHAIN_WGMMA) return MACHINE_REGISTERS / t->threads / UNIT * UNIT;
    const int registers = registers_of(f, t);
    return registers < MACHINE_THREAD_REGISTERS ? registers : MACHINE_THREAD_REGISTERS;
}

static void complete(const TileSpace *s, Tile *t) {
    (void)s;
    t->threads = WARP * t->warps_m;
}

static const char *sides_refusal(const TileSpace *s, const Tile *t) {
    if (!is_power_of_two(t->warps_m) || t->warps_m > MOST_WARPS || t->warps_m < 2)
        return tile_refuse(s, "a block has 2, 4 or %d warps, not %d", MOST_WARPS, t->warps_m);
    if (t->m < 1 || t->m > MOST_SIDE || t->m % (PIECE * t->warps_m))
        return tile_refuse(s, "m must be a multiple of %d for each of warps_m=%d, up to %d, not %d",
                           PIECE, t->warps_m, MOST_SIDE, t->m);
    if (t->n < 1 || t->n > MOST_SIDE || t->n % PIECE)
        return tile_refuse(s, "n must be a multiple of %d, up to %d, not %d", PIECE, MOST_SIDE,
                           t->n);
    if (t->blocks < 1 || t->blocks > MOST_BLOCKS)
        return tile_refuse(s, "blocks must be a number from 1 to %d, not %d", MOST_BLOCKS,
                           t->blocks);
    return tile_operand_refusal(s, t);
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    const char *wrong = sides_refusal(s, t);
    return wrong ? wrong
                 : tile_memory_refusal(s, t, WARP * t->warps_m, tile_chain_shared(&s->chain, t),
                                       registers_of(&s->chain, t));
}

/* The first that is legal, of those for up to so many elements of depth or columns. Of f32 with
 * rows of 128, shared memory has room for one block: on an H100, 8 x 4096 x 128 under tf32 took
 * 2524 us with 8 warps, and 3740 with 4. */
static const struct {
    int widest, m, n, warps_m, blocks;
    bool f32; /* for nothing else */
} tiles[] = {
    {64, 64, 64, 4, 2, false},  {64, 64, 32, 4, 2, false},  {128, 128, 32, 8, 1, true},
    {128, 64, 32, 4, 2, false}, {256, 64, 32, 4, 2, false}, {256, 64, 32, 4, 1, false},
    {256, 64, 16, 4, 1, false}, {256, 32, 16, 2, 1, false},
};

static Tile first(const TileSpace *s) {
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        const Tile t = {.kind = TILE_CHAIN_MMA,
                        .m = tiles[i].m,
                        .n = tiles[i].n,
                        .warps_m = tiles[i].warps_m,
                        .blocks = tiles[i].blocks,
                        .operand_unroll = OPERAND_UNROLL};
        if (tiles[i].f32 && !s->chain.f32_products) continue;
        if (tiles[i].widest >= s->chain.widest && !refusal(s, &t)) return t;
    }
    BUG("no tile of a chain fits sm_%d", s->machine->sm);
}

static void list(const TileSpace *s, Candidates *out) {
    const Tile least = first(s);
    candidate_add(s, least, 0, out);
    for (int m = 2 * PIECE; m <= MOST_SIDE; m *= 2)
        for (int n = PIECE; n <= 128; n *= 2)
            for (int warps = 2; warps <= MOST_WARPS; warps *= 2)
                for (int blocks = 1; blocks <= 4; blocks++) {
                    Tile t = least;
                    t.m = m, t.n = n, t.warps_m = warps, t.blocks = blocks;
                    const int distance = tile_distance(&least, &t);
                    if (distance) candidate_add(s, t, distance, out);
                }
}

const TileFamily tile_chain_mma = {list, complete, refusal};
