/* chain_mma.c: chains of contractions by mma.sync, through templates/cuda/chain_mma.cu: where
 * operands are in shared memory, and the products. In: Kernel of family F_CHAIN, its ChainForm.
 * Out: text and launch. */
#include "emit/cuda/chain.h"

typedef ChainTiles Mma;

static const char *number(const Mma *m, int64_t n) { return cuda_number(m->c->w.arena, n); }

static const char *product(const ChainForm *f, Dtype type) {
    if (f->f32_products == MULTIPLY_TF32) return "mma_tf32";
    return type == T_F16 ? "mma_f16" : "mma_bf16";
}

static const F32Text *f32_text(const Mma *m) { return attention_f32_text(m->form->f32_products); }

/* ---- operands -------------------------------------------------------------------------------- */

static const char *left_slot(const Mma *m, int score) {
    return chain_slot(m, "left", tile_chain_left(m->form, &m->c->tile, score));
}

static const char *right_slot(const Mma *m, int score) {
    return chain_slot(m, "slots", tile_chain_right(m->form, &m->c->tile, score));
}

static const char *values_slot(const Mma *m, int out) {
    return chain_slot(m, "slots", tile_chain_values(m->form, &m->c->tile, out));
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

/* Operands of f32, in shared memory, become what tensor cores multiply. */
static void settle(const Mma *m, int row, const char *rows, const char *slot, Text *text) {
    if (!*f32_text(m)->settle) return;
    text_printf(text, "%s<%d, %s, %d>(%s, renewed(thread));\n", f32_text(m)->settle,
                chain_element_size(m->form) * row, rows, m->c->tile.threads, slot);
}

static void add_f32(const Mma *m, Fills *fills) {
    const ChainForm *f = m->form;
    Text left = text_new(m->c->w.arena), right = text_new(m->c->w.arena);
    for (int i = 0; i < f->count; i++) {
        settle(m, f->depth_row[i], "tile_m", left_slot(m, i), &left);
        settle(m, f->depth_row[i], "tile_n", right_slot(m, i), &right);
    }
    for (int i = 0; i < f->out_count; i++)
        if (f->right_of[i] < 0) settle(m, f->column_row, "tile_n", values_slot(m, i), &right);
    const Fill made[] = {{"SETTLES", f32_text(m)->settle},
                         {"WEIGHT_TYPE", f->f32_products ? "float" : "unsigned"},
                         {"WEIGHT_WORDS", f->f32_products ? "4" : "2"},
                         {"APPROXIMATE", *f32_text(m)->rows ? "" : "1"},
                         {"SETTLE_LEFT", text_get(&left)},
                         {"SETTLE_RIGHT", text_get(&right)}};
    FILLS_ADD(m->c->w.arena, fills, made);
}

static const char *multiply_scores(const Mma *m) {
    const ChainForm *f = m->form;
    Text text = text_new(m->c->w.arena);
    for (int i = 0; i < f->count; i++) {
        const int row = chain_element_size(f) * f->depth_row[i];
        const int each = f->f32_products == MULTIPLY_TF32 ? 2 : 1; /* instructions of a step */
        if (*f32_text(m)->rows) {
            text_printf(&text, "%s<%d, %d>(score[%d], %s, m_warp, %s, 0, here);\n",
                        f32_text(m)->rows, f->depth_steps[i], row, i, left_slot(m, i),
                        right_slot(m, i));
            continue;
        }
        const Fill fills[] = {
            {"NUMBER", number(m, i)},      {"STEPS", number(m, each * f->depth_steps[i])},
            {"ROW_BYTES", number(m, row)}, {"LEFT", left_slot(m, i)},
            {"RIGHT", right_slot(m, i)},   {"MULTIPLY", product(f, f->scores[i])}};
        TEMPLATE_FILL("cuda/chain_mma_scores.cu", fills, &text);
    }
    return text_get(&text);
}

static const char *multiply_weights(const Mma *m) {
    const ChainForm *f = m->form;
    Text text = text_new(m->c->w.arena);
    for (int i = 0; i < f->out_count; i++) {
        if (f->f32_products) {
            text_printf(&text, "%s<%d>(out[%d], weight[%d], %s, 0, here);\n", f32_text(m)->columns,
                        chain_element_size(f) * f->column_row, i, i, values_slot(m, i));
            continue;
        }
        const Fill fills[] = {{"NUMBER", number(m, i)},
                              {"ROW_BYTES", number(m, 2 * f->column_row)},
                              {"RIGHT", values_slot(m, i)},
                              {"MULTIPLY", product(f, f->values[i])}};
        TEMPLATE_FILL("cuda/chain_mma_results.cu", fills, &text);
    }
    return text_get(&text);
}

/* ---- the result of n rows -------------------------------------------------------------------- */

/* Steps of 16 columns that a warp multiplies at a time: as many as leave work for every warp. */
static int across_steps(const Mma *m) {
    enum { MOST = 4 };
    const Tile *t = &m->c->tile;
    const int all = m->form->column_steps;
    for (int steps = MOST; steps > 1; steps--)
        if (all % steps == 0 && t->n / 16 * (all / steps) >= t->warps_m) return steps;
    return 1;
}

static const char *add_across(Mma *m) {
    const ChainForm *f = m->form;
    Text text = text_new(m->c->w.arena);
    if (!f->has_across) return "";
    const Fill fills[] = {{"IDX", m->c->index},
                          {"TO_IDX", m->c->to_index},
                          {"NUMBER", number(m, f->across_weights)},
                          {"ROW_BYTES", number(m, tile_chain_across_row(&m->c->tile))},
                          {"LEFT", left_slot(m, f->across_left)},
                          {"LEFT_BYTES", number(m, 2 * f->depth_row[f->across_left])},
                          {"STEPS", number(m, across_steps(m))},
                          {"COUNT_N", cuda_dim(m->c, m->c->w.b->indices->extent[ATTENTION_KEY])},
                          {"MULTIPLY", product(f, f->values[f->across_weights])},
                          {"ADD", chain_add_across(m)}};
    TEMPLATE_FILL("cuda/chain_mma_across.cu", fills, &text);
    return text_get(&text);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static const char *sizes(const Mma *m) {
    const ChainForm *f = m->form;
    const Tile *t = &m->c->tile;
    return arena_printf(
        m->c->w.arena,
        "constexpr int tile_m = %d, tile_n = %d, pieces_m = %d; /* rows, n; 16 rows */\n"
        "constexpr int column_steps = %d; /* of 16 elements */\n"
        "constexpr int left_bytes = %d, stage_bytes = %d; /* of operands in shared memory */\n",
        t->m, t->n, t->m / t->warps_m / 16, f->column_steps, tile_chain_left(f, t, f->count),
        tile_chain_values(f, t, f->out_count));
}

static const char *products_name(const Mma *m) {
    return m->form->f32_products ? f32_text(m)->products : dtype_name(m->form->scores[0]);
}

static const char *how(const Mma *m) {
    const Tile *t = &m->c->tile;
    return arena_printf(m->c->w.arena,
                        "Tensor cores, %s products; %d threads of about %d registers for each %d "
                        "rows, %d columns of scores at a time",
                        products_name(m), t->threads, tile_chain_registers(m->form, t), t->m, t->n);
}

void cuda_chain_mma(CudaKernel *k, CudaWriter *c, const ChainForm *form) {
    static const ChainNames names = {
        .score = "[i][j][2 * half + part]",
        .row = "m_start + m_warp + 16 * i + 8 * half + own_row",
        .column = "n_start + 8 * j + pair + part",
        .weight = "[i][j][half]",
        .out = "[i][piece][2 * half + part + l]",
    };
    Mma m = {.tiles = {.k = k, .c = c}, .c = c, .form = form};
    Fills fills = {0};
    const Fill operands[] = {{"FETCH_LEFT", fetch_left(&m)}, {"FETCH_RIGHT", fetch_right(&m)}};
    FILLS_ADD(k->arena, &fills, operands);
    chain_fills(&m, &names, &fills);
    add_f32(&m, &fills);
    const Fill own[] = {{"SIZES", sizes(&m)},
                        {"MULTIPLY_SCORES", multiply_scores(&m)},
                        {"ACROSS", form->has_across ? "1" : ""},
                        {"ADD_ACROSS", add_across(&m)},
                        {"MULTIPLY_WEIGHTS", multiply_weights(&m)}};
    FILLS_ADD(k->arena, &fills, own);
    chain_launch(&m, how(&m));
    cuda_function_wide(k, c, "cuda/chain_mma.cu", "tile", &m.tiles.alignments, fills.at,
                       fills.count);
}
