/* chain_mma.c: chains of contractions by mma.sync, through templates/cuda/chain_mma.cu: where
 * operands are in shared memory, and the pieces for weights and results in registers. In: Kernel of
 * family F_CHAIN, its ChainForm. Out: text and launch. */
#include "emit/cuda/chain.h"

enum { PAIR = 2 }; /* adjacent elements of a result row in a thread */

typedef struct Mma {
    AttentionTiles tiles;
    CudaWriter *c;
    const ChainForm *form;
} Mma;

static const char *number(const Mma *m, int64_t n) { return cuda_number(m->c->w.arena, n); }

static Dim extent(const Mma *m, int axis) { return m->c->w.b->indices->extent[axis]; }

static const char *product(Dtype type) { return type == T_F16 ? "mma_f16" : "mma_bf16"; }

/* ---- operands ---------------------------------------------------------------------------------
 */

static const char *slot(const Mma *m, const char *base, int bytes) {
    return bytes ? arena_printf(m->c->w.arena, "(%s + %d)", base, bytes) : base;
}

static const char *left_slot(const Mma *m, int score) {
    return slot(m, "left", tile_chain_left(m->form, &m->c->tile, score));
}

static const char *right_slot(const Mma *m, int score) {
    return slot(m, "slots", tile_chain_right(m->form, &m->c->tile, score));
}

static const char *values_slot(const Mma *m, int out) {
    return slot(m, "slots", tile_chain_values(m->form, &m->c->tile, out));
}

static const char *fetch_left(Mma *m) {
    const ChainForm *f = m->form;
    const Body *b = m->c->w.b;
    Text text = text_new(m->c->w.arena);
    for (int i = 0; i < f->count; i++) {
        const AttentionOperand o = {.value = b->accs.at[b->chain.scores[i]].value,
                                    .across = ATTENTION_QUERY,
                                    .along = b->chain.depth[i],
                                    .type = f->scores[i],
                                    .rows = m->c->tile.m,
                                    .row_elements = f->depth_row[i],
                                    .start = "m_start",
                                    .slot = left_slot(m, i)};
        text_str(&text, attention_fetch(&m->tiles, &o));
    }
    return text_get(&text);
}

/* Values that are a right operand, too, are there already. */
static const char *fetch_right(Mma *m) {
    const ChainForm *f = m->form;
    const Body *b = m->c->w.b;
    Text text = text_new(m->c->w.arena);
    for (int i = 0; i < f->count + f->out_count; i++) {
        const bool is_score = i < f->count;
        const int out = i - f->count;
        if (!is_score && f->right_of[out] >= 0) continue;
        const int acc = is_score ? b->chain.scores[i] : b->chain.outs[out];
        const AttentionOperand o = {.value = b->accs.at[acc].index,
                                    .across = ATTENTION_KEY,
                                    .along = is_score ? b->chain.depth[i] : ATTENTION_COLUMN,
                                    .type = is_score ? f->scores[i] : f->values[out],
                                    .rows = m->c->tile.n,
                                    .row_elements = is_score ? f->depth_row[i] : f->column_row,
                                    .start = "n_start",
                                    .slot = is_score ? right_slot(m, i) : values_slot(m, out)};
        text_str(&text, attention_fetch(&m->tiles, &o));
    }
    return text_get(&text);
}

static const char *multiply_scores(const Mma *m) {
    const ChainForm *f = m->form;
    Text text = text_new(m->c->w.arena);
    for (int i = 0; i < f->count; i++) {
        const Fill fills[] = {{"NUMBER", number(m, i)},
                              {"STEPS", number(m, f->depth_steps[i])},
                              {"ROW_BYTES", number(m, 2 * f->depth_row[i])},
                              {"LEFT", left_slot(m, i)},
                              {"RIGHT", right_slot(m, i)},
                              {"MULTIPLY", product(f->scores[i])}};
        template_fill("cuda/chain_mma_scores.cu", fills, (int)(sizeof fills / sizeof *fills),
                      &text);
    }
    return text_get(&text);
}

