/* chain.c: chains of contractions as CUDA: operands evaluated while they are copied to shared
 * memory, scores and weights in registers, by templates/cuda/chain.cu or chain_mma.cu. In: Kernel
 * of family F_CHAIN. Out: text and launch. */
#include "emit/cuda/chain.h"

#include <string.h>

static const char *number(const CudaWriter *c, int64_t n) { return cuda_number(c->w.arena, n); }

/* ---- pieces -----------------------------------------------------------------------------------
 */

ChainWeights chain_weights(CudaWriter *c, const char *at) {
    Writer *w = &c->w;
    Text text = text_new(w->arena);
    ChainWeights made = {0};
    w->out = &text;
    const Piece *p = writer_piece(w, PIECE_WEIGHTS, 0, w->b->lane);
    for (int i = 0; i < p->given_count; i++)
        w->name[p->given[i]] = arena_printf(w->arena, "score[%d]%s", i, at);
    for (int i = 0; i < p->count; i++) declare_value(w, p->roots[i]);
    for (int i = 0; i < p->count; i++) made.value[i] = value_text(w, p->roots[i]);
    made.lines = text_get(&text);
    made.axes = axes_taken(w);
    return made;
}

void chain_stores(CudaWriter *c, const char *at) {
    Writer *w = &c->w;
    const Body *b = w->b;
    for (int i = 0; i < b->chain.out_count; i++)
        w->name[b->accs.at[b->chain.outs[i]].result] = arena_printf(w->arena, "out[%d]%s", i, at);
    for (int i = 0; i < b->stores.count; i++) declare_value(w, b->stores.at[i].value);
    for (int i = 0; i < b->stores.count; i++) cuda_store_element(w, i);
}

/* ---- by fused multiply-adds -------------------------------------------------------------------
 */

static const char *multiply_scores(CudaWriter *c) {
    const Body *b = c->w.b;
    const Tile *t = &c->tile;
    Text text = text_new(c->w.arena);
    for (int i = 0; i < b->chain.count; i++) {
        const Accumulator *a = &b->accs.at[b->chain.scores[i]];
        const int depth = b->chain.depth[i];
        const TileLoad left = {a->value, ATTENTION_QUERY, depth, "left_tile", "m_start", t->m};
        const TileLoad right = {a->index, ATTENTION_KEY, depth, "right_tile", "n_start", t->n};
        const Fill fills[] = {{"IDX", c->index},
                              {"NUMBER", number(c, i)},
                              {"DEPTH", cuda_dim(c, b->indices->extent[depth])},
                              {"STEP", number(c, t->k)},
                              {"ROWS", number(c, t->m / t->threads_m)},
                              {"COLS", number(c, t->n / t->threads_n)},
                              {"load_left", attention_load_tile(c, left)},
                              {"load_right", attention_load_tile(c, right)}};
        template_fill("cuda/chain_scores.cu", fills, (int)(sizeof fills / sizeof *fills), &text);
    }
    return text_get(&text);
}

static const char *multiply_weights(CudaWriter *c) {
    const Body *b = c->w.b;
    const Tile *t = &c->tile;
    Text text = text_new(c->w.arena);
    for (int i = 0; i < b->chain.out_count; i++) {
        const TileLoad v = {b->accs.at[b->chain.outs[i]].index,
                            ATTENTION_COLUMN,
                            ATTENTION_KEY,
                            "v_tile",
                            "c_start",
                            t->columns};
        const Fill fills[] = {{"IDX", c->index},
                              {"NUMBER", number(c, i)},
                              {"STEP", number(c, t->k)},
                              {"ROWS", number(c, t->m / t->threads_m)},
                              {"COLS", number(c, t->n / t->threads_n)},
                              {"CHUNKS", number(c, t->columns / t->n)},
                              {"load_v", attention_load_tile(c, v)}};
        template_fill("cuda/chain_results.cu", fills, (int)(sizeof fills / sizeof *fills), &text);
    }
    return text_get(&text);
}

