/* chain_wgmma.c: chains of contractions by wgmma, through templates/cuda/chain_wgmma.cu: the TMA
 * boxes of their operands, and the instructions. In: Kernel of family F_CHAIN, its ChainForm with a
 * Tile for wgmma. Out: text and launch. */
#include "emit/cuda/chain.h"

typedef ChainTiles Wgmma;

enum { PANEL_STEPS = 4 }; /* of 16 elements, in a row of shared memory */

static const char *number(const Wgmma *m, int64_t n) { return cuda_number(m->c->w.arena, n); }

static int panels(int steps) { return (steps + PANEL_STEPS - 1) / PANEL_STEPS; }

/* ---- operands -------------------------------------------------------------------------------- */

typedef const char *PutBox(AttentionTiles *m, const AttentionBox *box);

static const char *left_slot(const Wgmma *m, int score) {
    return chain_slot(m, "left", tile_chain_left(m->form, &m->c->tile, score));
}

static const char *right_slot(const Wgmma *m, int score) {
    return chain_slot(m, "stage", tile_chain_right(m->form, &m->c->tile, score));
}

static const char *values_slot(const Wgmma *m, int out) {
    return chain_slot(m, "stage", tile_chain_values(m->form, &m->c->tile, out));
}

static const char *left_boxes(Wgmma *m, PutBox *put) {
    const Body *b = m->c->w.b;
    Text text = text_new(m->c->w.arena);
    for (int i = 0; i < m->form->count; i++) {
        const AttentionBox box = {.value = b->accs.at[b->chain.scores[i]].value,
                                  .own = ATTENTION_QUERY,
                                  .along = b->chain.depth[i],
                                  .rows = m->c->tile.m,
                                  .panels = panels(m->form->depth_steps[i]),
                                  .start = "m_start",
                                  .slot = left_slot(m, i),
                                  .barrier = "left_full"};
        text_str(&text, put(&m->tiles, &box));
    }
    return text_get(&text);
}

/* Values that are a right operand, too, are there already. */
static const char *right_boxes(Wgmma *m, PutBox *put) {
    const ChainForm *f = m->form;
    const Body *b = m->c->w.b;
    Text text = text_new(m->c->w.arena);
    for (int i = 0; i < f->count + f->out_count; i++) {
        const bool is_score = i < f->count;
        const int out = i - f->count, acc = is_score ? b->chain.scores[i] : b->chain.outs[out];
        if (!is_score && f->right_of[out] >= 0) continue;
        const AttentionBox box = {.value = b->accs.at[acc].index,
                                  .own = ATTENTION_KEY,
                                  .along = is_score ? b->chain.depth[i] : ATTENTION_COLUMN,
                                  .rows = m->c->tile.n,
                                  .panels = panels(is_score ? f->depth_steps[i] : f->column_steps),
                                  .start = "n_start",
                                  .slot = is_score ? right_slot(m, i) : values_slot(m, out),
                                  .barrier = "arrival"};
        text_str(&text, put(&m->tiles, &box));
    }
    return text_get(&text);
}

/* ---- products -------------------------------------------------------------------------------- */

/* The first score that is as deep: one function makes both. */
static int as_deep(const ChainForm *f, int score) {
    int first = 0;
    while (f->depth_steps[first] != f->depth_steps[score]) first++;
    return first;
}

static const char *by_scores(const Wgmma *m, int score) {
    const int first = as_deep(m->form, score);
    const char *name = arena_printf(m->c->w.arena, "%s_scores", m->tiles.k->k->name);
    return first ? arena_printf(m->c->w.arena, "%s_%d", name, first) : name;
}

static const char *by_values(const Wgmma *m) {
    return arena_printf(m->c->w.arena, "%s_values", m->tiles.k->k->name);
}

static const char *by_across(const Wgmma *m) {
    return arena_printf(m->c->w.arena, "%s_across", m->tiles.k->k->name);
}

static const char *multiply_score(const Wgmma *m, int i) {
    Text text = text_new(m->c->w.arena);
    const Fill fills[] = {{"NUMBER", number(m, i)},
                          {"LEFT", left_slot(m, i)},
                          {"RIGHT", right_slot(m, i)},
                          {"MULTIPLY", by_scores(m, i)}};
    TEMPLATE_FILL("cuda/chain_wgmma_scores.cu", fills, &text);
    return text_get(&text);
}

static const char *multiply_weight(const Wgmma *m, int i) {
    Text text = text_new(m->c->w.arena);
    const Fill fills[] = {
        {"NUMBER", number(m, i)}, {"RIGHT", values_slot(m, i)}, {"MULTIPLY", by_values(m)}};
    TEMPLATE_FILL("cuda/chain_wgmma_results.cu", fills, &text);
    return text_get(&text);
}

