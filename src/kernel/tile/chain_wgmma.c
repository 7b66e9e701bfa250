/* chain_wgmma.c: chains of contractions by wgmma and TMA, on sm_90a: which are possible, and with
 * which tiles. In: a TileSpace. Out: the obstacle, or legal tiles. */
#include "kernel/tile/tile_private.h"

enum {
    GROUP_ROWS = 64, /* rows of a warpgroup */
    GROUPS = 2,      /* consumers */
    GROUP = 128,     /* threads */
    STEP = 16,
    PANEL_STEPS = 4,    /* in a row of shared memory */
    MOST_COLUMNS = 256, /* of scores */
    LEAST_STAGES = 2,
    MOST_STAGES = 4,
    /* accumulators, and weights, of a consumer thread, which has 240 registers; accumulators where
     * addresses take two each */
    MOST_SUMS = 192,
    MOST_SUMS_64 = 176,
    MOST_SPLIT = 208, /* with those weights that are multiplied while others are computed */
    FEW_ROWS = 64
};

const char *chain_wgmma_obstacle(const Body *b, const Machine *gpu, const ChainForm *f) {
    const ChainValues *c = &b->chain;
    int64_t rows;
    if (!gpu->wgmma) return "the architecture has none";
    if (f->f32_products)
        return "products of f32 numbers round them, or split them, in shared memory";
    if (dim_is_const(b->indices->dims, b->indices->extent[ATTENTION_QUERY], &rows) &&
        rows <= FEW_ROWS)
        return "rows are few";
    /* A row of 128 bytes in shared memory has the columns of a warpgroup. */
    if (f->has_across && f->column_steps > PANEL_STEPS && f->column_steps != GROUPS * PANEL_STEPS)
        return "two warpgroups cannot share its columns";
    for (int i = 0; i < c->count; i++) {
        const Accumulator *a = &b->accs.at[c->scores[i]];
        if (f->scores[i] != f->scores[0]) return "scores are products of several types";
        if (!tensor_is_boxes(b, a->value, ATTENTION_QUERY, c->depth[i], f->scores[i]) ||
            !tensor_is_boxes(b, a->index, ATTENTION_KEY, c->depth[i], f->scores[i]))
            return "operands are computed, or their rows are not evenly spaced";
    }
    for (int i = 0; i < c->out_count; i++) {
        if (f->values[i] != f->values[0]) return "results are products of several types";
        if (!tensor_is_boxes(b, b->accs.at[c->outs[i]].index, ATTENTION_KEY, ATTENTION_COLUMN,
                             f->values[i]))
            return "values are computed, or their rows are not evenly spaced";
    }
    return NULL;
}

static void complete(const TileSpace *s, Tile *t) {
    (void)s;
    t->warpgroups = GROUPS;
    t->threads = (GROUPS + 1) * GROUP;
    t->blocks = 1;
}

/* Warpgroups share its columns, or, of two blocks of 64 rows, each has one. */
int tile_chain_across_columns(const ChainForm *f, const Tile *t) {
    const int columns = STEP * f->column_steps;
    return t->n == GROUP_ROWS ? columns / GROUPS : columns;
}

/* Registers of the result of n rows. */
static int across_sums(const ChainForm *f, const Tile *t) {
    return f->has_across ? tile_chain_across_columns(f, t) / 2 : 0;
}

bool tile_chain_overlaps(const ChainForm *f, const Tile *t) {
    const int weights = f->out_count * t->n / 4;
    return f->count * t->n / 2 + f->out_count * STEP * f->column_steps / 2 + weights +
               across_sums(f, t) <=
           MOST_SUMS;
}

bool tile_chain_splits(const ChainForm *f, const Tile *t) {
    const int weights = t->n / 4;
    return f->split.first >= 0 &&
           f->count * t->n / 2 + weights + f->out_count * STEP * f->column_steps / 2 <= MOST_SPLIT;
}

/* Addresses that take two registers each need more where a producer loads what is of columns. */
WarpgroupRegisters tile_chain_warpgroups(const Body *b, const ChainForm *f, const Tile *t) {
    enum { MORE = 16 };
    WarpgroupRegisters registers = tile_attention_wgmma_registers(t);
    if (body_is_32bit(b) || !f->of_column.count) return registers;
    registers.producer += MORE;
    registers.consumer -= MORE / GROUPS;
    return registers;
}

