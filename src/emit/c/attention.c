/* attention.c: attentions as C: operands evaluated while they are packed, scores and weights in a
 * tile, the epilogue at the end, through templates/c/attention.c.
 * In: Kernel of family F_ATTENTION. Out: the function's body, and the bytes that it needs. */
#include "emit/c/c.h"

#include <string.h>

typedef struct Pieces {
    Writer *w;
    AttentionValues attention;
} Pieces;

static int result_of(const Pieces *p, int acc) { return p->w->b->accs.at[acc].result; }

/* Does the current piece read it? acc < 0: no. */
static bool reads(const Pieces *p, int acc) {
    return acc >= 0 && p->w->s->value[result_of(p, acc)].used;
}

/* Ends a piece: its text, and lines go to where they went before. */
static const char *end_piece(Writer *w, const Text *text, Text *out) {
    w->out = out;
    return text_get(text);
}

static bool has_whole_keys(const Writer *w) { return c_is_whole(w, ATTENTION_KEY, 16); }

/* The lanes of keys; others hold `identity`. */
static const char *kept(const Writer *w, const char *value, const char *identity) {
    if (has_whole_keys(w)) return value;
    return arena_printf(w->arena, "keep_f32(%s, lanes, %s)", value, identity);
}

/* Are both products of bf16, which may flush denormals (docs/language.md)? f32 lanes then hold
 * pairs of them where the processor multiplies such. */
static bool is_bf16(const Writer *w) {
    const Body *b = w->b;
    const Accumulator *scores = &b->accs.at[b->attention.scores],
                      *out = &b->accs.at[b->attention.out];
    const int operands[] = {scores->value, scores->index, out->value, out->index};
    bool all = !w->k->g->attrs.strict;
    for (int i = 0; i < 4; i++) all &= b->values.at[operands[i]].type == T_BF16;
    return all;
}

/* Storing weights rounds: the source of a cast, or else the value itself. */
static int before_rounding(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    const bool rounds = v->kind == V_CAST && v->operand == T_F32 && v->type == T_BF16;
    return rounds ? v->src[0] : value;
}

/* x of the scores in the tile, and the running maximum. */
static const char *score(Pieces *p, PieceRole role) {
    Writer *w = p->w;
    Text text = c_piece_of_tile(w, role, ATTENTION_KEY), *out = w->out;
    const int x = role == PIECE_SCORES ? p->attention.x : p->attention.unmasked;
    w->out = &text;
    const char *name = fresh(w, "score");
    write_line(w, "const f32 %s = ld_f32(&scores[row][i2 - n_start], VL);", name);
    w->name[result_of(p, p->attention.scores)] = name;
    declare_value(w, x);
    const char *value = w->name[x];
    if (!value) {
        value = fresh(w, "masked");
        write_line(w, "const f32 %s = %s;", value, value_text(w, x));
    }
    write_line(w, "largest = max_f32(largest, %s);", kept(w, value, "-INFINITY"));
    if (strcmp(value, name)) write_line(w, "st_f32(&scores[row][i2 - n_start], %s, VL);", value);
    return end_piece(w, &text, out);
}

/* The shifts of rows from their maxima so far: a row is a lane. */
static const char *shift(Pieces *p, bool *reads_lanes) {
    Writer *w = p->w;
    Text text = c_piece(w, PIECE_SHIFT, 0, ATTENTION_QUERY), *out = w->out;
    w->out = &text;
    w->name[result_of(p, p->attention.max)] = "largest";
    declare_as(w, p->attention.shift, "shift");
    *reads_lanes = w->used.lanes;
    return end_piece(w, &text, out);
}

