/* attention.c: attentions as CUDA: operands evaluated while they are copied to shared memory,
 * scores and weights in registers, by templates/cuda/attention.cu.
 * In: Kernel of family F_ATTENTION. Out: text and launch. */
#include "emit/cuda/attention.h"

/* ---- operands ------------------------------------------------------------------------------- */

FmaMove attention_load_tile(CudaKernel *k, CudaWriter *c, FmaOperand o, Alignments *needed) {
    const Body *b = c->w.b;
    o.thread = fma_waits(b, &c->tile) ? "renewed(thread)" : "thread";
    o.inside = "";
    if (!cuda_is_whole(c, o.summed, c->tile.k))
        o.inside = arena_printf(c->w.arena, "k_start + kk < %s",
                                cuda_dim(c, b->indices->extent[o.summed]));
    const FmaMove move = fma_move(k, c, &o, needed);
    c->wide = false;
    c->vector = 1;
    return move;
}

const char *attention_clamped(CudaWriter *c, int axis, const char *at, AttentionPiece piece) {
    const char *name = c->w.axis_name[axis], *n = cuda_dim(c, c->w.b->indices->extent[axis]);
    if (!(piece.axes >> axis & 1)) return "";
    if (cuda_is_whole(c, axis, axis == ATTENTION_QUERY ? c->tile.m : c->tile.n))
        return arena_printf(c->w.arena, "const %s %s = %s;\n", c->index, name, at);
    return arena_printf(c->w.arena, "const %s %s = %s < %s ? %s : %s - 1;\n", c->index, name, at, n,
                        at, n);
}

/* ---- the kernel ----------------------------------------------------------------------------- */

CudaWriter attention_writer(CudaKernel *k) {
    CudaWriter c = cuda_writer(k, 0);
    static const char *const names[] = {"at_batch", "at_m",  "at_n", "at_k",
                                        "at_c",     "at_k1", "at_k2"};
    for (int i = 0; i < ATTENTION_AXES + CHAIN_SCORES - 1; i++) c.w.axis_name[i] = names[i];
    c.vector = 1;
    cuda_choose_index(&c, body_is_32bit(c.w.b));
    return c;
}

/* Is all of a depth one step? Then the compiler has no loop that keeps loads apart, and no barrier
 * between steps. */
static bool has_short_depth(const CudaWriter *c) {
    const Body *b = c->w.b;
    const int scores = b->chain.count ? b->chain.count : 1;
    for (int i = 0; i < scores; i++) {
        const int axis = b->chain.count ? b->chain.depth[i] : ATTENTION_DEPTH;
        int64_t depth;
        if (dim_is_const(b->indices->dims, b->indices->extent[axis], &depth) && depth <= c->tile.k)
            return true;
    }
    return false;
}

const char *attention_fma_products(const CudaWriter *c, int columns) {
    enum { UNROLL = 4 }; /* operands that are loaded ahead take registers */
    const Tile *t = &c->tile;
    const char *ahead = "";
    if (has_short_depth(c))
        ahead = arena_printf(c->w.arena, ", %d, false", UNROLL);
    else if (fma_waits(c->w.b, t))
        ahead = arena_printf(c->w.arena, ", %d", UNROLL);
    return arena_printf(c->w.arena, "Products<%d, %d, %d, %d, %d%s>", t->k, t->threads_m,
                        t->threads_n, t->m / t->threads_m, columns / t->threads_n, ahead);
}

void attention_fma_sizes(const CudaKernel *k, const CudaWriter *c, Fills *fills) {
    const Dim *extent = c->w.b->indices->extent;
    const Tile *t = &c->tile;
    Arena *arena = c->w.arena;
    const int widest = t->n > t->columns ? t->n : t->columns;
    const Fill made[] = {
        {"RAGGED_M", cuda_is_whole(c, ATTENTION_QUERY, t->m) ? "" : "1"},
        {"RAGGED_COLUMNS", cuda_is_whole(c, ATTENTION_COLUMN, t->columns) ? "" : "1"},
        {"IDX", c->index},
        {"TO_IDX", c->to_index},
        {"TO_INT", c->to_int},
        {"QUERIES", cuda_dim(c, extent[ATTENTION_QUERY])},
        {"KEYS", cuda_dim(c, extent[ATTENTION_KEY])},
        {"DEPTH", cuda_dim(c, extent[ATTENTION_DEPTH])},
        {"COLUMNS", cuda_dim(c, extent[ATTENTION_COLUMN])},
        {"TILE_M", cuda_number(arena, t->m)},
        {"TILE_N", cuda_number(arena, t->n)},
        {"STEP", cuda_number(arena, t->k)},
        {"PRODUCTS_OF_SCORES", attention_fma_products(c, t->n)},
        {"PRODUCTS_OF_RESULTS", attention_fma_products(c, t->columns)},
        {"ROWS", cuda_number(arena, t->m / t->threads_m)},
        {"COLS", cuda_number(arena, t->n / t->threads_n)},
        {"THREADS_M", cuda_number(arena, t->threads_m)},
        {"THREADS_N", cuda_number(arena, t->threads_n)},
        {"RESULTS", cuda_number(arena, t->columns / t->threads_n)},
        {"Q_ITEMS", cuda_number(arena, fma_items(t, t->m))},
        {"LEFT_ROWS", cuda_number(arena, fma_left_rows(c->w.b, k->gpu, t))},
        {"KV_ITEMS", cuda_number(arena, fma_items(t, widest))},
        {"WIDTH", cuda_number(arena, t->columns)}};
    FILLS_ADD(arena, fills, made);
}

