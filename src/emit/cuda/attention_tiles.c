/* attention_tiles.c: text that attentions on tensor cores share: scores, weights and results are in
 * a warp's registers in the layout of mma and wgmma accumulators.
 * In: AttentionForm, the template's names. Out: fills of the template. */
#include "emit/cuda/attention.h"

#include <string.h>

enum {
    PAIR = 2,     /* adjacent elements of a result row in a thread */
    OCTET = 8,    /* the same after lanes of four have exchanged them */
    OF_QUAD = 32, /* columns that such lanes share out */
};

static Dim extent(const AttentionTiles *m, int axis) { return m->c->w.b->indices->extent[axis]; }
static const char *dim(const AttentionTiles *m, int axis) {
    return cuda_dim(m->c, extent(m, axis));
}

bool attention_is_whole(const AttentionTiles *m, int axis, int64_t tile) {
    return cuda_is_whole(m->c, axis, tile);
}

const char *attention_position(const AttentionTiles *m, uint32_t axes, int axis, const char *at) {
    if (!(axes >> axis & 1)) return "";
    return arena_printf(m->k->arena, "const %s %s = %s;\n", m->c->index, m->c->w.axis_name[axis],
                        at);
}

/* Does a load below the value, which is a score or computed of an exponential, have an address that
 * changes with the axis? */
static bool loads_along(const AttentionTiles *m, int value, int axis) {
    const Body *b = m->c->w.b;
    const Value *v = &b->values.at[value];
    if (v->kind == V_LOAD && index_axes(b, v->ix) >> axis & 1) return true;
    for (int i = 0; i < value_sources(v); i++)
        if (v->src[i] != b->attention.e && loads_along(m, v->src[i], axis)) return true;
    return false;
}

/* "const int at_n = ..;" of an axis among these: inside, where something is loaded there. */
static const char *inner_position(const AttentionTiles *m, uint32_t axes, int axis, const char *at,
                                  int64_t tile, int x) {
    if (attention_is_whole(m, axis, tile) || !loads_along(m, x, axis))
        return attention_position(m, axes, axis, at);
    const char *n = dim(m, axis);
    return attention_position(m, axes, axis,
                              arena_printf(m->k->arena, "%s < %s ? %s : %s - 1", at, n, at, n));
}

const char *attention_row_of_pair(const AttentionTiles *m, const AttentionNames *names) {
    const int x = m->pairs[0].value;
    return inner_position(m, 1u << ATTENTION_QUERY, ATTENTION_QUERY, names->weight_query,
                          m->c->tile.m, x);
}

/* The key of a score, which may be beyond the last one. */
static const char *key_at(const AttentionTiles *m, const AttentionNames *names,
                          const AttentionPiece *piece, int x) {
    const bool is_named = piece->axes >> ATTENTION_KEY & 1 && !loads_along(m, x, ATTENTION_KEY);
    return is_named ? m->c->w.axis_name[ATTENTION_KEY] : names->key;
}

/* Where a score is, as far as its text reads it. */
static const char *score_at(const AttentionTiles *m, const AttentionNames *names,
                            const AttentionPiece *piece, int x, bool all_keys) {
    const uint32_t axes = piece->axes;
    const Tile *t = &m->c->tile;
    const char *at = inner_position(m, axes, ATTENTION_QUERY, names->query, t->m, x);
    const char *keys = all_keys ? attention_position(m, axes, ATTENTION_KEY, names->key)
                                : inner_position(m, axes, ATTENTION_KEY, names->key, t->n, x);
    return arena_printf(m->k->arena, "%s%s", at, keys);
}

/* The same of a weight. */
static const char *weight_at(const AttentionTiles *m, const AttentionNames *names,
                             const AttentionPiece *weight) {
    const int x = m->form->attention.weights;
    const Tile *t = &m->c->tile;
    const char *at = inner_position(m, weight->axes, ATTENTION_QUERY, names->weight_query, t->m, x);
    const char *key = inner_position(m, weight->axes, ATTENTION_KEY, names->weight_key, t->n, x);
    return arena_printf(m->k->arena, "%s%s", at, key);
}

/* Chooses how many neighbouring results are stored at a time: more than a pair if lanes of four
 * exchange them before. */
static void choose_pack(AttentionTiles *m, const AttentionNames *names) {
    Alignments alignments = {0};
    if (names->quad_out && attention_is_whole(m, ATTENTION_COLUMN, OF_QUAD)) {
        cuda_choose_pack(m->c, PIECE_RESULTS, 0, ATTENTION_COLUMN, OCTET, &alignments);
        m->by_quads = m->c->vector > PAIR;
    }
    cuda_choose_pack(m->c, PIECE_RESULTS, 0, ATTENTION_COLUMN, m->by_quads ? OCTET : PAIR,
                     &m->alignments);
}

