/* chain.c: chains of contractions as CUDA: operands evaluated while they are copied to shared
 * memory, scores and weights in registers, by templates/cuda/chain.cu or chain_mma.cu. In: Kernel
 * of family F_CHAIN. Out: text and launch. */
#include "emit/cuda/chain.h"

static const char *number(const CudaWriter *c, int64_t n) { return cuda_number(c->w.arena, n); }

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Starts a piece of what has these names. */
static const Piece *start(CudaWriter *c, PieceRole role, int operand, const char *const *given,
                          Text *text) {
    Writer *w = &c->w;
    *text = text_new(w->arena);
    w->out = text;
    const Piece *p = writer_piece(w, role, operand, w->b->lane);
    const int names = p->given_count - (operand ? 1 : 0); /* the last one is the mask */
    for (int i = 0; i < names; i++) w->name[p->given[i]] = given[i];
    return p;
}

static ChainWeights weights_of(CudaWriter *c, const Piece *p, const Text *text) {
    Writer *w = &c->w;
    ChainWeights made = {0};
    for (int i = 0; i < p->count; i++) declare_value(w, p->roots[i]);
    for (int i = 0; i < p->count; i++) made.value[i] = value_text(w, p->roots[i]);
    made.lines = text_get(text);
    made.axes = axes_taken(w);
    return made;
}

ChainWeights chain_weights(CudaWriter *c, PieceRole role, const char *const *given) {
    Text text;
    const Piece *p = start(c, role, 0, given, &text);
    return weights_of(c, p, &text);
}