static void add_weights(CudaWriter *c, Fills *fills) {
    Text text = text_new(c->w.arena);
    const ChainWeights w = chain_weights(c, "[i][j]");
    const int outs = c->w.b->chain.out_count;
    text_str(&text, w.lines);
    for (int i = 0; i < outs; i++)
        text_printf(&text, "const float weight_%d = is_inside ? %s : 0;\n", i, w.value[i]);
    for (int i = 0; i < outs; i++) text_printf(&text, "score[%d][i][j] = weight_%d;\n", i, i);
    const AttentionPiece at = {"", "", w.axes};
    const Fill made[] = {{"at_row", attention_clamped(c, ATTENTION_QUERY, "m_start + ty + i", at)},
                         {"at_n", attention_clamped(c, ATTENTION_KEY, "n_start + tx + j", at)},
                         {"weights", text_get(&text)}};
    FILLS_ADD(c->w.arena, fills, made);
}

static const char *stores(CudaWriter *c) {
    Text text = text_new(c->w.arena);
    c->w.out = &text;
    writer_piece(&c->w, PIECE_RESULTS, 0, c->w.b->lane);
    chain_stores(c, "[chunk][i][j]");
    return text_get(&text);
}

static void add_sizes(const CudaWriter *c, Fills *fills) {
    const ChainValues *v = &c->w.b->chain;
    const Fill made[] = {{"ROWS_M", cuda_dim(c, c->w.b->indices->extent[ATTENTION_QUERY])},
                         {"COUNT_N", cuda_dim(c, c->w.b->indices->extent[ATTENTION_KEY])},
                         {"OUTS", number(c, v->out_count)},
                         {"SCORES", number(c, v->count > v->out_count ? v->count : v->out_count)}};
    FILLS_ADD(c->w.arena, fills, made);
}

static void by_fma(CudaKernel *k, CudaWriter *c) {
    Fills fills = {0};
    add_sizes(c, &fills);
    attention_fma_sizes(c, &fills);
    attention_fma_mask(c, tile_mask_chain(&c->w), &fills);
    add_weights(c, &fills);
    const Fill own[] = {
        {"scores", multiply_scores(c)}, {"results", multiply_weights(c)}, {"stores", stores(c)}};
    FILLS_ADD(c->w.arena, &fills, own);
    attention_fma_launch(k, c);
    cuda_function(k, c, "cuda/chain.cu", "", false, fills.at, fills.count);
}

/* Why tensor cores are not used for operand types that they support, and what would help. */
static void remark(const CudaKernel *k, const Body *b, const ChainForm *f) {
    const Graph *g = k->k->g;
    const Value *out = &b->values.at[b->accs.at[b->chain.outs[0]].result];
    const char *why =
        arena_printf(k->arena, "they need sm_80 or later, and this is sm_%d", k->gpu->sm);
    if (!f->is_narrow) return;
    if (f->long_axis)
        why = arena_printf(k->arena, "a depth or number of columns, %s, is open or more than %d",
                           dim_text(g->dims, b->indices->extent[f->long_axis], k->arena),
                           ATTENTION_LONGEST);
    else if (machine_has_mma(k->gpu))
        why = arena_printf(k->arena, "its results have more than %d columns together",
                           ATTENTION_LONGEST);
    diag_remark(g->diag, g->node[out->node].span, "a chain of products without tensor cores: %s",
                why);
}

void cuda_chain(CudaKernel *k) {
    ChainForm form;
    CudaWriter c = attention_writer(k);
    if (chain_form(c.w.b, k->gpu, &form)) {
        (c.tile.kind == TILE_CHAIN_WGMMA ? cuda_chain_wgmma : cuda_chain_mma)(k, &c, &form);
        return;
    }
    remark(k, c.w.b, &form);
    by_fma(k, &c);
}