/* All products of a tile at once, or one at a time. */
static void add_products(const Wgmma *m, Fills *fills) {
    const ChainForm *f = m->form;
    const ChainSplit *split = &f->split;
    const bool splits = tile_chain_splits(f, &m->c->tile);
    const bool overlaps = tile_chain_overlaps(f, &m->c->tile);
    Text scores = text_new(m->c->w.arena), weights = text_new(m->c->w.arena);
    for (int i = 0; i < f->count && !splits; i++) text_str(&scores, multiply_score(m, i));
    for (int i = 0; i < f->out_count && !splits; i++) text_str(&weights, multiply_weight(m, i));
    const Fill made[] = {{"SPLITS", splits ? "1" : ""},
                         {"WHOLE", splits ? "" : "1"},
                         {"AHEAD", overlaps ? "1" : ""},
                         {"BEHIND", overlaps ? "" : "1"},
                         {"OVERLAPS", overlaps && !splits ? "1" : ""},
                         {"TURNS", overlaps && !splits && !f->has_across ? "1" : ""},
                         {"APART", overlaps || splits ? "" : "1"},
                         {"MULTIPLY_SCORES", text_get(&scores)},
                         {"MULTIPLY_WEIGHTS", text_get(&weights)},
                         {"FIRST", splits ? number(m, split->score) : ""},
                         {"SECOND", splits ? number(m, !split->score) : ""},
                         {"SECOND_OUT", splits ? number(m, !split->first) : ""},
                         {"FIRST_SCORE", splits ? multiply_score(m, split->score) : ""},
                         {"SECOND_SCORE", splits ? multiply_score(m, !split->score) : ""},
                         {"FIRST_VALUES", splits ? multiply_weight(m, split->first) : ""},
                         {"SECOND_VALUES", splits ? multiply_weight(m, !split->first) : ""}};
    FILLS_ADD(m->c->w.arena, fills, made);
}

static void put_instructions(const Wgmma *m, Text *out) {
    const ChainForm *f = m->form;
    const Tile *t = &m->c->tile;
    for (int i = 0; i < f->count; i++) {
        const WgmmaText scores = {.name = by_scores(m, i),
                                  .comment = "a, b: see wgmma_descriptor",
                                  .columns = t->n,
                                  .type = f->scores[0],
                                  .steps = f->depth_steps[i],
                                  .a_rows = t->m,
                                  .b_rows = t->n,
                                  .sets = true};
        if (as_deep(f, i) == i) cuda_wgmma_text(&scores, out);
    }
    const WgmmaText values = {.name = by_values(m),
                              .comment = "a in registers",
                              .columns = 16 * f->column_steps,
                              .type = f->values[0],
                              .steps = t->n / 16,
                              .in_registers = true,
                              .b_across = true};
    const WgmmaText across = {.name = by_across(m),
                              .comment = "a, b: see wgmma_descriptor",
                              .columns = tile_chain_across_columns(f, t),
                              .type = f->values[f->across_weights],
                              .steps = t->m / 16,
                              .a_across = true,
                              .b_across = true,
                              .sets = true};
    cuda_wgmma_text(&values, out);
    if (f->has_across) cuda_wgmma_text(&across, out);
}

static void add_across(Wgmma *m, Fills *fills) {
    const ChainForm *f = m->form;
    Text text = text_new(m->c->w.arena);
    const Fill own[] = {{"IDX", m->c->index},
                        {"COUNT_N", cuda_dim(m->c, m->c->w.b->indices->extent[ATTENTION_KEY])},
                        {"ADD", f->has_across ? chain_add_across(m) : ""}};
    TEMPLATE_FILL("cuda/chain_wgmma_across.cu", own, &text);
    const Fill made[] = {{"ACROSS", f->has_across ? "1" : ""},
                         {"ALONG", f->has_across ? "" : "1"},
                         {"ADD_ACROSS", text_get(&text)},
                         {"ACROSS_WEIGHTS", number(m, f->across_weights)},
                         {"ACROSS_LEFT", left_slot(m, f->across_left)},
                         {"MULTIPLY_ACROSS", by_across(m)}};
    FILLS_ADD(m->c->w.arena, fills, made);
}

/* ---- what weights load for each column of scores -------------------------------------------- */

