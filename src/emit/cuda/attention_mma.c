/* attention_mma.c: attentions on tensor cores, by templates/cuda/attention_mma.cu: how
 * operands reach shared memory, and what becomes of scores and results in registers. In: Kernel of
 * family F_ATTENTION, its AttentionForm. Out: text and launch. */
#include "emit/cuda/attention.h"

enum { EACH = 8, MOST_UNROLLED = 2 }; /* elements of what is copied at a time; copies in a row */
enum { PAIR = 2 };                    /* elements of a row of the result that a thread has */

typedef struct Mma {
    CudaKernel *k;
    CudaWriter *c;
    const AttentionForm *form;
    Text condition; /* under which 16 bytes are moved at a time */
} Mma;

static const char *number(const Mma *m, int64_t n) { return cuda_number(m->k->arena, n); }
static Dim extent(const Mma *m, int axis) { return m->c->w.b->indices->extent[axis]; }
static const char *dim(const Mma *m, int axis) { return cuda_dim(m->c, extent(m, axis)); }

static bool is_whole(const Mma *m, int axis, int64_t tile) {
    Dims *d = m->c->w.b->indices->dims;
    return dim_divides(d, dim_const(d, tile), extent(m, axis));
}

/* ---- operands ------------------------------------------------------------------------------ */

/* Rows of an operand in shared memory: `rows` from `start` on along the axis `across`, and the
 * whole of the axis `along`, padded. */
typedef struct Operand {
    int value, across, along;
    Dtype type;
    int rows, row_elements;
    const char *start, *slot;
} Operand;

static const char *copied_text(Mma *m, const Operand *o) {
    CudaWriter *c = m->c;
    const Value *v = &c->w.b->values.at[o->value];
    cuda_choose_pack(c, o->along, EACH, &o->value, 1, false, &m->condition);
    return address_text(&c->w, v->attr, v->ix);
}

static const char *computed_text(Mma *m, const Operand *o) {
    CudaWriter *c = m->c;
    Text elements = text_new(m->k->arena);
    int value = value_unrounded(c->w.b, o->value, o->type);
    cuda_choose_pack(c, o->along, EACH, &value, 1, false, &m->condition);
    cuda_begin_elements(c, &elements);
    declare_value(&c->w, value);
    write_line(&c->w, "elements.at[part + l] = %s;",
               cuda_stored(c, o->type, value_text(&c->w, value)));
    return cuda_end_elements(c, &elements);
}

/* "const int at_n = n_start + row;" where the text mentions it. */
static const char *position(const Mma *m, int axis, const char *at, const char *text) {
    const char *name = m->c->w.axis_name[axis];
    if (!text_mentions(text, name)) return "";
    return arena_printf(m->k->arena, "const %s %s = %s;\n", m->c->index, name, at);
}

/* How many elements of a chunk are inside, or when a computed one is; "": always. */
static const char *inside(const Mma *m, const Operand *o, bool computed) {
    Arena *arena = m->k->arena;
    bool rows = !is_whole(m, o->across, o->rows);
    bool columns = !dim_is(m->c->w.b->indices->dims, extent(m, o->along), o->row_elements);
    const char *row = arena_printf(arena, "%s + row < %s", o->start, dim(m, o->across));
    if (computed) {
        const char *column = arena_printf(arena, "chunk * %d + part < %s", EACH, dim(m, o->along));
        if (rows && columns) return arena_printf(arena, "%s && %s", row, column);
        return rows ? row : columns ? column : "";
    }
    const char *count = number(m, EACH);
    if (columns) count = arena_printf(arena, "%s - chunk * %d", dim(m, o->along), EACH);
    return rows ? arena_printf(arena, "%s ? %s : 0", row, count) : count;
}