void attention_fma_mask(const CudaKernel *k, CudaWriter *c, TileMask mask, Fills *fills) {
    const MaskText rows = tile_mask_rows(&c->w, mask.masked.reads);
    const uint64_t reads = rows.reads | mask.masked.reads;
    const uint64_t of_keys = mask.masked.reads & (READS_N_START | READS_N_LAST);
    const Fill made[] = {{"MASKED", mask.masked.text ? mask.masked.text : ""},
                         {"MASKED_AT", attention_tile_at(c, "tiles * tile_n", of_keys)},
                         {"MASK_ROWS", rows.text},
                         {"M_LAST", reads & READS_M_LAST ? "1" : ""}};
    FILLS_ADD(c->w.arena, fills, made);
    attention_fma_order(k, c, &mask.masked, fills);
    attention_next_tile(c, &mask.masked, true, fills);
}

/* From scores to weights, and what is stored. */
static void add_pieces(CudaWriter *c, const AttentionValues *p, Fills *fills) {
    AttentionPiece x = attention_score(c, PIECE_SCORES, "score[i][j]", NULL, 0),
                   shift = attention_shift(c);
    AttentionPiece exponent = attention_exponent(c, 1), weight = attention_weight(c);
    const AttentionStores rows = attention_stores(c, p, PIECE_ROWS, "out[i][j]");
    const AttentionStores finish = attention_stores(c, p, PIECE_RESULTS, "out[i][j]");
    AttentionPiece both = x;
    both.axes |= weight.axes;
    const char *const whole = cuda_is_whole(c, ATTENTION_KEY, c->tile.n) ? "1" : "";
    const Fill made[] = {
        {"WHOLE_N", whole},
        {"RAGGED_N", *whole ? "" : "1"},
        {"at_query", attention_clamped(c, ATTENTION_QUERY, "m_start + query_of(i)", both)},
        {"at_key", attention_clamped(c, ATTENTION_KEY, "n_start + key_of(j)", x)},
        {"score_lines", x.lines},
        {"SCORE", x.value},
        {"shift_lines", shift.lines},
        {"SHIFT", shift.value},
        {"LEAST_MAX", float_text(c->w.arena, attention_masked_below(c), true)},
        {"exponent_lines", exponent.lines},
        {"EXPONENT", exponent.value},
        {"weight_at_key", attention_clamped(c, ATTENTION_KEY, "n_start + key_of(j)", weight)},
        {"weight_lines", weight.lines},
        {"WEIGHT", weight.value},
        {"row_stores", rows.text},
        {"row_values",
         attention_row_values(c, &rows, &finish, "row_sum[i]", "row_max[i]", c->tile.threads_n)},
        {"stores", finish.text}};
    FILLS_ADD(c->w.arena, fills, made);
}

