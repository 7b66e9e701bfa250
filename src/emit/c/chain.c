/* chain.c: chains of contractions as C: operands evaluated while they are packed, weights in place
 * of scores in a tile, the epilogue at the end, through templates/c/chain.c.
 * In: Kernel of family F_CHAIN. Out: the function's body, and the bytes that it needs. */
#include "emit/c/c.h"

static const Accumulator *score(const Writer *w, int i) {
    return &w->b->accs.at[w->b->chain.scores[i]];
}

static const Accumulator *out(const Writer *w, int i) {
    return &w->b->accs.at[w->b->chain.outs[i]];
}

static const AcrossValues *across(const Writer *w) { return &w->b->chain.across; }

static const char *numbered(const Writer *w, const char *name, int i) {
    return arena_printf(w->arena, "%s_%d", name, i);
}

/* ---- products of bf16 ------------------------------------------------------------------------ */

static bool are_bf16(const Body *b, int left, int right) {
    return b->values.at[left].type == T_BF16 && b->values.at[right].type == T_BF16;
}

/* Are all products of bf16, which may flush denormals (docs/language.md)? f32 lanes then hold pairs
 * of them where the processor multiplies such. */
static bool is_bf16(const Writer *w) {
    const Body *b = w->b;
    bool all = !w->k->g->attrs.strict;
    for (int i = 0; i < b->chain.count; i++)
        all &= are_bf16(b, score(w, i)->value, score(w, i)->index);
    for (int i = 0; i < b->chain.out_count; i++)
        all &= are_bf16(b, out(w, i)->value, out(w, i)->index);
    if (across(w)->is_there) all &= b->values.at[across(w)->right].type == T_BF16;
    return all;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* An operand with its axes: panels along `own`, of steps along `k`. */
typedef struct Side {
    int value, own, k;
} Side;

static Side left_side(const Writer *w, int i) {
    return (Side){score(w, i)->value, ATTENTION_QUERY, w->b->chain.depth[i]};
}

static Side right_side(const Writer *w, int i) {
    return (Side){score(w, i)->index, ATTENTION_KEY, w->b->chain.depth[i]};
}

static Side values_side(const Writer *w, int i) {
    return (Side){out(w, i)->index, ATTENTION_COLUMN, ATTENTION_KEY};
}

static Side across_side(const Writer *w) {
    return (Side){across(w)->right, ATTENTION_COLUMN, ATTENTION_QUERY};
}

static bool has_function(const Writer *w, Side s) {
    return c_pack_has_function(w, s.value, s.own, s.k);
}

/* Lanes of `steps`, text, where products are of bf16. */
static const char *lanes_of(const Writer *w, const char *steps) {
    return is_bf16(w) ? arena_printf(w->arena, "BF16_LANES(%s)", steps) : steps;
}

/* So many steps as a panel has room for; pairs that are evaluated are joined in place. */
static const char *room_of(const Writer *w, Side s, const char *steps) {
    if (!is_bf16(w) || has_function(w, s)) return lanes_of(w, steps);
    return arena_printf(w->arena, "BF16_ROOM(%s)", steps);
}

static const char *room(const Writer *w, Side s) { return room_of(w, s, c_size(w, s.k)); }

static const char *panel_rows(const Writer *w) { return is_bf16(w) ? "SHARED_MR" : "MR"; }

/* The rows of a tile: steps of the result of n rows. */
static const char *tile_rows(const Writer *w) {
    return arena_printf(w->arena, "%d * %s", w->tile->m, panel_rows(w));
}

/* ---- memory ---------------------------------------------------------------------------------- */

static const char *left_size(const Writer *w, int i) {
    return arena_printf(w->arena, "%d * (%s * %s + VL)", w->tile->m, panel_rows(w),
                        room(w, left_side(w, i)));
}

static const char *out_size(const Writer *w) {
    return arena_printf(w->arena, "%s * FX_ROUND(%s, NR_OF(float))", tile_rows(w),
                        c_size(w, ATTENTION_COLUMN));
}

static const char *right_size(const Writer *w, int i) {
    return arena_printf(w->arena, "%s * FX_ROUND(%s, NR_OF(float)) * %s",
                        c_size(w, ATTENTION_BATCH), c_size(w, ATTENTION_KEY),
                        room(w, right_side(w, i)));
}

static const char *values_size(const Writer *w, int i) {
    return arena_printf(w->arena, "%s * FX_ROUND(%s, NR_OF(float)) * %s",
                        c_size(w, ATTENTION_BATCH), c_size(w, ATTENTION_COLUMN),
                        room(w, values_side(w, i)));
}

/* Of a tile of rows, the right operand of the result of n rows. */
static const char *across_room(const Writer *w) {
    return room_of(w, across_side(w), arena_printf(w->arena, "(%s)", tile_rows(w)));
}

static const char *right_across_size(const Writer *w) {
    return arena_printf(w->arena, "FX_ROUND(%s, NR_OF(float)) * %s", c_size(w, ATTENTION_COLUMN),
                        across_room(w));
}

/* A tile of weights, two to a lane. */
static const char *turned_size(const Writer *w) {
    return arena_printf(w->arena, "(%s + 1) / 2 * %d * NR_OF(float)", tile_rows(w), w->tile->n);
}

static const char *across_size(const Writer *w) {
    return arena_printf(w->arena, "FX_ROUND(%s, NR_OF(float)) * FX_ROUND(%s, NR_OF(float))",
                        c_size(w, ATTENTION_KEY), c_size(w, ATTENTION_COLUMN));
}

/* What a thread clears before each tile. */
static const char *own_bytes(const Writer *w) {
    Text sum = text_new(w->arena);
    for (int i = 0; i < w->b->chain.count; i++) text_printf(&sum, "%s + ", left_size(w, i));
    text_printf(&sum, "%d * %s", w->b->chain.out_count, out_size(w));
    if (across(w)->is_there) text_printf(&sum, " + %s", right_across_size(w));
    return arena_printf(w->arena, "(int64_t)sizeof(float) * (%s)", text_get(&sum));
}

const char *c_chain_scratch(const Writer *w) {
    if (!across(w)->is_there) return own_bytes(w);
    const char *turned = is_bf16(w) ? arena_printf(w->arena, "%s + ", turned_size(w)) : "";
    return arena_printf(w->arena, "%s + (int64_t)sizeof(float) * (%s%s)", own_bytes(w), turned,
                        across_size(w));
}

const char *c_chain_packed(const Writer *w) {
    const ChainValues *c = &w->b->chain;
    Text sum = text_new(w->arena);
    for (int i = 0; i < c->count; i++) text_printf(&sum, "%s + ", right_size(w, i));
    for (int i = 0; i < c->out_count; i++)
        text_printf(&sum, "%s%s", i ? " + " : "", values_size(w, i));
    return arena_printf(w->arena, "4 * (%s)", text_get(&sum));
}

/* Puts a part of memory with so many floats after the last one. */
static void put_place(const Writer *w, Text *text, const char *name, const char *size,
                      const char **end) {
    text_printf(text, "float *const %s = %s;\n", name, *end);
    *end = arena_printf(w->arena, "%s + %s", name, size);
}

/* Where the right operands are packed. */
static const char *packed_places(const Writer *w) {
    const ChainValues *c = &w->b->chain;
    Text text = text_new(w->arena);
    const char *end = "(float *)packed";
    for (int i = 0; i < c->count; i++)
        put_place(w, &text, numbered(w, "right", i), right_size(w, i), &end);
    for (int i = 0; i < c->out_count; i++)
        put_place(w, &text, numbered(w, "values", i), values_size(w, i), &end);
    return text_get(&text);
}

/* A thread's rows of the left operands, and its sums. */
static const char *own_places(const Writer *w) {
    const ChainValues *c = &w->b->chain;
    Text text = text_new(w->arena);
    const char *end = "own";
    for (int i = 0; i < c->count; i++)
        put_place(w, &text, numbered(w, "left", i), left_size(w, i), &end);
    for (int i = 0; i < c->out_count; i++)
        put_place(w, &text, numbered(w, "sums", i), out_size(w), &end);
    if (!c->across.is_there) return text_get(&text);
    put_place(w, &text, "right_across", right_across_size(w), &end);
    if (is_bf16(w)) put_place(w, &text, "turned", turned_size(w), &end);
    put_place(w, &text, "across", across_size(w), &end);
    return text_get(&text);
}

/* ---- packing and products -------------------------------------------------------------------- */

/* The function that packs pairs, `side` a or b. */
static const char *pack_name(const Writer *w, const char *side, const CPanels *plain) {
    if (!plain->function || !is_bf16(w)) return plain->function;
    return arena_printf(w->arena, "pack_%s_%%s_%%s", side);
}

static bool joins_pairs(const Writer *w, const CPanels *p) { return is_bf16(w) && !p->function; }

static void put_panel(Writer *w, Side s, const char *to, const char *panels, Text *text) {
    const char *panel = arena_printf(w->arena, "NR * %s", room(w, s));
    const char *at = arena_printf(w->arena, "%s_at", to);
    CPanels all = c_whole_panels(w, s.value, s.own, s.k, at, panel);
    all.function = pack_name(w, "b", &all);
    const Fill fills[] = {{"STEPS", c_size(w, s.k)},
                          {"PANELS", panels},
                          {"PANEL", panel},
                          {"PANEL_AT", at},
                          {"TO", to},
                          {"PADS", all.function ? "" : "yes"},
                          {"PAIRS", joins_pairs(w, &all) ? "yes" : ""},
                          {"pack", c_pack(w, s.value, &all)}};
    TEMPLATE_FILL("c/chain_panel.c", fills, text);
}

/* All in one loop: gcc takes as long for a loop that threads share as for a plain product. */
static const char *pack_right(Writer *w) {
    const ChainValues *c = &w->b->chain;
    Text text = text_new(w->arena), right = text_new(w->arena), values = text_new(w->arena);
    for (int i = 0; i < c->count; i++)
        put_panel(w, right_side(w, i), numbered(w, "right", i), "n_panels", &right);
    for (int i = 0; i < c->out_count; i++)
        put_panel(w, values_side(w, i), numbered(w, "values", i), "column_panels", &values);
    const Fill fills[] = {{"BATCH", c_size(w, ATTENTION_BATCH)},
                          {"THREADS", c_attention_has_threads(w) ? "yes" : ""},
                          {"COUNT_N", c_size(w, right_side(w, 0).own)},
                          {"COLUMNS", c_size(w, values_side(w, 0).own)},
                          {"pack_right", text_get(&right)},
                          {"pack_values", text_get(&values)}};
    TEMPLATE_FILL("c/chain_pack.c", fills, &text);
    return text_get(&text);
}

/* The tile's steps of the right operand of the result of n rows. */
static void pack_across(Writer *w, Text *text) {
    const Side s = across_side(w);
    const char *panel = arena_printf(w->arena, "NR * %s", across_room(w));
    CPanels p = c_whole_panels(w, s.value, s.own, s.k, "right_across", panel);
    p.function = pack_name(w, "b", &p);
    p.first = "0", p.stop = c_size(w, s.own);
    p.k_first = "m_start", p.k_end = "m_end";
    p.is_unaligned = true;
    text_str(text, c_pack(w, s.value, &p));
    if (!joins_pairs(w, &p)) return;
    text_str(text, "for (idx panel = 0; panel < column_panels; panel++)\n");
    text_printf(text, "    bf16_steps_b(right_across + panel * (%s), NR, m_end - m_start);\n",
                panel);
}

static const char *pack_left(Writer *w) {
    const ChainValues *c = &w->b->chain;
    Text text = text_new(w->arena);
    for (int i = 0; i < c->count; i++) {
        const Side s = left_side(w, i);
        const char *to = numbered(w, "left", i), *rows = panel_rows(w);
        const char *panel = arena_printf(w->arena, "%s * %s + VL", rows, room(w, s));
        CPanels p = c_whole_panels(w, s.value, s.own, s.k, to, panel);
        p.function = pack_name(w, "a", &p);
        p.first = "m_start";
        p.stop = "m_end";
        p.width = rows;
        text_str(&text, c_pack(w, s.value, &p));
        if (!joins_pairs(w, &p)) continue;
        text_str(&text, "for (idx panel = 0; panel < m_panels; panel++)\n");
        text_printf(&text, "    bf16_steps_a(%s + panel * (%s), %s, %s);\n", to, panel, rows,
                    c_size(w, s.k));
    }
    if (c->across.is_there) pack_across(w, &text);
    return text_get(&text);
}

static const char *multiply_scores(const Writer *w) {
    Text text = text_new(w->arena);
    for (int i = 0; i < w->b->chain.count; i++) {
        const Fill fills[] = {{"NUMBER", arena_printf(w->arena, "%d", i)},
                              {"MR", panel_rows(w)},
                              {"STEPS", lanes_of(w, c_size(w, w->b->chain.depth[i]))},
                              {"LEFT_STEPS", room(w, left_side(w, i))},
                              {"RIGHT_STEPS", room(w, right_side(w, i))},
                              {"SCORES_OF", is_bf16(w) ? "tile_sums_bf16" : "tile_sums_f32"},
                              {"LEFT", numbered(w, "left", i)},
                              {"RIGHT", numbered(w, "right", i)}};
        TEMPLATE_FILL("c/chain_scores.c", fills, &text);
    }
    return text_get(&text);
}

static const char *multiply_weights(const Writer *w) {
    Text text = text_new(w->arena);
    for (int i = 0; i < w->b->chain.out_count; i++) {
        const Fill fills[] = {
            {"NUMBER", arena_printf(w->arena, "%d", i)},
            {"MR", panel_rows(w)},
            {"STEPS", room(w, values_side(w, i))},
            {"FIRST_STEP", lanes_of(w, "n_start")},
            {"WEIGHT_STEPS", lanes_of(w, "n_end - n_start")},
            {"SUMS_OF", is_bf16(w) ? "tile_sums_weights_bf16" : "tile_sums_across_f32"},
            {"RIGHT", numbered(w, "values", i)},
            {"OUT", numbered(w, "sums", i)}};
        TEMPLATE_FILL("c/chain_results.c", fills, &text);
    }
    return text_get(&text);
}

static const char *multiply_across(const Writer *w) {
    Text text = text_new(w->arena);
    if (!across(w)->is_there) return "";
    const Fill fills[] = {{"NUMBER", arena_printf(w->arena, "%d", across(w)->weights)},
                          {"PAIRS", is_bf16(w) ? "yes" : ""},
                          {"PLAIN", is_bf16(w) ? "" : "yes"},
                          {"STEPS", across_room(w)}};
    TEMPLATE_FILL("c/chain_sums.c", fills, &text);
    return text_get(&text);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static bool has_whole_n(const Writer *w) { return c_is_whole(w, ATTENTION_KEY, 16); }

/* Storing weights rounds: the source of a cast, or else the value itself. */
static int before_rounding(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    const bool rounds = v->kind == V_CAST && v->operand == T_F32 && v->type == T_BF16;
    return rounds ? v->src[0] : value;
}

/* A vector of weights in place of scores; zeros after the last pair. */
static void store_weights(Writer *w, int i, int value) {
    const char *text = value_text(w, value);
    if (!is_bf16(w)) {
        write_line(w, "st_f32(&scores[%d][row][i2 - n_start], %s, VL);", i, text);
        return;
    }
    if (!has_whole_n(w)) {
        text = arena_printf(w->arena, "keep_f32(%s, lanes, 0)", text);
        w->used.lanes = true;
    }
    write_line(w, "st_weights(scores[%d][row], i2 - n_start, %s);", i, text);
}

/* Weights in place of scores: all are computed before one is stored. */
static const char *weights(Writer *w, bool *reads_lanes) {
    const ChainValues *c = &w->b->chain;
    Text text = c_piece_of_tile(w, PIECE_WEIGHTS, ATTENTION_KEY), *before = w->out;
    int stored[CHAIN_SCORES];
    w->out = &text;
    for (int i = 0; i < c->count; i++) {
        const char *name = fresh(w, "score");
        write_line(w, "const f32 %s = ld_f32(&scores[%d][row][i2 - n_start], VL);", name, i);
        w->name[score(w, i)->result] = name;
    }
    for (int i = 0; i < c->out_count; i++) {
        stored[i] = out(w, i)->value;
        if (is_bf16(w)) stored[i] = before_rounding(w->b, stored[i]);
        declare_value(w, stored[i]);
    }
    for (int i = 0; i < c->out_count; i++) store_weights(w, i, stored[i]);
    *reads_lanes = w->used.lanes;
    w->out = before;
    return text_get(&text);
}

/* Whole tiles of a processor reach beyond the last vector. */
static const char *pad_weights(const Writer *w) {
    Text text = text_new(w->arena);
    if (!is_bf16(w) || c_is_whole(w, ATTENTION_KEY, 32)) return "";
    for (int i = 0; i < w->b->chain.out_count; i++)
        text_printf(&text, "end_weights(scores[%d][row], n_end - n_start);\n", i);
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

/* Complete sums of n rows. */
static const char *store_across(Writer *w) {
    const AcrossValues *a = across(w);
    Text text = c_piece_of_tile(w, PIECE_RESULTS, ATTENTION_COLUMN), *before = w->out;
    w->out = &text;
    write_line(w, "st_f32(%s, ld_f32(&across[(i2 - n_first) * out_row + i4], VL), lanes);",
               address_text(w, a->buffer, a->ix));
    w->out = before;
    return text_get(&text);
}

/* ---- the function ---------------------------------------------------------------------------- */

static void add_sizes(const Writer *w, Fills *fills) {
    const ChainValues *c = &w->b->chain;
    const int tiles = c->count > c->out_count ? c->count : c->out_count;
    const bool has_across = c->across.is_there, threads = c_attention_has_threads(w);
    const char *each = arena_printf(w->arena, "scratch + fx_thread() * (%s)", c_chain_scratch(w));
    const Fill own[] = {
        {"M_PANELS", arena_printf(w->arena, "%d", w->tile->m)},
        {"N_PANELS", arena_printf(w->arena, "%d", w->tile->n)},
        {"MR", panel_rows(w)},
        {"PARALLEL", arena_printf(w->arena, "%d", w->tile->parallel)},
        {"TILES", arena_printf(w->arena, "%d", tiles)},
        {"BATCH", c_size(w, ATTENTION_BATCH)},
        {"ROWS", c_size(w, ATTENTION_QUERY)},
        {"COUNT_N", c_size(w, ATTENTION_KEY)},
        {"COLUMNS", c_size(w, ATTENTION_COLUMN)},
        {"N_FIRST", has_across ? "n_first" : "0"},
        {"N_STOP", has_across ? "n_stop" : c_size(w, ATTENTION_KEY)},
        {"OWN_BYTES", own_bytes(w)},
        {"THREADS", threads ? "yes" : ""},
        {"OWN_SCRATCH", threads ? each : "scratch"},
        {"packed_places", packed_places(w)},
        {"own_places", own_places(w)},
        {"ACROSS", has_across ? "yes" : ""},
        {"ROWS_ALONE", has_across ? "" : "yes"},
        {"PAIRS", is_bf16(w) ? "yes" : ""},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* Which tiles of scores are skipped. */
static void add_mask(Writer *w, Fills *fills) {
    const TileMask mask = tile_mask_chain(w);
    const MaskText rows = tile_mask_rows(w, mask.masked.reads);
    const uint64_t reads = mask.masked.reads | rows.reads;
    const Fill own[] = {
        {"MASKED", mask.masked.text ? mask.masked.text : ""},
        {"MASK_ROWS", rows.text},
        {"M_LAST", reads & READS_M_LAST ? "yes" : ""},
        {"N_LAST", mask.masked.reads & READS_N_LAST ? "yes" : ""},
    };
    FILLS_ADD(w->arena, fills, own);
}

static void add_pieces(Writer *w, Fills *fills) {
    bool lanes_of_weights, lanes_of_results;
    const char *of_weights = weights(w, &lanes_of_weights);
    const char *results = finish(w, &lanes_of_results);
    const Fill own[] = {
        {"weights", of_weights},
        {"LANES", lanes_of_weights ? "yes" : ""},
        {"pad_weights", pad_weights(w)},
        {"finish", results},
        {"FINISH_LANES", lanes_of_results ? "yes" : ""},
        {"store_across", across(w)->is_there ? store_across(w) : ""},
    };
    FILLS_ADD(w->arena, fills, own);
}

static void add_products(Writer *w, Fills *fills) {
    const Fill own[] = {
        {"pack_right", pack_right(w)},           {"pack_left", pack_left(w)},
        {"multiply_scores", multiply_scores(w)}, {"multiply_weights", multiply_weights(w)},
        {"multiply_across", multiply_across(w)},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* Adds the text of another template. */
static void add_part(const Writer *w, const char *name, const char *part, Fills *fills) {
    Text text = text_new(w->arena);
    template_fill(part, fills->at, fills->count, &text);
    const Fill own[] = {{name, text_get(&text)}};
    FILLS_ADD(w->arena, fills, own);
}

void c_chain(Writer *w, Text *body) {
    Fills fills = {0};
    add_mask(w, &fills);
    add_pieces(w, &fills);
    w->used.packed = w->used.scratch = true;
    add_sizes(w, &fills);
    add_products(w, &fills);
    add_part(w, "row_tile", "c/chain_tile.c", &fills);
    add_part(w, "row_loops", across(w)->is_there ? "c/chain_across.c" : "c/chain_rows.c", &fills);
    template_fill("c/chain.c", fills.at, fills.count, body);
}
