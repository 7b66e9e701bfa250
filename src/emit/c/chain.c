/* chain.c: chains of contractions as C: operands evaluated while they are packed, weights in place
 * of scores in a tile, the epilogue at the end, through templates/c/chain.c.
 * In: Kernel of family F_CHAIN. Out: the function's body, and the bytes that it needs. */
#include "emit/c/c.h"

#include <string.h>

static const Accumulator *score(const Writer *w, int i) {
    return &w->b->accs.at[w->b->chain.scores[i]];
}

static const Accumulator *out(const Writer *w, int i) {
    return &w->b->accs.at[w->b->chain.outs[i]];
}

static const char *depth(const Writer *w, int i) { return c_size(w, w->b->chain.depth[i]); }

static const char *numbered(const Writer *w, const char *name, int i) {
    return arena_printf(w->arena, "%s_%d", name, i);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static const char *left_size(const Writer *w, int i) {
    return arena_printf(w->arena, "%d * (MR * %s + VL)", w->tile->m, depth(w, i));
}

static const char *out_size(const Writer *w) {
    return arena_printf(w->arena, "%d * MR * FX_ROUND(%s, NR_OF(float))", w->tile->m,
                        c_size(w, ATTENTION_COLUMN));
}

static const char *right_size(const Writer *w, int i) {
    return arena_printf(w->arena, "%s * FX_ROUND(%s, NR_OF(float)) * %s",
                        c_size(w, ATTENTION_BATCH), c_size(w, ATTENTION_KEY), depth(w, i));
}

static const char *values_size(const Writer *w) {
    return arena_printf(w->arena, "%s * FX_ROUND(%s, NR_OF(float)) * %s",
                        c_size(w, ATTENTION_BATCH), c_size(w, ATTENTION_COLUMN),
                        c_size(w, ATTENTION_KEY));
}

const char *c_chain_scratch(const Writer *w) {
    Text sum = text_new(w->arena);
    for (int i = 0; i < w->b->chain.count; i++) text_printf(&sum, "%s + ", left_size(w, i));
    text_printf(&sum, "%d * %s", w->b->chain.out_count, out_size(w));
    return arena_printf(w->arena, "(int64_t)sizeof(float) * (%s)", text_get(&sum));
}

const char *c_chain_packed(const Writer *w) {
    Text sum = text_new(w->arena);
    for (int i = 0; i < w->b->chain.count; i++) text_printf(&sum, "%s + ", right_size(w, i));
    text_printf(&sum, "%d * %s", w->b->chain.out_count, values_size(w));
    return arena_printf(w->arena, "4 * (%s)", text_get(&sum));
}

static void put_place(Text *text, const char *name, const char **end) {
    text_printf(text, "float *const %s = %s;\n", name, *end);
}

/* Where the right operands are packed. */
static const char *packed_places(const Writer *w) {
    const ChainValues *c = &w->b->chain;
    Text text = text_new(w->arena);
    const char *end = "(float *)packed";
    for (int i = 0; i < c->count; i++) {
        put_place(&text, numbered(w, "right", i), &end);
        end = arena_printf(w->arena, "right_%d + %s", i, right_size(w, i));
    }
    for (int i = 0; i < c->out_count; i++) {
        put_place(&text, numbered(w, "values", i), &end);
        end = arena_printf(w->arena, "values_%d + %s", i, values_size(w));
    }
    return text_get(&text);
}

/* A thread's rows of the left operands, and its sums. */
static const char *own_places(const Writer *w) {
    const ChainValues *c = &w->b->chain;
    Text text = text_new(w->arena);
    const char *end = "own";
    for (int i = 0; i < c->count; i++) {
        put_place(&text, numbered(w, "left", i), &end);
        end = arena_printf(w->arena, "left_%d + %s", i, left_size(w, i));
    }
    for (int i = 0; i < c->out_count; i++) {
        put_place(&text, numbered(w, "sums", i), &end);
        end = arena_printf(w->arena, "sums_%d + %s", i, out_size(w));
    }
    return text_get(&text);
}

/* ---- operands and products ------------------------------------------------------------------- */

static void put_packing(Writer *w, int value, int own, int k, const char *to, const char *panels,
                        Text *text) {
    const char *panel = arena_printf(w->arena, "NR * %s", c_size(w, k));
    const CPanels all = c_whole_panels(w, value, own, k, "panel_at", panel);
    const Fill fills[] = {{"BATCH", c_size(w, ATTENTION_BATCH)},
                          {"SIZE", c_size(w, own)},
                          {"PANELS", panels},
                          {"PANEL", panel},
                          {"TO", to},
                          {"PADS", all.function ? "" : "yes"},
                          {"pack", c_pack(w, value, &all)}};
    template_fill("c/chain_pack.c", fills, (int)(sizeof fills / sizeof *fills), text);
}

static const char *pack_right(Writer *w) {
    const ChainValues *c = &w->b->chain;
    Text text = text_new(w->arena);
    for (int i = 0; i < c->count; i++)
        put_packing(w, score(w, i)->index, ATTENTION_KEY, c->depth[i], numbered(w, "right", i),
                    "n_panels", &text);
    for (int i = 0; i < c->out_count; i++)
        put_packing(w, out(w, i)->index, ATTENTION_COLUMN, ATTENTION_KEY, numbered(w, "values", i),
                    "column_panels", &text);
    return text_get(&text);
}

static const char *pack_left(Writer *w) {
    const ChainValues *c = &w->b->chain;
    Text text = text_new(w->arena);
    for (int i = 0; i < c->count; i++) {
        CPanels rows = c_whole_panels(w, score(w, i)->value, ATTENTION_QUERY, c->depth[i],
                                      numbered(w, "left", i),
                                      arena_printf(w->arena, "MR * %s + VL", depth(w, i)));
        rows.first = "m_start";
        rows.stop = "m_end";
        rows.width = "MR";
        text_str(&text, c_pack(w, score(w, i)->value, &rows));
    }
    return text_get(&text);
}

static const char *multiply_scores(const Writer *w) {
    Text text = text_new(w->arena);
    for (int i = 0; i < w->b->chain.count; i++) {
        const Fill fills[] = {{"NUMBER", arena_printf(w->arena, "%d", i)},
                              {"DEPTH", depth(w, i)},
                              {"LEFT", numbered(w, "left", i)},
                              {"RIGHT", numbered(w, "right", i)}};
        template_fill("c/chain_scores.c", fills, (int)(sizeof fills / sizeof *fills), &text);
    }
    return text_get(&text);
}

static const char *multiply_weights(const Writer *w) {
    Text text = text_new(w->arena);
    for (int i = 0; i < w->b->chain.out_count; i++) {
        const Fill fills[] = {{"NUMBER", arena_printf(w->arena, "%d", i)},
                              {"COUNT_N", c_size(w, ATTENTION_KEY)},
                              {"RIGHT", numbered(w, "values", i)},
                              {"OUT", numbered(w, "sums", i)}};
        template_fill("c/chain_results.c", fills, (int)(sizeof fills / sizeof *fills), &text);
    }
    return text_get(&text);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Weights in place of scores: all are computed before one is stored. */
static const char *weights(Writer *w, bool *reads_lanes) {
    const ChainValues *c = &w->b->chain;
    Text text = c_piece_of_tile(w, PIECE_WEIGHTS, ATTENTION_KEY), *before = w->out;
    w->out = &text;
    for (int i = 0; i < c->count; i++) {
        const char *name = fresh(w, "score");
        write_line(w, "const f32 %s = ld_f32(&scores[%d][row][i2 - n_start], VL);", name, i);
        w->name[score(w, i)->result] = name;
    }
    for (int i = 0; i < c->out_count; i++) declare_value(w, out(w, i)->value);
    for (int i = 0; i < c->out_count; i++)
        write_line(w, "st_f32(&scores[%d][row][i2 - n_start], %s, VL);", i,
                   value_text(w, out(w, i)->value));
    *reads_lanes = w->used.lanes;
    w->out = before;
    return text_get(&text);
}

static const char *finish(Writer *w, bool *reads_lanes) {
    const Body *b = w->b;
    Text text = c_piece_of_tile(w, PIECE_RESULTS, ATTENTION_COLUMN), *before = w->out;
    w->out = &text;
    for (int i = 0; i < b->chain.out_count; i++) {
        const char *name = fresh(w, "matmul");
        write_line(w, "const f32 %s = ld_f32(&sums_%d[row * out_row + i4], VL);", name, i);
        w->name[out(w, i)->result] = name;
    }
    for (int i = 0; i < b->stores.count; i++) declare_value(w, b->stores.at[i].value);
    for (int i = 0; i < b->stores.count; i++) c_store(w, &b->stores.at[i], "st");
    *reads_lanes = w->used.lanes;
    w->out = before;
    return text_get(&text);
}

/* ---- the function ---------------------------------------------------------------------------- */

static void add_sizes(const Writer *w, Fills *fills) {
    const ChainValues *c = &w->b->chain;
    const int tiles = c->count > c->out_count ? c->count : c->out_count;
    const Fill own[] = {
        {"M_PANELS", arena_printf(w->arena, "%d", w->tile->m)},
        {"N_PANELS", arena_printf(w->arena, "%d", w->tile->n)},
        {"PARALLEL", arena_printf(w->arena, "%d", w->tile->parallel)},
        {"TILES", arena_printf(w->arena, "%d", tiles)},
        {"BATCH", c_size(w, ATTENTION_BATCH)},
        {"ROWS", c_size(w, ATTENTION_QUERY)},
        {"COUNT_N", c_size(w, ATTENTION_KEY)},
        {"COLUMNS", c_size(w, ATTENTION_COLUMN)},
        {"THREAD_BYTES", c_chain_scratch(w)},
        {"packed_places", packed_places(w)},
        {"own_places", own_places(w)},
    };
    FILLS_ADD(w->arena, fills, own);
}

void c_chain(Writer *w, Text *body) {
    Fills fills = {0};
    const TileMask mask = tile_mask_chain(w);
    const MaskText rows = tile_mask_rows(w, mask.masked.reads);
    const uint64_t reads = mask.masked.reads | rows.reads;
    bool lanes_of_weights, lanes_of_results;
    const char *of_weights = weights(w, &lanes_of_weights);
    const char *results = finish(w, &lanes_of_results);
    w->used.packed = w->used.scratch = true;
    add_sizes(w, &fills);
    const Fill own[] = {
        {"MASKED", mask.masked.text ? mask.masked.text : ""},
        {"MASK_ROWS", rows.text},
        {"M_LAST", reads & READS_M_LAST ? "yes" : ""},
        {"pack_right", pack_right(w)},
        {"pack_left", pack_left(w)},
        {"multiply_scores", multiply_scores(w)},
        {"weights", of_weights},
        {"LANES", lanes_of_weights ? "yes" : ""},
        {"N_LAST", mask.masked.reads & READS_N_LAST ? "yes" : ""},
        {"multiply_weights", multiply_weights(w)},
        {"FINISH_LANES", lanes_of_results ? "yes" : ""},
        {"finish", results},
    };
    FILLS_ADD(w->arena, &fills, own);
    template_fill("c/chain.c", fills.at, fills.count, body);
}