/* The exponentials of a tile, summed, and the weights in place of the scores. */
static const char *weight(Pieces *p) {
    Writer *w = p->w;
    Text text = c_piece_of_tile(w, PIECE_WEIGHTS, ATTENTION_KEY), *out = w->out;
    w->out = &text;
    const char *x = fresh(w, "x");
    write_line(w, "const f32 %s = ld_f32(&scores[row][i2 - n_start], VL);", x);
    w->name[p->attention.x] = x;
    w->name[p->attention.shift] = "shift";
    declare_as(w, p->attention.e, fresh(w, "e"));
    write_line(w, "sum += %s;", kept(w, w->name[p->attention.e], "0"));
    const bool pairs = is_bf16(w);
    const int weights = pairs ? before_rounding(w->b, p->attention.weights) : p->attention.weights;
    declare_value(w, weights);
    if (pairs)
        write_line(w, "st_weights(scores[row], i2 - n_start, %s);",
                   kept(w, value_text(w, weights), "0"));
    else
        write_line(w, "st_f32(&scores[row][i2 - n_start], %s, VL);", value_text(w, weights));
    return end_piece(w, &text, out);
}

/* Stores of one level, and what they read of a row. */
typedef struct Stores {
    const char *text;
    bool reads_max, reads_sum, reads_lanes;
} Stores;

static Stores stores(Pieces *p, PieceRole role) {
    Writer *w = p->w;
    const Body *b = w->b;
    const bool rows = role == PIECE_ROWS;
    Text text = c_piece_of_tile(w, role, rows ? -1 : ATTENTION_COLUMN), *out = w->out;
    w->out = &text;
    w->name[result_of(p, p->attention.max)] = "row_max";
    if (p->attention.sum >= 0) w->name[result_of(p, p->attention.sum)] = "row_sum";
    Stores made = {.reads_max = reads(p, p->attention.max),
                   .reads_sum = reads(p, p->attention.sum)};
    if (!rows) {
        const char *name = fresh(w, "matmul");
        write_line(w, "const f32 %s = ld_f32(&out_tile[row * out_row + i4], VL);", name);
        w->name[result_of(p, p->attention.out)] = name;
    }
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].of_row == rows) declare_value(w, b->stores.at[i].value);
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].of_row == rows) c_store(w, &b->stores.at[i], "st");
    made.reads_lanes = w->used.lanes;
    made.text = end_piece(w, &text, out);
    return made;
}

/* What stores read of a row, and the row's own stores. */
static const char *row_values(Pieces *p, const Stores *finish) {
    const Stores rows = stores(p, PIECE_ROWS);
    Text text = text_new(p->w->arena);
    if (rows.reads_max || finish->reads_max)
        text_str(&text, "const f32 row_max = splat_f32(maxima[row]);\n");
    if (rows.reads_sum || finish->reads_sum)
        text_str(&text, "const f32 row_sum = splat_f32(sums[row]);\n");
    text_str(&text, rows.text);
    return text_get(&text);
}

/* ---- panels ---------------------------------------------------------------------------------- */

/* The accumulator, operand and axes of the panels of an attention. */
typedef enum Part { QUERIES, KEYS, COLUMNS } Part;

static int operand_of(const Writer *w, Part part) {
    const Body *b = w->b;
    if (part == COLUMNS) return b->accs.at[b->attention.out].index;
    const Accumulator *scores = &b->accs.at[b->attention.scores];
    return part == KEYS ? scores->index : scores->value;
}

static int own_axis(Part part) {
    return part == QUERIES ? ATTENTION_QUERY : part == KEYS ? ATTENTION_KEY : ATTENTION_COLUMN;
}

static int step_axis(Part part) { return part == COLUMNS ? ATTENTION_KEY : ATTENTION_DEPTH; }

static bool has_function(const Writer *w, Part part) {
    return c_pack_has_function(w, operand_of(w, part), own_axis(part), step_axis(part));
}

/* Lanes of `steps`, text, where products are of bf16. */
static const char *lanes_of(const Writer *w, const char *steps) {
    return is_bf16(w) ? arena_printf(w->arena, "BF16_LANES(%s)", steps) : steps;
}

