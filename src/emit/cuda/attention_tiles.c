/* attention_tiles.c: text that attentions on tensor cores share: a tile of scores, weights and
 * results is in registers of a warp, as mma and wgmma leave it. In: AttentionForm, names that the
 * template has for what is there. Out: what fills the template. */
#include "emit/cuda/attention.h"

#include <string.h>

enum { PAIR = 2 }; /* elements of a row of the result that a thread has side by side */

static Dim extent(const AttentionTiles *m, int axis) { return m->c->w.b->indices->extent[axis]; }
static const char *dim(const AttentionTiles *m, int axis) {
    return cuda_dim(m->c, extent(m, axis));
}

bool attention_is_whole(const AttentionTiles *m, int axis, int64_t tile) {
    Dims *d = m->c->w.b->indices->dims;
    return dim_divides(d, dim_const(d, tile), extent(m, axis));
}

const char *attention_position(const AttentionTiles *m, int axis, const char *at,
                               const char *text) {
    const char *name = m->c->w.axis_name[axis];
    if (!text_mentions(text, name)) return "";
    return arena_printf(m->k->arena, "const %s %s = %s;\n", m->c->index, name, at);
}

/* Is anything below the value loaded from a place that moves with the axis? */
static bool loads_along(const AttentionTiles *m, int value, int axis) {
    const Body *b = m->c->w.b;
    const Value *v = &b->values.at[value];
    if (v->kind == V_LOAD && index_axes(b, v->ix) >> axis & 1) return true;
    for (int i = 0; i < value_sources(v); i++)
        if (loads_along(m, v->src[i], axis)) return true;
    return false;
}

/* "const int at_n = ..;" where the text mentions it: inside, where something is loaded there. */
static const char *inner_position(const AttentionTiles *m, int axis, const char *at, int64_t tile,
                                  int x, const char *text) {
    if (attention_is_whole(m, axis, tile) || !loads_along(m, x, axis))
        return attention_position(m, axis, at, text);
    const char *n = dim(m, axis);
    return attention_position(
        m, axis, arena_printf(m->k->arena, "%s < %s ? %s : %s - 1", at, n, at, n), text);
}

/* Where a score is, as far as the text mentions it. */
static const char *score_at(const AttentionTiles *m, const AttentionNames *names,
                            AttentionPiece piece, int x, bool all_keys) {
    const char *text = arena_printf(m->k->arena, "%s%s", piece.lines, piece.value);
    const Tile *t = &m->c->tile;
    const char *at = inner_position(m, ATTENTION_QUERY, names->query, t->m, x, text);
    const char *keys = all_keys ? attention_position(m, ATTENTION_KEY, names->key, text)
                                : inner_position(m, ATTENTION_KEY, names->key, t->n, x, text);
    return arena_printf(m->k->arena, "%s%s", at, keys);
}

/* Where the tile of queries and `keys` keys starts and ends, as far as the text mentions it. */
static const char *tile_at(const AttentionTiles *m, const char *keys, const char *text) {
    const struct {
        const char *last, *start, *tile, *each, *size;
        int axis;
    } sides[] = {{"m_last", "m_start", "m_tile", "tile_m", "tile_m", ATTENTION_QUERY},
                 {"n_last", "n_start", "n_tile", "tile_n", keys, ATTENTION_KEY}};
    Text out = text_new(m->k->arena);
    for (int i = 0; i < 2; i++) {
        const char *n = dim(m, sides[i].axis), *start = sides[i].start;
        bool last = text_mentions(text, sides[i].last);
        if (last || text_mentions(text, start))
            text_printf(&out, "const %s %s = (%s)renewed(%s) * %s;\n", m->c->index, start,
                        m->c->index, sides[i].tile, sides[i].each);
        if (last)
            text_printf(&out, "const %s %s = %s + %s < %s ? %s + %s - 1 : %s - 1;\n", m->c->index,
                        sides[i].last, start, sides[i].size, n, start, sides[i].size, n);
    }
    return text_get(&out);
}

/* What reads a pair of neighbouring results. */
static const char *stores(AttentionTiles *m, const char *out) {
    CudaWriter *c = m->c;
    const Body *b = c->w.b;
    Text elements = text_new(m->k->arena);
    int *roots = arena_array(m->k->arena, int, b->stores.count + 1), count = 0;
    for (int i = 0; i < b->stores.count; i++)
        if (!b->stores.at[i].of_row) roots[count++] = b->stores.at[i].value;
    cuda_choose_pack(c, ATTENTION_COLUMN, PAIR, roots, count, true, &m->condition);
    cuda_begin_elements(c, &elements);
    attention_names(c, &m->form->attention, out);
    for (int i = 0; i < count; i++) declare_value(&c->w, roots[i]);
    for (int i = 0; i < b->stores.count; i++)
        if (!b->stores.at[i].of_row) cuda_store_element(c, &b->stores.at[i]);
    return cuda_end_elements(c, &elements);
}

static const char *scale_lines(Arena *arena, double scale, const char *lines) {
    if (scale == 1) return lines;
    return arena_printf(arena, "largest *= %s;\n%s", float_text(arena, scale, true), lines);
}

/* Scores of a tile, and of one that no mask changes. */
typedef struct Scores {
    TileMask mask;
    AttentionPiece x, open;
    const char *at, *at_open; /* where they are, as far as their texts mention it */
    const char *whole;        /* when all keys of the tile are inside; "": always */
    const char *is_clear;     /* and no mask changes a score; "": always */
    double scale;             /* that scores are multiplied by later */
} Scores;