/* What reads neighbouring results. */
static AttentionStores stores(AttentionTiles *m, const AttentionNames *names) {
    CudaWriter *c = m->c;
    const Body *b = c->w.b;
    Text elements = text_new(m->k->arena);
    choose_pack(m, names);
    cuda_begin_elements(c, &elements);
    AttentionStores made =
        attention_names(c, &m->form->attention, m->by_quads ? names->quad_out : names->out);
    for (int i = 0; i < b->stores.count; i++)
        if (!b->stores.at[i].of_row) declare_value(&c->w, b->stores.at[i].value);
    for (int i = 0; i < b->stores.count; i++)
        if (!b->stores.at[i].of_row) cuda_store_element(&c->w, i);
    made.text = cuda_end_elements(c, &elements);
    return made;
}

static const char *scale_lines(Arena *arena, double scale, const char *lines) {
    if (scale == 1) return lines;
    return arena_printf(arena, "largest *= %s;\n%s", float_text(arena, scale, true), lines);
}

/* Scores of a masked tile, and of one without mask. */
typedef struct Scores {
    TileMask mask;
    AttentionPiece x, open, weight;
    const char *at, *at_open; /* where they are, as far as their texts read it */
    const char *key_at;
    const char *whole;    /* when all keys of the tile are inside; "": always */
    const char *is_clear; /* and no mask changes a score; "": always */
    double scale;         /* that scores are multiplied by later */
    bool masks_late;      /* what is computed of a score is computed in all tiles */
} Scores;

static Scores scores_of(AttentionTiles *m, const AttentionNames *names) {
    const AttentionValues *p = &m->form->attention;
    Arena *arena = m->k->arena;
    Scores s = {.mask = tile_mask(&m->c->w, p->x), .whole = ""};
    const char *clear = s.mask.clear.text;
    int scaled;
    s.scale = names->scales_late ? attention_scale(m->c->w.b, &scaled) : 1;
    s.masks_late = s.scale == 1 && clear && attention_masked(m->c->w.b);
    s.x = attention_score(m->c, s.masks_late ? PIECE_MASKED : PIECE_SCORES, names->score, m->pairs,
                          m->pair_count);
    s.open = attention_score(m->c, clear ? PIECE_UNMASKED : PIECE_SCORES, names->score, m->pairs,
                             m->pair_count);
    if (!attention_is_whole(m, ATTENTION_KEY, m->c->tile.n))
        s.whole = arena_printf(arena, "n_start + tile_n <= %s", dim(m, ATTENTION_KEY));
    s.is_clear = clear ? clear : s.whole;
    if (*s.whole && clear) s.is_clear = arena_printf(arena, "%s && (%s)", s.whole, clear);
    s.weight = attention_weight(m->c);
    s.at_open = score_at(m, names, &s.open, p->x, true);
    s.at = score_at(m, names, &s.x, p->x, false);
    s.key_at = key_at(m, names, &s.x, p->x);
    return s;
}

/* What conditions of the tile mention of its queries alone: for masked tiles, and, unless both are
 * declared in one scope, again for clear ones. Remainders read both ends of the queries, or
 * neither. */
static void add_mask_rows(CudaWriter *c, const TileMask *mask, bool one_scope, Fills *fills) {
    Arena *arena = c->w.arena;
    const uint64_t declared = one_scope ? mask->masked.reads : 0;
    const MaskText masked = tile_mask_rows(&c->w, mask->masked.reads);
    const MaskText clear = tile_mask_rows(&c->w, mask->clear.reads & ~declared);
    const char *at_masked = attention_tile_at(c, "tile_n", masked.reads);
    const char *at_clear =
        attention_tile_at(c, "tile_n", clear.reads & ~(one_scope ? masked.reads : 0));
    const Fill made[] = {{"MASK_ROWS", arena_printf(arena, "%s%s", at_masked, masked.text)},
                         {"CLEAR_ROWS", arena_printf(arena, "%s%s", at_clear, clear.text)}};
    FILLS_ADD(arena, fills, made);
}