/* Steps for which a panel has room; pairs that are evaluated are joined in place. */
static const char *room(const Writer *w, Part part) {
    const char *steps = c_size(w, step_axis(part));
    if (!is_bf16(w) || has_function(w, part)) return lanes_of(w, steps);
    return arena_printf(w->arena, "BF16_ROOM(%s)", steps);
}

static const char *panel_rows(const Writer *w) { return is_bf16(w) ? "SHARED_MR" : "MR"; }

/* A thread's queries and accumulators; see the template. */
const char *c_attention_scratch(const Writer *w) {
    const char *rows = panel_rows(w);
    return arena_printf(
        w->arena, "%d * (int64_t)sizeof(float) * (%s * %s + VL + %s * FX_ROUND(%s, NR_OF(float)))",
        w->tile->m, rows, room(w, QUERIES), rows, c_size(w, ATTENTION_COLUMN));
}

const char *c_attention_packed(const Writer *w) {
    return arena_printf(
        w->arena, "4 * %s * (FX_ROUND(%s, NR_OF(float)) * %s + FX_ROUND(%s, NR_OF(float)) * %s)",
        c_size(w, ATTENTION_BATCH), c_size(w, ATTENTION_KEY), room(w, KEYS),
        c_size(w, ATTENTION_COLUMN), room(w, COLUMNS));
}

bool c_attention_has_threads(const Writer *w) {
    const Dims *d = w->b->indices->dims;
    const Dim *size = w->b->indices->extent;
    int64_t batch, queries, keys;
    return !dim_is_const(d, size[ATTENTION_BATCH], &batch) ||
           !dim_is_const(d, size[ATTENTION_QUERY], &queries) ||
           !dim_is_const(d, size[ATTENTION_KEY], &keys) ||
           (double)batch * (double)queries * (double)keys >= w->tile->parallel;
}

static void add_sizes(const Writer *w, Fills *fills) {
    const bool threads = c_attention_has_threads(w);
    const Fill own[] = {
        {"M_PANELS", arena_printf(w->arena, "%d", w->tile->m)},
        {"N_PANELS", arena_printf(w->arena, "%d", w->tile->n)},
        {"PARALLEL", arena_printf(w->arena, "%d", w->tile->parallel)},
        {"BATCH", c_size(w, ATTENTION_BATCH)},
        {"QUERIES", c_size(w, ATTENTION_QUERY)},
        {"KEYS", c_size(w, ATTENTION_KEY)},
        {"DEPTH", c_size(w, ATTENTION_DEPTH)},
        {"COLUMNS", c_size(w, ATTENTION_COLUMN)},
        {"THREADS", threads ? "yes" : ""},
        {"THREAD_BYTES", c_attention_scratch(w)},
        {"OWN_SCRATCH", threads ? "scratch + fx_thread() * thread_bytes" : "scratch"},
    };
    FILLS_ADD(w->arena, fills, own);
}

static CPanels panels_of(const Writer *w, Part part, const char *to, const char *size) {
    CPanels panels =
        c_whole_panels(w, operand_of(w, part), own_axis(part), step_axis(part), to, size);
    if (panels.function && is_bf16(w))
        panels.function = part == QUERIES ? "pack_a_%s_%s" : "pack_b_%s_%s";
    if (part != QUERIES) return panels;
    panels.first = "m_start";
    panels.stop = "m_end";
    panels.width = panel_rows(w);
    return panels;
}