static const char *multiply_weights(const Mma *m) {
    const ChainForm *f = m->form;
    Text text = text_new(m->c->w.arena);
    for (int i = 0; i < f->out_count; i++) {
        const Fill fills[] = {{"NUMBER", number(m, i)},
                              {"ROW_BYTES", number(m, 2 * f->column_row)},
                              {"RIGHT", values_slot(m, i)},
                              {"MULTIPLY", product(f->values[i])}};
        template_fill("cuda/chain_mma_results.cu", fills, (int)(sizeof fills / sizeof *fills),
                      &text);
    }
    return text_get(&text);
}

/* ---- pieces -----------------------------------------------------------------------------------
 */

/* "const int at_n = .., at_m = ..": where a weight is, as far as its text reads it. */
static const char *weight_at(const Mma *m, uint32_t axes) {
    static const struct {
        int axis;
        const char *at;
    } sides[] = {{ATTENTION_QUERY, "m_start + m_warp + 16 * i + 8 * half + own_row"},
                 {ATTENTION_KEY, "n_start + 8 * j + pair + part"}};
    Text text = text_new(m->c->w.arena);
    for (int i = 0; i < 2; i++) {
        const char *at = sides[i].at, *size = cuda_dim(m->c, extent(m, sides[i].axis));
        if (!attention_is_whole(&m->tiles, sides[i].axis, i ? m->c->tile.n : m->c->tile.m))
            at = arena_printf(m->c->w.arena, "%s < %s ? %s : %s - 1", at, size, at, size);
        text_str(&text, attention_position(&m->tiles, axes, sides[i].axis, at));
    }
    return text_get(&text);
}

static void add_weights(Mma *m, Fills *fills) {
    CudaWriter *c = m->c;
    const ChainForm *f = m->form;
    Arena *arena = c->w.arena;
    const bool whole = attention_is_whole(&m->tiles, ATTENTION_KEY, c->tile.n);
    const ChainWeights w = chain_weights(c, "[i][j][2 * half + part]");
    Text lines = text_new(arena), packs = text_new(arena);
    uint64_t reads = whole ? 0 : READS_N_START;
    if (w.axes >> ATTENTION_QUERY & 1) reads |= READS_M_START;
    if (w.axes >> ATTENTION_KEY & 1) reads |= READS_N_START;
    text_str(&lines, w.lines);
    for (int i = 0; i < f->out_count; i++) {
        const char *value = w.value[i];
        if (!whole)
            value = arena_printf(arena, "n_start + 8 * j + pair + part < %s ? %s : 0",
                                 cuda_dim(c, extent(m, ATTENTION_KEY)), value);
        text_printf(&lines, "two[%d][part] = %s;\n", i, value);
        text_printf(&packs, "weight[%d][i][j][half] = %s(two[%d][0], two[%d][1]);\n", i,
                    f->values[i] == T_F16 ? "to_f16x2" : "to_bf16x2", i, i);
    }
    const Fill made[] = {{"AT_TILE", attention_tile_at(c, "tile_n", reads)},
                         {"WEIGHT_AT", weight_at(m, w.axes)},
                         {"WEIGHTS", text_get(&lines)},
                         {"PACK_WEIGHTS", text_get(&packs)}};
    FILLS_ADD(arena, fills, made);
}

/* What reads a pair of neighbouring results. */
static void add_stores(Mma *m, Fills *fills) {
    CudaWriter *c = m->c;
    Text elements = text_new(c->w.arena);
    cuda_choose_pack(c, PIECE_RESULTS, 0, ATTENTION_COLUMN, PAIR, &m->tiles.alignments);
    cuda_begin_elements(c, &elements);
    chain_stores(c, "[i][piece][2 * half + part + l]");
    const Fill made[] = {
        {"STORES", cuda_end_elements(c, &elements)},
        {"VECTOR", number(m, c->vector)},
        {"IS_PARTIAL", attention_is_whole(&m->tiles, ATTENTION_COLUMN, 16) ? "" : "1"}};
    c->wide = false;
    FILLS_ADD(c->w.arena, fills, made);
}

/* ---- the kernel -------------------------------------------------------------------------------
 */