ChainWeights chain_clear_weights(CudaWriter *c, PieceRole role, const char *const *given,
                                 int mask) {
    Text before, text;
    const Piece *p = start(c, PIECE_UNMASKED, 0, given, &before);
    declare_value(&c->w, p->roots[0]);
    const char *unmasked = value_text(&c->w, p->roots[0]);
    const uint32_t axes = axes_taken(&c->w);
    p = start(c, role, mask, given, &text);
    text_printf(&text, "%sconst float unmasked = %s;\n", text_get(&before), unmasked);
    c->w.name[mask] = "unmasked";
    ChainWeights made = weights_of(c, p, &text);
    made.axes |= axes;
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

/* ---- by fused multiply-adds ------------------------------------------------------------------ */

/* The call that fetches the first step of product `i` of a walk along n: scores, then results. */
static const char *first_fetch(const CudaWriter *c, int i, const char *n_start) {
    const int scores = c->w.b->chain.count;
    return i < scores ? arena_printf(c->w.arena, "fetch_score_%d(%s, 0)", i, n_start)
                      : arena_printf(c->w.arena, "fetch_value_%d(%s)", i - scores, n_start);
}

/* The same for the product after `i`; after the last one the next tile begins. */
static const char *next_fetch(const CudaWriter *c, int i) {
    const ChainValues *chain = &c->w.b->chain;
    if (i + 1 < chain->count + chain->out_count) return first_fetch(c, i + 1, "n_start");
    const char *start = arena_printf(c->w.arena, "%sn_tile * tile_n", c->to_index);
    return arena_printf(c->w.arena, "if (n_tile < grid_n) %s", first_fetch(c, 0, start));
}

static void add_common(CudaWriter *c, int product, const char *fetch, Fills *fills) {
    const Tile *t = &c->tile;
    const int columns = product < c->w.b->chain.count ? t->n : t->columns;
    const Fill made[] = {{"IDX", c->index},
                         {"TO_INT", c->to_int},
                         {"STEP", number(c, t->k)},
                         {"PRODUCTS", arena_printf(c->w.arena, "products_%d", product)},
                         {"TYPE", attention_fma_products(c, columns)},
                         {"THREADS_M", number(c, t->threads_m)},
                         {"THREADS_N", number(c, t->threads_n)},
                         {"FETCH", fetch},
                         {"NEXT", next_fetch(c, product)}};
    FILLS_ADD(c->w.arena, fills, made);
}

static const char *weight_tile(const CudaWriter *c, int i) {
    return cuda_behind(c->w.arena, "weight_tile", i * c->tile.n);
}

/* Adds the statements that bring all of the left operand, its rows from `row` on. */
static void keep_left(const CudaWriter *c, const FmaMove *left, int depth, int row, Text *kept) {
    text_printf(kept,
                "#pragma unroll 1\nfor (%s k_start = 0; k_start < %s; k_start += %d) {\n"
                "    float (*const left_step)[pitch_m] = %s + k_start;\n",
                c->index, cuda_dim(c, c->w.b->indices->extent[depth]), c->tile.k,
                cuda_behind(c->w.arena, "left_tile", row));
    text_indented(kept, left->fetch, 4);
    text_indented(kept, left->keep, 4);
    text_str(kept, "}\n");
}

/* The text of the products so far. */
typedef struct Products {
    CudaKernel *k;
    CudaWriter *c;
    Alignments *needed;
    bool has_packs;
    Text fetches, scores, results;
} Products;

static FmaMove load(Products *p, FmaOperand o) {
    const FmaMove move = attention_load_tile(p->k, p->c, o, p->needed);
    p->has_packs = p->has_packs || move.has_packs;
    return move;
}

/* Adds the function that fetches a step of both operands, of the right one if the left one is
 * `kept`, and the product. */
static void multiply_score(Products *p, int i, Text *kept) {
    CudaWriter *c = p->c;
    const Body *b = c->w.b;
    const Accumulator *a = &b->accs.at[b->chain.scores[i]];
    const int depth = b->chain.depth[i];
    const char *fetch = arena_printf(c->w.arena, "fetch_score_%d", i);
    const FmaMove left = load(p, (FmaOperand){.value = a->value,
                                              .own = ATTENTION_QUERY,
                                              .side = c->tile.m,
                                              .start = "m_start",
                                              .summed = depth,
                                              .part = "left_part",
                                              .tile = "left_step"});
    const FmaMove right = load(p, (FmaOperand){.value = a->index,
                                               .own = ATTENTION_KEY,
                                               .side = c->tile.n,
                                               .start = "n_start",
                                               .summed = depth,
                                               .part = "right_part",
                                               .tile = "right_tile"});
    text_printf(&p->fetches, "const auto %s = [&](%s n_start, %s k_start) {\n%s%s};\n", fetch,
                c->index, c->index, kept ? "" : left.fetch, right.fetch);
    const int row = kept ? fma_left_row(b, &c->tile, i) : 0;
    if (kept) keep_left(c, &left, depth, row, kept);
    const bool waits = fma_waits(b, &c->tile);
    Fills fills = {0};
    add_common(c, i, fetch, &fills);
    const Fill own[] = {
        {"DEPTH", cuda_dim(c, b->indices->extent[depth])},
        {"ROWS", number(c, c->tile.m / c->tile.threads_m)},
        {"COLS", number(c, c->tile.n / c->tile.threads_n)},
        {"NUMBER", number(c, waits ? 0 : i)},
        {"AGAIN", waits && i ? "1" : ""},
        {"WAITS", waits && i + 1 < b->chain.count ? weight_tile(c, i) : ""},
        {"LEFT", arena_printf(c->w.arena, "%s + %s", cuda_behind(c->w.arena, "left_tile", row),
                              kept ? "k_start" : "slot")},
        {"keep_left", kept ? "" : left.keep},
        {"keep_right", right.keep}};
    FILLS_ADD(c->w.arena, &fills, own);
    template_fill("cuda/chain_scores.cu", fills.at, fills.count, &p->scores);
}

/* Adds the product of all m of a tile with the transposed weights of result i, which are in `tile`.
 */
static void multiply_across(const CudaKernel *k, CudaWriter *c, const char *tile, Text *products) {
    const Body *b = c->w.b;
    const AcrossValues *a = &b->chain.across;
    const Tile *t = &c->tile;
    const int each = t->columns / t->threads_m, part = each >= 4 ? 4 : each >= 2 ? 2 : 1;
    const char *to = arena_printf(c->w.arena, "%s + %s", buffer_name(&c->w, a->buffer),
                                  index_text(&c->w, a->ix));
    const bool whole = cuda_is_whole(c, ATTENTION_COLUMN, part);
    axes_taken(&c->w);
    const Fill fills[] = {
        {"IDX", c->index},
        {"TO_INT", c->to_int},
        {"PART", number(c, part)},
        {"COLS", number(c, t->n / t->threads_n)},
        {"THREADS_M", number(c, t->threads_m)},
        {"THREADS_N", number(c, t->threads_n)},
        {"WEIGHTS", tile},
        {"LEFT", cuda_behind(c->w.arena, "left_tile", fma_left_row(b, t, a->left))},
        {"COUNT_N", cuda_dim(c, b->indices->extent[ATTENTION_KEY])},
        {"COLUMNS", cuda_dim(c, b->indices->extent[ATTENTION_COLUMN])},
        {"TO", to},
        {"WHOLE", whole ? "1" : ""},
        {"PARTIAL", whole ? "" : "1"},
        {"ADD", k->gpu->wgmma ? "add_pack" : "add_each"}};
    TEMPLATE_FILL("cuda/chain_across.cu", fills, products);
}

static void multiply_weights(Products *p, int i) {
    CudaWriter *c = p->c;
    const Body *b = c->w.b;
    const char *fetch = arena_printf(c->w.arena, "fetch_value_%d", i);
    const FmaMove v = load(p, (FmaOperand){.value = b->accs.at[b->chain.outs[i]].index,
                                           .own = ATTENTION_COLUMN,
                                           .side = c->tile.columns,
                                           .start = "c_start",
                                           .summed = ATTENTION_KEY,
                                           .part = "right_part",
                                           .tile = "right_tile"});
    text_printf(&p->fetches, "const auto %s = [&](%s k_start) {\n%s};\n", fetch, c->index, v.fetch);
    Fills fills = {0};
    const bool waits = fma_waits(b, &c->tile),
               stores = !waits || i == fma_weight_tiles(b, &c->tile);
    const char *tile = weight_tile(c, stores ? 0 : i);
    add_common(c, b->chain.count + i, fetch, &fills);
    const Fill own[] = {{"NUMBER", number(c, i)},
                        {"keep_v", v.keep},
                        {"AGAIN", stores && i ? "1" : ""},
                        {"STORES", stores ? number(c, waits ? 0 : i) : ""},
                        {"WEIGHTS", tile}};
    FILLS_ADD(c->w.arena, &fills, own);
    template_fill("cuda/chain_results.cu", fills.at, fills.count, &p->results);
    if (b->chain.across.is_there && b->chain.across.weights == i)
        multiply_across(p->k, c, tile, &p->results);
}

/* Adds to the condition under which packs are aligned. */
static void add_products(CudaKernel *k, CudaWriter *c, Alignments *needed, Fills *fills) {
    Arena *arena = c->w.arena;
    const ChainValues *chain = &c->w.b->chain;
    Products p = {k, c, needed, false, text_new(arena), text_new(arena), text_new(arena)};
    Text left = text_new(arena), *kept = fma_keeps_left(c->w.b, k->gpu, &c->tile) ? &left : NULL;
    for (int i = 0; i < chain->count; i++) multiply_score(&p, i, kept);
    for (int i = 0; i < chain->out_count; i++) multiply_weights(&p, i);
    const Fill made[] = {
        {"fetches", text_get(&p.fetches)},
        {"FIRST", first_fetch(c, 0, arena_printf(arena, "%sn_tile * tile_n", c->to_index))},
        {"load_left", text_get(&left)},
        {"scores", text_get(&p.scores)},
        {"results", text_get(&p.results)},
        {"PACKS", p.has_packs ? "1" : ""}};
    FILLS_ADD(arena, fills, made);
}

/* "is_inside ? ": weights outside of a matrix are 0. Products of all m read those of rows, too. */
static const char *inside(const CudaWriter *c, int weights) {
    const AcrossValues *a = &c->w.b->chain.across;
    const char *columns = cuda_is_whole(c, ATTENTION_KEY, c->tile.n) ? "" : "is_inside";
    const char *rows = "";
    if (a->is_there && a->weights == weights && !cuda_is_whole(c, ATTENTION_QUERY, c->tile.m))
        rows = arena_printf(c->w.arena, "m_start + row_of(i) < %s",
                            cuda_dim(c, c->w.b->indices->extent[ATTENTION_QUERY]));
    if (!*columns && !*rows) return "";
    return arena_printf(c->w.arena, "%s%s%s ? ", columns, *columns && *rows ? " && " : "", rows);
}

/* Where score i, or weights i, of an element are. */
static const char *score_name(const CudaWriter *c, int i, bool in_tile) {
    if (!fma_waits(c->w.b, &c->tile)) return arena_printf(c->w.arena, "score[%d][i][j]", i);
    return in_tile ? arena_printf(c->w.arena, "waiting[%d].at[l]", i) : "score[0][i][j]";
}

static void add_weights(CudaWriter *c, Fills *fills) {
    const ChainValues *v = &c->w.b->chain;
    const int tiles = fma_weight_tiles(c->w.b, &c->tile);
    Text text = text_new(c->w.arena);
    const char *scores[CHAIN_SCORES];
    for (int i = 0; i < v->count; i++) scores[i] = score_name(c, i, i + 1 < v->count);
    const ChainWeights w = chain_weights(c, PIECE_WEIGHTS, scores);
    text_str(&text, w.lines);
    for (int i = 0; i < v->out_count; i++) {
        const char *when = inside(c, i);
        text_printf(&text, "const float weight_%d = %s%s%s;\n", i, when, w.value[i],
                    *when ? " : 0" : "");
    }
    for (int i = 0; i < v->out_count; i++)
        text_printf(&text, "%s = weight_%d;\n", score_name(c, i, i < tiles), i);
    const AttentionPiece at = {"", "", w.axes};
    const Fill made[] = {
        {"at_row", attention_clamped(c, ATTENTION_QUERY, "m_start + row_of(i)", at)},
        {"at_n", attention_clamped(c, ATTENTION_KEY, "n_start + n_of(j)", at)},
        {"weights", text_get(&text)}};
    FILLS_ADD(c->w.arena, fills, made);
}

static const char *stores(CudaWriter *c) {
    Text text = text_new(c->w.arena);
    c->w.out = &text;
    writer_piece(&c->w, PIECE_RESULTS, 0, c->w.b->lane);
    chain_stores(c, "[i][j]");
    return text_get(&text);
}

static void add_sizes(const CudaWriter *c, Fills *fills) {
    const ChainValues *v = &c->w.b->chain;
    const Tile *t = &c->tile;
    const bool waits = fma_waits(c->w.b, t);
    const int tiles = fma_weight_tiles(c->w.b, t),
              all = v->count > v->out_count ? v->count : v->out_count;
    const Fill made[] = {{"ROWS_M", cuda_dim(c, c->w.b->indices->extent[ATTENTION_QUERY])},
                         {"COUNT_N", cuda_dim(c, c->w.b->indices->extent[ATTENTION_KEY])},
                         {"OUTS", number(c, v->out_count)},
                         {"SCORES", number(c, waits ? 1 : all)},
                         {"TILES", number(c, tiles)},
                         {"HELD", waits ? "" : "1"},
                         {"WAITS", waits ? "1" : ""},
                         {"WAITING", number(c, v->count - 1)},
                         {"STORED", number(c, v->out_count < tiles ? v->out_count : tiles)}};
    FILLS_ADD(c->w.arena, fills, made);
}

static void by_fma(CudaKernel *k, CudaWriter *c, const char *why) {
    Fills fills = {0};
    Alignments needed = {0};
    add_sizes(c, &fills);
    attention_fma_sizes(k, c, &fills);
    attention_fma_mask(k, c, tile_mask_chain(&c->w), &fills);
    add_weights(c, &fills);
    add_products(k, c, &needed, &fills);
    const Fill own[] = {{"stores", stores(c)}};
    FILLS_ADD(c->w.arena, &fills, own);
    attention_fma_launch(k, c);
    if (c->w.b->chain.across.is_there) k->zeroed = 1 + c->w.b->chain.across.buffer;
    if (why) k->how = arena_printf(k->arena, "%s; without tensor cores: %s", k->how, why);
    fma_function(k, c, "cuda/chain.cu", &needed, &fills);
}

/* Why tensor cores are not used for operand types that they support, and what would help; NULL:
 * they do not support them. */
static const char *remark(const CudaKernel *k, const Body *b, const ChainForm *f) {
    const Graph *g = k->k->g;
    const Value *out = &b->values.at[b->accs.at[b->chain.outs[0]].result];
    const char *why =
        arena_printf(k->arena, "they need sm_80 or later, and this is sm_%d", k->gpu->sm);
    if (!f->has_mma_types) return NULL;
    if (f->long_axis)
        why =
            arena_printf(k->arena, "a depth or number of columns, %s, is open or more than %d",
                         dim_text(g->dims, b->indices->extent[f->long_axis], k->arena), f->longest);
    else if (machine_has_mma(k->gpu))
        why = arena_printf(k->arena, "its results have more than %d columns together",
                           f->most_columns);
    diag_remark(g->diag, g->node[out->node].span, "a chain of products without tensor cores: %s",
                why);
    return why;
}

void cuda_chain(CudaKernel *k) {
    ChainForm form;
    CudaWriter c = attention_writer(k);
    if (chain_form(k->k, c.w.b, k->gpu, &form)) {
        (c.tile.kind == TILE_CHAIN_WGMMA ? cuda_chain_wgmma : cuda_chain_mma)(k, &c, &form);
        return;
    }
    by_fma(k, &c, remark(k, c.w.b, &form));
}