/* Accumulators of scores and results of a thread; weights take the place of scores. */
static int sums_of(const ChainForm *f, const Tile *t) {
    const int scores = f->count * t->n / 2, weights = f->out_count * t->n / 4;
    const int across = f->has_across ? weights + across_sums(f, t) : 0;
    return (scores > across ? scores : across) + f->out_count * STEP * f->column_steps / 2;
}

static const char *across_refusal(const TileSpace *s, const Tile *t) {
    if (!s->chain.has_across || t->n == GROUP_ROWS || t->n == GROUPS * GROUP_ROWS) return NULL;
    return tile_refuse(s, "n must be %d or %d where rows of n are added up, not %d", GROUP_ROWS,
                       GROUPS * GROUP_ROWS, t->n);
}

static const char *refusal(const TileSpace *s, const Tile *t) {
    const ChainForm *f = &s->chain;
    if (f->no_wgmma) return f->no_wgmma;
    if (t->m != GROUPS * GROUP_ROWS)
        return tile_refuse(s, "m must be %d, for each of %d warpgroups %d, not %d",
                           GROUPS * GROUP_ROWS, GROUPS, GROUP_ROWS, t->m);
    if (t->n < STEP || t->n % STEP || t->n > MOST_COLUMNS)
        return tile_refuse(s, "n must be a multiple of %d up to %d, not %d", STEP, MOST_COLUMNS,
                           t->n);
    if (t->stages < LEAST_STAGES || t->stages > MOST_STAGES)
        return tile_refuse(s, "stages must be %d to %d, not %d", LEAST_STAGES, MOST_STAGES,
                           t->stages);
    const char *wrong = across_refusal(s, t);
    if (wrong) return wrong;
    const int shared = tile_chain_shared(f, t), sums = sums_of(f, t);
    const int most = body_is_32bit(s->b) || f->has_across ? MOST_SUMS : MOST_SUMS_64;
    if (sums > most)
        return tile_refuse(s, "a thread has %d registers for sums, and needs %d", most, sums);
    if (shared <= s->machine->shared_block) return NULL;
    return tile_refuse(s, "%d stages take %d bytes of shared memory, and a block has %d", t->stages,
                       shared, s->machine->shared_block);
}

/* Wide tiles are exchanged and added less often: on an H200, with 64 columns, faster by a fifth. */
static void first_across(const TileSpace *s, Tile *t) {
    for (t->n = GROUPS * GROUP_ROWS; t->n >= GROUP_ROWS; t->n /= 2)
        for (t->stages = t->n == GROUP_ROWS ? 3 : 2; t->stages >= LEAST_STAGES; t->stages--)
            if (!refusal(s, t)) return;
}

/* The widest tile that overlaps, unless it is narrow: then the widest that is legal. */
static Tile first_tile(const TileSpace *s) {
    enum { WIDE = 128, NARROW = 32 };
    Tile t = {.kind = TILE_CHAIN_WGMMA, .m = GROUPS * GROUP_ROWS};
    if (s->chain.has_across) {
        first_across(s, &t);
        return t;
    }
    for (int overlaps = 1; overlaps >= 0; overlaps--)
        for (t.n = WIDE; t.n > (overlaps ? NARROW : 0) && t.n >= STEP; t.n /= 2)
            for (t.stages = 3; t.stages >= LEAST_STAGES; t.stages--)
                if (!refusal(s, &t) && (!overlaps || tile_chain_overlaps(&s->chain, &t))) return t;
    return t;
}

static void list(const TileSpace *s, Candidates *out) {
    enum { BEFORE = -1000 }; /* before the tiles of mma.sync */
    if (s->chain.no_wgmma) return;
    const Tile first = first_tile(s);
    if (refusal(s, &first)) return;
    candidate_add(s, first, BEFORE, out);
    for (int n = STEP; n <= MOST_COLUMNS; n += STEP)
        for (int stages = LEAST_STAGES; stages <= MOST_STAGES; stages++) {
            Tile t = first;
            t.n = n, t.stages = stages;
            const int distance = tile_distance(&first, &t);
            if (!tile_equal(&first, &t)) candidate_add(s, t, BEFORE + 1 + distance, out);
        }
}

const TileFamily tile_chain_wgmma = {list, complete, refusal};