static void add_mask(const Mma *m, Fills *fills) {
    CudaWriter *c = m->c;
    const TileMask mask = tile_mask_chain(&c->w);
    const MaskText rows = tile_mask_rows(&c->w, &mask);
    const char *lines =
        arena_printf(c->w.arena, "%s%s", attention_tile_at(c, "tile_n", rows.reads), rows.text);
    const Fill made[] = {{"MASKED", mask.masked.text ? mask.masked.text : ""},
                         {"MASKED_AT", attention_tile_at(c, "tiles * tile_n", mask.masked.reads)},
                         {"MASK_ROWS", lines}};
    FILLS_ADD(c->w.arena, fills, made);
    attention_next_tile(c, fills);
}

static void add_sizes(const Mma *m, Fills *fills) {
    const ChainForm *f = m->form;
    CudaWriter *c = m->c;
    const Tile *t = &c->tile;
    const char *batch =
        arena_printf(c->w.arena, "const %s at_batch = blockIdx.x / grid_m;\n", c->index);
    if (dim_is(c->w.b->indices->dims, extent(m, ATTENTION_BATCH), 1)) batch = "";
    const char *sizes = arena_printf(
        c->w.arena,
        "constexpr int tile_m = %d, tile_n = %d, pieces_m = %d; /* rows, n; 16 rows */\n"
        "constexpr int column_steps = %d; /* of 16 elements */\n"
        "constexpr int left_bytes = %d, stage_bytes = %d; /* of operands in shared memory */\n",
        t->m, t->n, t->m / t->warps_m / 16, f->column_steps, tile_chain_left(f, t, f->count),
        tile_chain_values(f, t, f->out_count));
    const Fill made[] = {{"IDX", c->index},
                         {"SIZES", sizes},
                         {"AT_BATCH", batch},
                         {"ROWS_M", cuda_dim(c, extent(m, ATTENTION_QUERY))},
                         {"COUNT_N", cuda_dim(c, extent(m, ATTENTION_KEY))},
                         {"COLUMNS", cuda_dim(c, extent(m, ATTENTION_COLUMN))},
                         {"SCORES", number(m, f->count)},
                         {"OUTS", number(m, f->out_count)}};
    FILLS_ADD(c->w.arena, fills, made);
}

static void set_launch(Mma *m) {
    CudaKernel *k = m->tiles.k;
    const Tile *t = &m->c->tile;
    k->threads = t->threads;
    k->blocks = t->blocks;
    k->block_x = number(m, t->threads);
    k->shared = number(m, tile_chain_shared(m->form, t));
    k->grid = cuda_blocks(k->names, extent(m, ATTENTION_QUERY), t->m);
    if (!dim_is(m->c->w.b->indices->dims, extent(m, ATTENTION_BATCH), 1))
        k->grid =
            arena_printf(k->arena, "%s * %s", cuda_size(k, extent(m, ATTENTION_BATCH)), k->grid);
    k->how = arena_printf(k->arena,
                          "Tensor cores, %s products; %d threads of about %d registers for each %d "
                          "rows, %d columns of scores at a time",
                          dtype_name(m->form->scores[0]), t->threads,
                          tile_chain_registers(m->form, t), t->m, t->n);
}

void cuda_chain_mma(CudaKernel *k, CudaWriter *c, const ChainForm *form) {
    Mma m = {.tiles = {.k = k, .c = c}, .c = c, .form = form};
    Fills fills = {0};
    const Fill operands[] = {{"FETCH_LEFT", fetch_left(&m)}, {"FETCH_RIGHT", fetch_right(&m)}};
    FILLS_ADD(k->arena, &fills, operands);
    add_sizes(&m, &fills);
    add_stores(&m, &fills);
    add_mask(&m, &fills);
    add_weights(&m, &fills);
    const Fill products[] = {{"MULTIPLY_SCORES", multiply_scores(&m)},
                             {"MULTIPLY_WEIGHTS", multiply_weights(&m)}};
    FILLS_ADD(k->arena, &fills, products);
    set_launch(&m);
    cuda_function_wide(k, c, "cuda/chain_mma.cu", "tile", &m.tiles.alignments, fills.at,
                       fills.count);
}
