/* attention_pairs.c: what the scores of an attention by wgmma load for each query and key, such as
 * a bias: a thread loads both keys of a pair at a time and, where registers are left, all of a tile
 * before it waits for the tile's products.
 * In: the values that scores load. Out: text that loads them, and their names. */
#include "emit/cuda/attention.h"

enum {
    OTHERS = 48, /* registers besides scores, results, weights, and what scores load */
    MISSING = 32 /* registers, at most, of which pairs are still worth while */
};

/* Before a tile's products are waited for, behind that, or one by one. */
typedef enum PairPlace { PAIRS_AHEAD, PAIRS_LATE, PAIRS_NOT } PairPlace;

static bool is_half_or_float(Dtype type) {
    return type == T_BF16 || type == T_F16 || type == T_F32;
}

/* Do pairs start at even places, whatever the row and the batch? */
static bool is_even(const Body *b, const Value *v) {
    const uint32_t axes = 1u << ATTENTION_BATCH | 1u << ATTENTION_QUERY | 1u << ATTENTION_KEY;
    Dims *d = b->indices->dims;
    const IxNode *n = &b->indices->node.at[v->ix];
    const Dim two = dim_const(d, 2);
    Dim step = 0;
    if (n->dynamic || index_axes(b, v->ix) & ~axes) return false;
    if (index_along(b, v->ix, ATTENTION_KEY, &step) != 1 || !dim_is(d, step, 1)) return false;
    if (!dim_divides(d, two, n->offset)) return false;
    for (int i = 0; i < n->count; i++) {
        const bool is_key = b->indices->atom.at[n->term[i].atom].axes == 1u << ATTENTION_KEY;
        if (!is_key && !dim_divides(d, two, n->term[i].scale)) return false;
    }
    return true;
}

/* Adds the loads below a score; the contraction itself is no load of it. */
static void find_pairs(AttentionTiles *m, int value) {
    const Body *b = m->c->w.b;
    const Value *v = &b->values.at[value];
    for (int i = 0; i < value_sources(v); i++) find_pairs(m, v->src[i]);
    if (v->kind != V_LOAD || v->guard || !is_half_or_float(v->type) || !is_even(b, v)) return;
    for (int i = 0; i < m->pair_count; i++)
        if (m->pairs[i].value == value) return;
    if (m->pair_count < ATTENTION_PAIRS) m->pairs[m->pair_count++].value = value;
}

/* Registers of a consumer thread that it takes to load all pairs of a tile beside products that are
 * under way. */
static int registers_of(const AttentionTiles *m) {
    const Body *b = m->c->w.b;
    const Tile *t = &m->c->tile;
    int words = 0;
    for (int i = 0; i < m->pair_count; i++)
        words += 2 * (int)dtype_size(b->values.at[m->pairs[i].value].type) / 4;
    const int sums = t->n / 2 + 16 * m->form->column_steps / 2 + t->n / 4;
    return sums + words * t->n / 4 + OTHERS;
}

/* Where too many are missing, compilers keep pairs in local memory: on an H200 8 x 12 heads of 1024
 * x 128 with a bias of f32 took 362 us in tiles of 176 keys, for which 92 were missing, and 247
 * with loads one by one; with 128 keys, and 32 missing, 158. */
static PairPlace place_of(const AttentionTiles *m) {
    const int left = tile_attention_wgmma_registers(&m->c->tile).consumer - registers_of(m);
    return left >= 0 ? PAIRS_AHEAD : left >= -MISSING ? PAIRS_LATE : PAIRS_NOT;
}

/* Behind the last key, the last pair. */
static const char *key_of_pair(AttentionTiles *m) {
    CudaWriter *c = m->c;
    const char *at = "n_start + 8 * j + pair", *name = c->w.axis_name[ATTENTION_KEY];
    if (!attention_is_whole(m, ATTENTION_KEY, c->tile.n)) {
        const char *keys = cuda_dim(c, c->w.b->indices->extent[ATTENTION_KEY]);
        at = arena_printf(m->k->arena, "%s < %s ? %s : %s - 2", at, keys, at, keys);
    }
    return arena_printf(m->k->arena, "const %s %s = %s;\n", c->index, name, at);
}

/* "bias_pairs[2 * j + half] = load_pack_if<2>(wide, bias + ..);" */
static const char *pair_lines(AttentionTiles *m, const AttentionNames *names) {
    CudaWriter *c = m->c;
    Text out = text_new(m->k->arena);
    text_str(&out, attention_row_of_pair(m, names));
    text_str(&out, key_of_pair(m));
    for (int i = 0; i < m->pair_count; i++) {
        const Value *v = &c->w.b->values.at[m->pairs[i].value];
        text_printf(&out, "%s[2 * j + half] = load_pack_if<2>(wide, %s);\n", m->pairs[i].name,
                    address_text(&c->w, v->attr, v->ix));
    }
    return text_get(&out);
}

/* Arrays of a tile's pairs, and their loads in a scope. */
static const char *load_text(AttentionTiles *m, const AttentionNames *names) {
    CudaWriter *c = m->c;
    Text out = text_new(m->k->arena);
    for (int i = 0; i < m->pair_count; i++)
        text_printf(&out, "Pack<%s, 2> %s[tile_n / 4];\n",
                    cuda_storage(c->w.b->values.at[m->pairs[i].value].type), m->pairs[i].name);
    text_str(&out, "{\n");
    text_indented(&out, attention_tile_at(c, "tile_n", READS_M_START | READS_N_START), 4);
    text_str(&out, "#pragma unroll\n    for (int j = 0; j < tile_n / 8; j++)\n#pragma unroll\n"
                   "        for (int half = 0; half < 2; half++) {\n");
    text_indented(&out, pair_lines(m, names), 12);
    text_str(&out, "        }\n}\n");
    return text_get(&out);
}

void attention_add_pairs(AttentionTiles *m, const AttentionNames *names, Fills *fills) {
    CudaWriter *c = m->c;
    Dims *d = c->w.b->indices->dims;
    writer_piece(&c->w, PIECE_SCORES, 0, ATTENTION_KEY);
    if (dim_divides(d, dim_const(d, 2), c->w.b->indices->extent[ATTENTION_KEY]))
        find_pairs(m, m->form->attention.x);
    const PairPlace place = place_of(m);
    if (place == PAIRS_NOT) m->pair_count = 0;
    for (int i = 0; i < m->pair_count; i++) {
        const int value = m->pairs[i].value;
        const Dtype type = c->w.b->values.at[value].type;
        m->pairs[i].name = arena_printf(m->k->arena, "%s_pairs", value_stem(&c->w, value));
        m->pairs[i].element =
            arena_printf(m->k->arena, "%s[2 * j + part / 2].at[part %% 2]", m->pairs[i].name);
        cuda_add_row_alignments(c, value, 2 * (int)dtype_size(type), &m->alignments);
    }
    const char *loads = m->pair_count ? load_text(m, names) : "";
    const Fill made[] = {{"PAIRS_AHEAD", place == PAIRS_AHEAD ? loads : ""},
                         {"PAIRS", place == PAIRS_LATE ? loads : ""}};
    FILLS_ADD(m->k->arena, fills, made);
}