static void add_operands(Pieces *p, Fills *fills) {
    Writer *w = p->w;
    const bool pairs = is_bf16(w);
    const CPanels keys = panels_of(w, KEYS, "keys_at", "key_panel");
    const CPanels columns = panels_of(w, COLUMNS, "columns_at", "column_panel");
    const CPanels queries = panels_of(w, QUERIES, "queries", "query_panel");
    const Fill own[] = {
        {"PADS_KEYS", keys.function ? "" : "yes"},
        {"PADS_COLUMNS", columns.function ? "" : "yes"},
        {"PADS_QUERIES", queries.function ? "" : "yes"},
        {"PAIRS_KEYS", !keys.function && pairs ? "yes" : ""},
        {"PAIRS_COLUMNS", !columns.function && pairs ? "yes" : ""},
        {"PAIRS_QUERIES", !queries.function && pairs ? "yes" : ""},
        {"pack_keys", c_pack(w, operand_of(w, KEYS), &keys)},
        {"pack_columns", c_pack(w, operand_of(w, COLUMNS), &columns)},
        {"pack_queries", c_pack(w, operand_of(w, QUERIES), &queries)},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* The micro-kernels of both products, and what they are given. */
static void add_products(const Writer *w, Fills *fills) {
    const bool pairs = is_bf16(w), has_whole_tiles = c_is_whole(w, ATTENTION_KEY, 32);
    const Fill own[] = {
        {"MR", panel_rows(w)},
        {"TILES", pairs ? "yes" : ""},
        {"QUERY_STEPS", room(w, QUERIES)},
        {"KEY_STEPS", room(w, KEYS)},
        {"COLUMN_STEPS", room(w, COLUMNS)},
        {"SCORE_STEPS", lanes_of(w, c_size(w, ATTENTION_DEPTH))},
        {"FIRST_STEP", lanes_of(w, "n_start")},
        {"WEIGHT_STEPS", lanes_of(w, "n_end - n_start")},
        {"PADS_WEIGHTS", pairs && !has_whole_tiles ? "yes" : ""},
        {"SCORES_OF", pairs ? "tile_sums_bf16" : "tile_sums_f32"},
        {"SUMS_OF", pairs ? "tile_sums_weights_bf16" : "tile_sums_across_f32"},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* Which tiles of scores are skipped, and which need no mask. */
static void add_mask(Writer *w, const TileMask *mask, Fills *fills) {
    const MaskText rows = tile_mask_rows(w, mask->masked.reads | mask->clear.reads);
    const uint64_t reads = mask->masked.reads | mask->clear.reads | rows.reads;
    const char *masked = mask->masked.text, *clear = mask->clear.text;
    const Fill own[] = {
        {"MASKED", masked ? masked : ""},
        {"MASK_ROWS", rows.text},
        {"M_LAST", reads & READS_M_LAST ? "yes" : ""},
        {"N_LAST", reads & READS_N_LAST ? "yes" : ""},
        {"CLEAR", clear ? clear : ""},
        {"PLAIN", clear ? "" : "yes"},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* From scores to weights, and the row values of the results. */
static void add_softmax(Pieces *p, bool has_clear, const Stores *finish, Fills *fills) {
    bool shift_reads_lanes;
    const char *shifts = shift(p, &shift_reads_lanes);
    const Fill own[] = {
        {"SHIFT_LANES", shift_reads_lanes ? "yes" : ""},
        {"KEY_LANES", has_whole_keys(p->w) ? "" : "yes"},
        {"score", score(p, PIECE_SCORES)},
        {"clear_score", has_clear ? score(p, PIECE_UNMASKED) : ""},
        {"row_shift", shifts},
        {"weight", weight(p)},
        {"row_results", row_values(p, finish)},
        {"FINISH_LANES", finish->reads_lanes ? "yes" : ""},
        {"finish", finish->text},
    };
    FILLS_ADD(p->w->arena, fills, own);
}

void c_attention(Writer *w, Text *body) {
    Pieces p = {w, w->b->attention};
    Fills fills = {0};
    TileMask mask = tile_mask(w, p.attention.x);
    const Stores finish = stores(&p, PIECE_RESULTS);
    w->used.packed = w->used.scratch = true;
    add_sizes(w, &fills);
    add_mask(w, &mask, &fills);
    add_operands(&p, &fills);
    add_products(w, &fills);
    add_softmax(&p, mask.clear.text != NULL, &finish, &fills);
    template_fill("c/attention.c", fills.at, fills.count, body);
}