static const char *fetch(Mma *m, const Operand *o) {
    Arena *arena = m->k->arena;
    const bool computed = !operand_is_copied(m->c->w.b, o->value, o->along, o->type);
    const int chunks = o->row_elements / EACH, threads = m->c->tile.threads;
    const int items = (o->rows * chunks + threads - 1) / threads;
    const bool is_partial = o->rows * chunks % threads;
    const char *text = computed ? computed_text(m, o) : copied_text(m, o);
    const char *column = arena_printf(arena, "chunk * %d%s", EACH, computed ? " + part" : "");
    const char *row = arena_printf(arena, "%s + row", o->start);
    const char *test = inside(m, o, computed);
    Text out = text_new(arena);
    if (threads % chunks) BUG("attention: rows of %d chunks", chunks);
    const Fill fills[] = {
        {"TYPE", cuda_storage(o->type)},
        {"SLOT", o->slot},
        {"ITEMS", number(m, items)},
        {"ROW", arena_printf(arena, "(int)(thread / %d) + %d * item", chunks, threads / chunks)},
        {"CHUNK", arena_printf(arena, "(int)(thread %% %d)", chunks)},
        {"ROW_BYTES", number(m, 2 * o->row_elements)},
        {"EACH", number(m, EACH)},
        {"INSIDE", test},
        {"ARGUMENTS", arena_printf(arena, "%s, %s", text, test)},
        {"START", ""},
        {"NEXT", ""},
        {"ELEMENTS", text},
        {"AT_OWN", position(m, o->across, row, text)},
        {"AT_K", position(m, o->along, column, text)},
        {"VECTOR", number(m, m->c->vector)},
        {"IF_PARTIAL", is_partial ? "1" : ""},
        {"WHICH", "row"},
        {"MOST", number(m, o->rows)},
        {"UNROLL", number(m, items < MOST_UNROLLED ? items : MOST_UNROLLED)},
        {"IF_EDGE", test},
        {"IF_WHOLE", *test ? "" : "1"},
        {"IF_COPIED", computed ? "" : "1"},
        {"IF_COMPUTED", computed ? "1" : ""}};
    template_fill("cuda/mma_operand.cu", fills, (int)(sizeof fills / sizeof *fills), &out);
    return text_get(&out);
}

/* ---- the kernel ---------------------------------------------------------------------------- */

static const char *sizes(const Mma *m) {
    const AttentionForm *f = m->form;
    const Tile *t = &m->c->tile;
    return arena_printf(
        m->k->arena,
        "constexpr int tile_m = %d, tile_n = %d, pieces_m = %d; /* queries, keys; 16 queries */\n"
        "constexpr int warps_n = %d, warp_n = %d; /* warps with the same queries; keys of a warp "
        "*/\n"
        "constexpr int depth_steps = %d, column_steps = %d; /* of 16 elements */\n"
        "constexpr int depth_bytes = %d, column_bytes = %d; /* of a row in shared memory */\n",
        t->m, t->n, t->m / t->warps_m / 16, t->warps_n, t->n / t->warps_n, f->depth_steps,
        f->column_steps, 2 * f->depth_row, 2 * f->column_row);
}

/* Is anything below the value loaded from a place that moves with the axis? */
static bool loads_along(const Mma *m, int value, int axis) {
    const Body *b = m->c->w.b;
    const Value *v = &b->values.at[value];
    if (v->kind == V_LOAD && index_axes(b, v->ix) >> axis & 1) return true;
    for (int i = 0; i < value_sources(v); i++)
        if (loads_along(m, v->src[i], axis)) return true;
    return false;
}

/* "const int at_n = ..;" where the text mentions it: inside, where something is loaded there. */
static const char *inner_position(const Mma *m, int axis, const char *at, int64_t tile, int x,
                                  const char *text) {
    if (is_whole(m, axis, tile) || !loads_along(m, x, axis)) return position(m, axis, at, text);
    const char *n = dim(m, axis);
    return position(m, axis, arena_printf(m->k->arena, "%s < %s ? %s : %s - 1", at, n, at, n),
                    text);
}