/* The statements by which a producer brings those of column i of a tile. */
static const char *bring_columns(const Wgmma *m) {
    CudaWriter *c = m->c;
    Text text = text_new(c->w.arena);
    const int count = m->form->of_column.count;
    if (!count) return "";
    c->w.out = &text;
    const Piece *p = writer_piece(&c->w, PIECE_COLUMN_FACTORS, 0, c->w.b->lane);
    for (int i = 0; i < count; i++) declare_value(&c->w, p->roots[i]);
    for (int i = 0; i < count; i++)
        text_printf(&text, "to[%si] = %s;\n", chain_column_tile(c, i),
                    value_text(&c->w, p->roots[i]));
    const char *at = "n_start + i", *n = cuda_dim(c, c->w.b->indices->extent[ATTENTION_KEY]);
    if (!attention_is_whole(&m->tiles, ATTENTION_KEY, c->tile.n))
        at = arena_printf(c->w.arena, "%s < %s ? %s : %s - 1", at, n, at, n);
    at = attention_position(&m->tiles, axes_taken(&c->w), ATTENTION_KEY, at);
    return arena_printf(c->w.arena, "%s%s", at, text_get(&text));
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static const char *sizes(const Wgmma *m) {
    const ChainForm *f = m->form;
    const Tile *t = &m->c->tile;
    const char *across =
        !f->has_across ? ""
                       : arena_printf(m->c->w.arena,
                                      "constexpr int across_columns = %d, weights_bytes = "
                                      "%d;\n",
                                      tile_chain_across_columns(f, t), tile_chain_across(f, t));
    const char *columns = !f->of_column.count
                              ? ""
                              : arena_printf(m->c->w.arena, "constexpr int column_values = %d;\n",
                                             f->of_column.count);
    return arena_printf(m->c->w.arena,
                        "constexpr int consumers = %d, tile_m = %d, tile_n = %d, stages = %d;\n"
                        "constexpr int columns = %d;\n"
                        "constexpr int left_bytes = %d, stage_bytes = %d;\n%s%s",
                        t->warpgroups, t->m, t->n, t->stages, 16 * f->column_steps,
                        tile_chain_left(f, t, f->count), tile_chain_values(f, t, f->out_count),
                        across, columns);
}

static const char *how(const Wgmma *m) {
    const Tile *t = &m->c->tile;
    return arena_printf(m->c->w.arena,
                        "Tensor cores (wgmma), %s products; %d threads of about %d registers for "
                        "each %d rows, %d columns of scores in each of %d stages",
                        dtype_name(m->form->scores[0]), t->threads,
                        tile_attention_wgmma_registers(t).launched, t->m, t->n, t->stages);
}

void cuda_chain_wgmma(CudaKernel *k, CudaWriter *c, const ChainForm *form) {
    static const ChainNames names = {
        .score = "[4 * j + 2 * half + part]",
        .row = "m_start + m_warp + 8 * half + own_row",
        .column = "n_start + 8 * j + pair + part",
        .in_tile = "8 * j + pair + part",
        .weight = "[2 * j + half]",
        .out = "[4 * piece + 2 * half + part + l]",
    };
    Wgmma m = {.tiles = {.k = k, .c = c}, .c = c, .form = form};
    const WarpgroupRegisters registers = tile_chain_warpgroups(c->w.b, form, &c->tile);
    Fills fills = {0};
    c->tests_wide = true;
    const Fill fetches[] = {{"FETCH_LEFT", left_boxes(&m, attention_elements)},
                            {"FETCH_RIGHT", right_boxes(&m, attention_elements)}};
    FILLS_ADD(k->arena, &fills, fetches);
    chain_fills(&m, &names, &fills);
    add_across(&m, &fills);
    add_products(&m, &fills);
    put_instructions(&m, k->instructions);
    const Fill own[] = {
        {"COPY_LEFT", left_boxes(&m, attention_copies)},
        {"COPY_RIGHT", right_boxes(&m, attention_copies)},
        {"BRING_COLUMNS", bring_columns(&m)},
        {"FULL_ARRIVALS", form->of_column.count ? "producers + (wide ? 32 : 0)" : "producers"},
        {"OF_COLUMN", form->of_column.count ? "1" : ""},
        {"NO_COLUMN", form->of_column.count ? "" : "1"},
        {"SIZES", sizes(&m)},
        {"PRODUCER_REGISTERS", number(&m, registers.producer)},
        {"CONSUMER_REGISTERS", number(&m, registers.consumer)}};
    FILLS_ADD(k->arena, &fills, own);
    chain_launch(&m, how(&m));
    cuda_function_tested(k, c, "cuda/chain_wgmma.cu", &m.tiles.alignments, fills.at, fills.count);
}