static Scores scores_of(AttentionTiles *m, const AttentionNames *names) {
    const AttentionValues *p = &m->form->attention;
    Arena *arena = m->k->arena;
    Scores s = {.mask = tile_mask(&m->c->w, p->x), .whole = ""};
    const int open = s.mask.clear ? p->unmasked : p->x;
    int scaled = 0;
    s.scale = names->scales_late ? attention_scale(m->c, p, &scaled) : 1;
    s.x = attention_score(m->c, p, p->x, names->score, scaled);
    s.open = attention_score(m->c, p, open, names->score, scaled);
    if (!attention_is_whole(m, ATTENTION_KEY, m->c->tile.n))
        s.whole = arena_printf(arena, "n_start + tile_n <= %s", dim(m, ATTENTION_KEY));
    s.is_clear = s.mask.clear ? s.mask.clear : s.whole;
    if (*s.whole && s.mask.clear)
        s.is_clear = arena_printf(arena, "%s && (%s)", s.whole, s.mask.clear);
    s.at_open = score_at(m, names, s.open, p->x, true);
    s.at = score_at(m, names, s.x, p->x, false);
    return s;
}

static void add_scores(AttentionTiles *m, const AttentionNames *names, const Scores *s,
                       Fills *fills) {
    Arena *arena = m->k->arena;
    const char *rows = tile_mask_rows(&m->c->w, &s->mask), *masked = s->mask.masked;
    const char *text = arena_printf(arena, "%s %s %s %s", s->is_clear, s->at_open, s->at,
                                    *s->is_clear ? "n_start" : "");
    if (!masked) masked = "";
    const Fill made[] = {
        {"MASKED", masked},
        {"MASK_ROWS", arena_printf(arena, "%s%s", tile_at(m, "tile_n", rows), rows)},
        {"IS_CLEAR", s->is_clear},
        {"ALWAYS_CLEAR", *s->is_clear ? "" : "1"},
        {"MASKED_AT", tile_at(m, "tiles * tile_n", masked)},
        {"CLEAR_AT_TILE", tile_at(m, "tile_n", text)},
        {"CLEAR_CHANGES", strcmp(s->open.value, names->score) ? "1" : ""},
        {"CLEAR_AT", s->at_open},
        {"CLEAR_LINES", s->open.lines},
        {"CLEAR_SCORE", s->open.value},
        {"WHOLE_KEYS", *s->whole ? "" : "1"},
        {"RAGGED_KEYS", *s->whole ? "1" : ""},
        {"SCORE_AT", s->at},
        {"SCORE_LINES", s->x.lines},
        {"SCORE", s->x.value}};
    FILLS_ADD(arena, fills, made);
}

/* From scores to weights, and what is stored of a row. */
static void add_rows(AttentionTiles *m, const AttentionNames *names, const char *elements,
                     double scale, Fills *fills) {
    const AttentionValues *p = &m->form->attention;
    CudaWriter *c = m->c;
    AttentionPiece shift = attention_finite_shift(c, p);
    AttentionPiece exponent = attention_exponent(c, p, scale);
    AttentionPiece weight = attention_weight(c, p, m->form->values);
    const char *rows = attention_stores(c, p, 1, "");
    const char *values = attention_row_values(c, rows, elements, names->sum, names->max, 4);
    const Fill made[] = {{"SHIFT_LINES", scale_lines(m->k->arena, scale, shift.lines)},
                         {"SHIFT", shift.value},
                         {"EXPONENT_LINES", exponent.lines},
                         {"EXPONENT", exponent.value},
                         {"WEIGHT_LINES", weight.lines},
                         {"WEIGHT", weight.value},
                         {"ROW_VALUES", values},
                         {"ROW_STORES", rows},
                         {"KEEPS_MAX", text_mentions(values, "row_max") ? "1" : ""}};
    FILLS_ADD(m->k->arena, fills, made);
}

/* How masked tiles of keys are skipped: of what the other fills say of masks. */
static void add_next_tile(AttentionTiles *m, Fills *fills) {
    Text out = text_new(m->k->arena);
    template_fill("cuda/attention_next.cu", fills->at, fills->count, &out);
    vec_push(m->k->arena, fills, ((Fill){"NEXT_TILE", text_get(&out)}));
}

void attention_fills(AttentionTiles *m, const AttentionNames *names, Fills *fills) {
    CudaWriter *c = m->c;
    const char *elements = stores(m, names->out), *vector = cuda_number(m->k->arena, c->vector);
    c->wide = false;
    const Scores scores = scores_of(m, names);
    add_scores(m, names, &scores, fills);
    add_rows(m, names, elements, scores.scale, fills);
    const Fill made[] = {
        {"IDX", c->index},
        {"QUERIES", dim(m, ATTENTION_QUERY)},
        {"KEYS", dim(m, ATTENTION_KEY)},
        {"COLUMNS", dim(m, ATTENTION_COLUMN)},
        {"PACK", m->form->values == T_F16 ? "to_f16x2" : "to_bf16x2"},
        {"IS_PARTIAL", attention_is_whole(m, ATTENTION_COLUMN, 16) ? "" : "1"},
        {"VECTOR", vector},
        {"STORES", elements},
    };
    FILLS_ADD(m->k->arena, fills, made);
    add_next_tile(m, fills);
}