static void add_scores(AttentionTiles *m, const AttentionNames *names, const Scores *s,
                       Fills *fills) {
    Arena *arena = m->k->arena;
    const bool changes = strcmp(s->open.value, names->score), all = !*s->is_clear || s->masks_late;
    const MaskText masked = s->mask.masked;
    m->changes_scores = changes;
    const uint32_t axes = s->open.axes | s->x.axes | s->weight.axes;
    uint64_t reads = s->mask.clear.reads;
    if (axes >> ATTENTION_QUERY & 1) reads |= READS_M_START;
    if (axes >> ATTENTION_KEY & 1 || *s->is_clear) reads |= READS_N_START;
    const Fill made[] = {{"MASKED", masked.text ? masked.text : ""},
                         {"IS_CLEAR", s->is_clear},
                         {"MASKED_AT", attention_tile_at(m->c, "tiles * tile_n", masked.reads)},
                         {"CLEAR_AT_TILE", attention_tile_at(m->c, "tile_n", reads)},
                         {"CHANGES_ALL", changes && all ? "1" : ""},
                         {"CHANGES_CLEAR", changes && !all ? "1" : ""},
                         {"CLEAR_AT", s->at_open},
                         {"CLEAR_LINES", s->open.lines},
                         {"CLEAR_SCORE", s->open.value},
                         {"WHOLE_KEYS", *s->whole ? "" : "1"},
                         {"RAGGED_KEYS", *s->whole ? "1" : ""},
                         {"SCORE_AT", s->at},
                         {"KEY_AT", s->key_at},
                         {"SCORE_LINES", s->x.lines},
                         {"SCORE", s->x.value},
                         {"WEIGHT_AT", weight_at(m, names, &s->weight)},
                         {"WEIGHT_LINES", s->weight.lines},
                         {"WEIGHT", s->weight.value}};
    FILLS_ADD(arena, fills, made);
    add_mask_rows(m->c, &s->mask, !names->skips_apart, fills);
}

/* From scores to weights, and what is stored of a row. */
static void add_rows(AttentionTiles *m, const AttentionNames *names,
                     const AttentionStores *elements, double scale, Fills *fills) {
    const AttentionValues *p = &m->form->attention;
    CudaWriter *c = m->c;
    AttentionPiece shift = attention_shift(c);
    AttentionPiece exponent = attention_exponent(c, scale);
    const double least_shift = attention_masked_below(c) * LOG2_E;
    const AttentionStores rows = attention_stores(c, p, PIECE_ROWS, "");
    const char *values = attention_row_values(c, &rows, elements, names->sum, names->max, 4);
    const Fill made[] = {{"SHIFT_LINES", scale_lines(m->k->arena, scale, shift.lines)},
                         {"SHIFT", shift.value},
                         {"LEAST_SHIFT", float_text(m->k->arena, least_shift, true)},
                         {"EXPONENT_LINES", exponent.lines},
                         {"EXPONENT", exponent.value},
                         {"ROW_VALUES", values},
                         {"ROW_STORES", rows.text},
                         {"KEEPS_MAX", rows.reads_max || elements->reads_max ? "1" : ""}};
    FILLS_ADD(m->k->arena, fills, made);
}

void attention_fills(AttentionTiles *m, const AttentionNames *names, Fills *fills) {
    CudaWriter *c = m->c;
    const AttentionStores elements = stores(m, names);
    const char *vector = cuda_number(m->k->arena, c->vector);
    c->wide = false;
    const Scores scores = scores_of(m, names);
    m->is_skipped_by_data = scores.mask.masked.reads & READS_DATA;
    add_scores(m, names, &scores, fills);
    add_rows(m, names, &elements, scores.scale, fills);
    const Fill made[] = {
        {"IDX", c->index},
        {"TO_IDX", c->to_index},
        {"TO_INT", c->to_int},
        {"QUERIES", dim(m, ATTENTION_QUERY)},
        {"KEYS", dim(m, ATTENTION_KEY)},
        {"COLUMNS", dim(m, ATTENTION_COLUMN)},
        {"PACK", m->form->values == T_F16 ? "to_f16x2" : "to_bf16x2"},
        {"IS_PARTIAL", attention_is_whole(m, ATTENTION_COLUMN, 16) ? "" : "1"},
        {"VECTOR", vector},
        {"QUADS", m->by_quads ? "1" : ""},
        {"PIECE", m->by_quads ? "32" : "8"},
        {"PARTS", m->by_quads ? "8" : "2"},
        {"AT_LANE", m->by_quads ? "4 * pair" : "pair"},
        {"STORES", elements.text},
    };
    FILLS_ADD(m->k->arena, fills, made);
    attention_next_tile(m->c, &scores.mask.masked, true, fills);
}