/* Where a score is, as far as the text mentions it. */
static const char *score_at(const Mma *m, AttentionPiece piece, int x, bool all_keys) {
    const char *text = arena_printf(m->k->arena, "%s%s", piece.lines, piece.value);
    const char *query = "m_start + m_warp + 16 * i + 8 * (part / 2) + own_row";
    const char *key = "n_start + n_warp + 8 * j + pair + part % 2";
    const Tile *t = &m->c->tile;
    const char *at = inner_position(m, ATTENTION_QUERY, query, t->m, x, text);
    const char *keys = all_keys ? position(m, ATTENTION_KEY, key, text)
                                : inner_position(m, ATTENTION_KEY, key, t->n, x, text);
    return arena_printf(m->k->arena, "%s%s", at, keys);
}

/* Where the tile of queries and `keys` keys starts and ends, as far as the text mentions it. */
static const char *tile_at(const Mma *m, const char *keys, const char *text) {
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

static void set_launch(Mma *m) {
    CudaKernel *k = m->k;
    const Tile *t = &m->c->tile;
    k->threads = t->threads;
    k->blocks = t->blocks;
    k->block_x = number(m, t->threads);
    k->shared = number(m, tile_attention_shared(m->form, t));
    k->grid = cuda_blocks(m->c->w.b->indices->dims, extent(m, ATTENTION_QUERY), t->m, k->arena);
    if (!dim_is(m->c->w.b->indices->dims, extent(m, ATTENTION_BATCH), 1))
        k->grid = arena_printf(k->arena, "%s * %s", dim(m, ATTENTION_BATCH), k->grid);
    k->how = arena_printf(k->arena,
                          "Tensor cores, %s products; %d threads of about %d registers for each %d "
                          "queries, %d keys at a time",
                          dtype_name(m->form->scores), t->threads,
                          tile_attention_registers(m->form, t), t->m, t->n);
}

/* What reads a pair of neighbouring results. */
static const char *stores(Mma *m, const AttentionParts *p) {
    CudaWriter *c = m->c;
    const Body *b = c->w.b;
    Text elements = text_new(m->k->arena);
    int *roots = arena_array(m->k->arena, int, b->stores.count + 1), count = 0;
    for (int i = 0; i < b->stores.count; i++)
        if (!b->stores.at[i].of_row) roots[count++] = b->stores.at[i].value;
    cuda_choose_pack(c, ATTENTION_COLUMN, PAIR, roots, count, true, &m->condition);
    cuda_begin_elements(c, &elements);
    attention_names(c, p, "out[i][piece][2 * half + part + l]");
    for (int i = 0; i < count; i++) declare_value(&c->w, roots[i]);
    for (int i = 0; i < b->stores.count; i++)
        if (!b->stores.at[i].of_row) cuda_store_element(c, &b->stores.at[i]);
    return cuda_end_elements(c, &elements);
}

static const char *product(Dtype type) { return type == T_F16 ? "mma_f16" : "mma_bf16"; }

void cuda_attention_mma(CudaKernel *k, CudaWriter *c, const AttentionForm *form) {
    Mma m = {.k = k, .c = c, .form = form, .condition = text_new(k->arena)};
    const AttentionParts *p = &form->parts;
    Arena *arena = k->arena;
    const Body *b = c->w.b;
    const Accumulator *scores = &b->accs.at[p->scores], *out = &b->accs.at[p->out];
    const Tile *t = &c->tile;
    Operand q = {scores->value, ATTENTION_QUERY, ATTENTION_DEPTH, form->scores,
                 t->m,          form->depth_row, "m_start",       "q_slot"};
    Operand key = {scores->index, ATTENTION_KEY,   ATTENTION_DEPTH, form->scores,
                   t->n,          form->depth_row, "n_start",       "k_slot"};
    Operand v = {out->index, ATTENTION_KEY,    ATTENTION_COLUMN, form->values,
                 t->n,       form->column_row, "n_start",        "v_slot"};
    const char *fetch_q = fetch(&m, &q), *fetch_k = fetch(&m, &key), *fetch_v = fetch(&m, &v);
    const char *elements = stores(&m, p), *vector = number(&m, c->vector);
    c->wide = false;
    TileMask mask = tile_mask(&c->w, p->x);
    const char *mask_rows = tile_mask_rows(&c->w, &mask), *score = "score[i][j][part]";
    AttentionPiece x = attention_score(c, p, p->x, score),
                   open = attention_score(c, p, mask.clear ? p->unmasked : p->x, score);
    AttentionPiece shift = attention_finite_shift(c, p), exponent = attention_exponent(c, p);
    AttentionPiece weight = attention_weight(c, p, form->values);
    const char *rows = attention_stores(c, p, 1, "");
    const char *row_values =
        attention_row_values(c, rows, elements, "row_sum[i][half]", "row_max[i][half]", 4);
    const char *batch = arena_printf(arena, "const %s at_batch = blockIdx.x / grid_m;\n", c->index);
    if (dim_is(b->indices->dims, extent(&m, ATTENTION_BATCH), 1)) batch = "";
    const char *whole = is_whole(&m, ATTENTION_KEY, t->n)
                            ? ""
                            : arena_printf(arena, "n_start + tile_n <= %s", dim(&m, ATTENTION_KEY));
    const char *is_clear = mask.clear ? mask.clear : whole;
    if (*whole && mask.clear) is_clear = arena_printf(arena, "%s && (%s)", whole, mask.clear);
    const char *at_open = score_at(&m, open, p->x, true), *at_score = score_at(&m, x, p->x, false);
    const char *scores_text =
        arena_printf(arena, "%s %s %s %s", is_clear, at_open, at_score, *is_clear ? "n_start" : "");
    const Fill fills[] = {
        {"IDX", c->index},
        {"SIZES", sizes(&m)},
        {"QUERIES", dim(&m, ATTENTION_QUERY)},
        {"KEYS", dim(&m, ATTENTION_KEY)},
        {"COLUMNS", dim(&m, ATTENTION_COLUMN)},
        {"MULTIPLY_SCORES", product(form->scores)},
        {"MULTIPLY_VALUES", product(form->values)},
        {"PACK", form->values == T_F16 ? "to_f16x2" : "to_bf16x2"},
        {"AT_BATCH", batch},
        {"MASKED", mask.masked ? mask.masked : ""},
        {"MASK_ROWS", arena_printf(arena, "%s%s", tile_at(&m, "tile_n", mask_rows), mask_rows)},
        {"IS_CLEAR", is_clear},
        {"ALWAYS_CLEAR", *is_clear ? "" : "1"},
        {"MASKED_AT", tile_at(&m, "tiles * tile_n", mask.masked ? mask.masked : "")},
        {"CLEAR_AT_TILE", tile_at(&m, "tile_n", scores_text)},
        {"FETCH_QUERIES", fetch_q},
        {"FETCH_KEYS", fetch_k},
        {"FETCH_VALUES", fetch_v},
        {"CLEAR_AT", at_open},
        {"CLEAR_LINES", open.lines},
        {"CLEAR_SCORE", open.value},
        {"WHOLE_KEYS", *whole ? "" : "1"},
        {"RAGGED_KEYS", *whole ? "1" : ""},
        {"SCORE_AT", at_score},
        {"SCORE_LINES", x.lines},
        {"SCORE", x.value},
        {"SHIFT_LINES", shift.lines},
        {"SHIFT", shift.value},
        {"EXPONENT_LINES", exponent.lines},
        {"EXPONENT", exponent.value},
        {"WEIGHT_LINES", weight.lines},
        {"WEIGHT", weight.value},
        {"ROW_VALUES", row_values},
        {"ROW_STORES", rows},
        {"KEEPS_MAX", text_mentions(row_values, "row_max") ? "1" : ""},
        {"IS_PARTIAL", is_whole(&m, ATTENTION_COLUMN, 16) ? "" : "1"},
        {"SHARES_KEYS", t->warps_n > 1 ? "1" : ""},
        {"VECTOR", vector},
        {"STORES", elements},
    };
    set_launch(&m);
    cuda_function_wide(k, c, "cuda/attention_mma.cu", "tile", text_get(&m.condition), fills,
                       (int)(sizeof fills / sizeof *fills));
}