/* Adds to the condition under which packs are aligned. */
static void add_operands(CudaKernel *kernel, CudaWriter *c, const AttentionValues *p,
                         Alignments *needed, Fills *fills) {
    const Body *b = c->w.b;
    const Accumulator *scores = &b->accs.at[p->scores], *out = &b->accs.at[p->out];
    const FmaMove q = attention_load_tile(kernel, c,
                                          (FmaOperand){.value = scores->value,
                                                       .own = ATTENTION_QUERY,
                                                       .side = c->tile.m,
                                                       .start = "m_start",
                                                       .summed = ATTENTION_DEPTH,
                                                       .part = "q_part",
                                                       .tile = "q_step"},
                                          needed);
    const FmaMove k = attention_load_tile(kernel, c,
                                          (FmaOperand){.value = scores->index,
                                                       .own = ATTENTION_KEY,
                                                       .side = c->tile.n,
                                                       .start = "n_start",
                                                       .summed = ATTENTION_DEPTH,
                                                       .part = "kv_part",
                                                       .tile = "kv_tile"},
                                          needed);
    const FmaMove v = attention_load_tile(kernel, c,
                                          (FmaOperand){.value = out->index,
                                                       .own = ATTENTION_COLUMN,
                                                       .side = c->tile.columns,
                                                       .start = "c_start",
                                                       .summed = ATTENTION_KEY,
                                                       .part = "kv_part",
                                                       .tile = "kv_tile"},
                                          needed);
    const bool whole = fma_keeps_left(b, kernel->gpu, &c->tile);
    const Fill made[] = {{"PACKS", q.has_packs || k.has_packs || v.has_packs ? "1" : ""},
                         {"WHOLE_DEPTH", whole ? "1" : ""},
                         {"BY_STEPS", whole ? "" : "1"},
                         {"Q_STEP", whole ? "q_tile + k_start" : "q_tile + slot"},
                         {"load_q", q.fetch},
                         {"load_k", k.fetch},
                         {"load_v", v.fetch},
                         {"keep_q", q.keep},
                         {"keep_k", k.keep},
                         {"keep_v", v.keep}};
    FILLS_ADD(c->w.arena, fills, made);
}

void attention_fma_launch(CudaKernel *k, const CudaWriter *c) {
    const Dim *extent = c->w.b->indices->extent;
    const Tile *t = &c->tile;
    cuda_shared(k, 1, tile_attention_fma_shared(c->w.b, k->gpu, t), "operands and weights");
    k->threads = t->threads;
    k->blocks = t->blocks;
    k->block_x = cuda_number(k->arena, t->threads);
    k->grid = cuda_times(k->arena, cuda_blocks(k->names, extent[ATTENTION_QUERY], t->m),
                         cuda_blocks(k->names, extent[ATTENTION_COLUMN], t->columns));
    k->grid = cuda_times(k->arena, cuda_size(k, extent[ATTENTION_BATCH]), k->grid);
    k->how = arena_printf(k->arena, "%d threads for each %d queries and %d columns", t->threads,
                          t->m, t->columns);
}

static void by_fma(CudaKernel *k, CudaWriter *c, const AttentionValues *p, const char *why) {
    Fills fills = {0};
    Alignments needed = {0};
    attention_fma_sizes(k, c, &fills);
    attention_fma_mask(k, c, tile_mask(&c->w, p->x), &fills);
    add_pieces(c, p, &fills);
    add_operands(k, c, p, &needed, &fills);
    attention_fma_launch(k, c);
    if (why) k->how = arena_printf(k->arena, "%s; without tensor cores: %s", k->how, why);
    fma_function(k, c, "cuda/attention.cu", &needed, &fills);
}

/* Why tensor cores are not used for operand types that they support, and what would help; NULL:
 * they do not support them. */
static const char *remark(const CudaKernel *k, const Body *b, const AttentionForm *f) {
    const Graph *g = k->k->g;
    const Value *out = &b->values.at[b->accs.at[f->attention.out].result];
    const char *why =
        arena_printf(k->arena, "they need sm_80 or later, and this is sm_%d", k->gpu->sm);
    if (!f->has_mma_types) return NULL;
    if (f->long_axis) {
        Dim extent = b->indices->extent[f->long_axis];
        int64_t known;
        const char *which = f->long_axis == ATTENTION_DEPTH ? "depth" : "number of value columns";
        const char *how =
            dim_is_const(g->dims, extent, &known) ? "more than" : "open, not a number up to";
        why = arena_printf(k->arena, "its %s, %s, is %s %d", which,
                           dim_text(g->dims, extent, k->arena), how, f->longest);
    }
    diag_remark(g->diag, g->node[out->node].span, "attention without tensor cores: %s", why);
    return why;
}

/* Why wgmma is not used, if a change of the model would help. */
static void remark_warps(const CudaKernel *k, const Body *b, const AttentionForm *f) {
    const Graph *g = k->k->g;
    const Value *out = &b->values.at[b->accs.at[f->attention.out].result];
    if (k->gpu->wgmma && f->layout_obstacle)
        diag_remark(g->diag, g->node[out->node].span, "attention without wgmma: %s", f->no_wgmma);
}

void cuda_attention(CudaKernel *k) {
    AttentionForm form;
    CudaWriter c = attention_writer(k);
    if (attention_form(k->k, c.w.b, k->gpu, &form)) {
        remark_warps(k, c.w.b, &form);
        if (c.tile.kind == TILE_ATTENTION_MMA)
            cuda_attention_mma(k, &c, &form);
        else
            cuda_attention_wgmma(k, &c, &form);
    } else {
        by_fma(k, &c, &form.attention, remark(k, c.w.b, &form));
    }
}
