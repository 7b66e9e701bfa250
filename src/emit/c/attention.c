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

/* The shift of a row from its maximum so far. */
static const char *shift(Pieces *p) {
    Writer *w = p->w;
    Text text = c_piece(w, PIECE_SHIFT, 0, -1), *out = w->out;
    w->out = &text;
    w->name[result_of(p, p->attention.max)] = "largest";
    declare_as(w, p->attention.shift, "shift");
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
    declare_value(w, p->attention.weights);
    write_line(w, "st_f32(&scores[row][i2 - n_start], %s, VL);",
               value_text(w, p->attention.weights));
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

/* A thread's queries and accumulators; see the template. */
const char *c_attention_scratch(const Writer *w) {
    return arena_printf(
        w->arena, "%d * (int64_t)sizeof(float) * (MR * %s + VL + MR * FX_ROUND(%s, NR_OF(float)))",
        w->tile->m, c_size(w, ATTENTION_DEPTH), c_size(w, ATTENTION_COLUMN));
}

const char *c_attention_packed(const Writer *w) {
    const char *keys = c_size(w, ATTENTION_KEY);
    return arena_printf(
        w->arena, "4 * %s * (FX_ROUND(%s, NR_OF(float)) * %s + FX_ROUND(%s, NR_OF(float)) * %s)",
        c_size(w, ATTENTION_BATCH), keys, c_size(w, ATTENTION_DEPTH), c_size(w, ATTENTION_COLUMN),
        keys);
}

static void add_sizes(const Writer *w, Fills *fills) {
    const Fill own[] = {
        {"M_PANELS", arena_printf(w->arena, "%d", w->tile->m)},
        {"N_PANELS", arena_printf(w->arena, "%d", w->tile->n)},
        {"PARALLEL", arena_printf(w->arena, "%d", w->tile->parallel)},
        {"BATCH", c_size(w, ATTENTION_BATCH)},
        {"QUERIES", c_size(w, ATTENTION_QUERY)},
        {"KEYS", c_size(w, ATTENTION_KEY)},
        {"DEPTH", c_size(w, ATTENTION_DEPTH)},
        {"COLUMNS", c_size(w, ATTENTION_COLUMN)},
        {"THREAD_BYTES", c_attention_scratch(w)},
    };
    FILLS_ADD(w->arena, fills, own);
}

static void add_operands(Pieces *p, Fills *fills) {
    Writer *w = p->w;
    const Accumulator *scores = &w->b->accs.at[p->attention.scores],
                      *out = &w->b->accs.at[p->attention.out];
    const CPanels keys =
        c_whole_panels(w, scores->index, ATTENTION_KEY, ATTENTION_DEPTH, "keys_at", "key_panel");
    const CPanels columns = c_whole_panels(w, out->index, ATTENTION_COLUMN, ATTENTION_KEY,
                                           "columns_at", "column_panel");
    CPanels queries = c_whole_panels(w, scores->value, ATTENTION_QUERY, ATTENTION_DEPTH, "queries",
                                     "query_panel");
    queries.first = "m_start";
    queries.stop = "m_end";
    queries.width = "MR";
    const Fill own[] = {
        {"PADS_KEYS", keys.function ? "" : "yes"},
        {"PADS_COLUMNS", columns.function ? "" : "yes"},
        {"PADS_QUERIES", queries.function ? "" : "yes"},
        {"pack_keys", c_pack(w, scores->index, &keys)},
        {"pack_columns", c_pack(w, out->index, &columns)},
        {"pack_queries", c_pack(w, scores->value, &queries)},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* Which tiles of scores are skipped, and which need no mask. */
static void add_mask(Writer *w, const TileMask *mask, Fills *fills) {
    const MaskText rows = tile_mask_rows(w, mask->masked.reads | mask->clear.reads);
    const uint64_t reads = mask->masked.reads | mask->clear.reads | rows.reads;
    const char *masked = mask->masked.text, *clear = mask->clear.text;
    const Fill own[] = {
        {"MASKED", masked ? masked : ""}, {"PLAIN", masked ? "" : "yes"},
        {"MASK_ROWS", rows.text},         {"M_LAST", reads & READS_M_LAST ? "yes" : ""},
        {"CLEAR", clear ? clear : ""},
    };
    FILLS_ADD(w->arena, fills, own);
}

/* From scores to weights, and the row values of the results. */
static void add_softmax(Pieces *p, bool has_clear, const Stores *finish, Fills *fills) {
    const Fill own[] = {
        {"KEY_LANES", has_whole_keys(p->w) ? "" : "yes"},
        {"score", score(p, PIECE_SCORES)},
        {"clear_score", has_clear ? score(p, PIECE_UNMASKED) : ""},
        {"row_shift", shift(p)},
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
    add_softmax(&p, mask.clear.text != NULL, &finish, &fills);
    template_fill("c/attention.c", fills.at, fills.count, body);
}
