/* attention_mma.c: attentions by mma.sync, through templates/cuda/attention_mma.cu: how operands
 * reach shared memory, and the pieces for scores and results in registers.
 * In: Kernel of family F_ATTENTION, its AttentionForm. Out: text and launch. */
#include "emit/cuda/attention.h"

enum { CHUNK = 16 }; /* bytes that are copied at a time */

typedef AttentionTiles Mma;

static const char *number(const Mma *m, int64_t n) { return cuda_number(m->k->arena, n); }
static Dim extent(const Mma *m, int axis) { return m->c->w.b->indices->extent[axis]; }
static const char *dim(const Mma *m, int axis) { return cuda_dim(m->c, extent(m, axis)); }

/* ---- operands ------------------------------------------------------------------------------ */

static int whole(const AttentionOperand *o) { return CHUNK / (int)dtype_size(o->type); }

/* Elements that a thread copies or computes at a time. */
static int each(const AttentionOperand *o) { return o->raw ? o->raw->elements : whole(o); }

static bool has_halves(const AttentionOperand *o) {
    enum { OF_BANKS = 8 }; /* threads that store to shared memory at a time */
    return each(o) == 2 * whole(o) && o->row_elements / each(o) >= OF_BANKS;
}

/* In shared memory. */
static int row_bytes(const AttentionOperand *o) {
    return o->row_elements * (int)dtype_size(o->type);
}

static const char *copied_text(Mma *m, const AttentionOperand *o) {
    CudaWriter *c = m->c;
    const Value *v = &c->w.b->values.at[o->value];
    writer_piece(&c->w, PIECE_OPERAND, o->value, o->along);
    cuda_add_row_alignments(c, o->value, CHUNK, &m->alignments);
    return address_text(&c->w, v->attr, v->ix);
}

static const char *computed_text(Mma *m, const AttentionOperand *o, const char **part) {
    CudaWriter *c = m->c;
    const Piece *piece =
        cuda_choose_pack(c, PIECE_OPERAND, o->value, o->along, each(o), &m->alignments);
    const CudaPart found = cuda_part(c, piece->roots[0], o->type);
    *part = found.from && !*found.inside ? found.from : NULL;
    return cuda_operand_pack(c, piece->roots[0], o->type);
}

/* Which elements of a chunk are in bounds: when one is, "chunk * 8 + part"; "": always. */
static const char *inside(const Mma *m, const AttentionOperand *o, const char *element) {
    Text out = text_new(m->k->arena);
    const bool rows = !attention_is_whole(m, o->across, o->rows);
    if (rows) text_printf(&out, "%s + row < %s", o->start, dim(m, o->across));
    if (!dim_is(m->c->w.b->indices->dims, extent(m, o->along), o->row_elements))
        text_printf(&out, "%s%s < %s", rows ? " && " : "", element, dim(m, o->along));
    return text_get(&out);
}

/* How many are. */
static const char *count(const Mma *m, const AttentionOperand *o) {
    Arena *arena = m->k->arena;
    const char *most = number(m, each(o));
    if (!dim_is(m->c->w.b->indices->dims, extent(m, o->along), o->row_elements))
        most = arena_printf(arena, "%s - chunk * %d", dim(m, o->along), each(o));
    if (attention_is_whole(m, o->across, o->rows)) return most;
    return arena_printf(arena, "%s + row < %s ? %s : 0", o->start, dim(m, o->across), most);
}

/* The first chunk of a thread: neighbours have those of a row. Of longer chunks four have a half of
 * them, and the next four that of the next row: by swizzling, they store to other banks. */
static const char *thread_row(const Mma *m, const AttentionOperand *o) {
    const int chunks = o->row_elements / each(o);
    return has_halves(o)
               ? arena_printf(m->k->arena, "(int)(thread / %d * 2 + thread / 4 %% 2)", 2 * chunks)
               : arena_printf(m->k->arena, "(int)(thread / %d)", chunks);
}

static const char *thread_chunk(const Mma *m, const AttentionOperand *o) {
    const int chunks = o->row_elements / each(o);
    return has_halves(o)
               ? arena_printf(m->k->arena, "(int)(thread / 8 %% %d * 4 + thread %% 4)", chunks / 4)
               : arena_printf(m->k->arena, "(int)(thread %% %d)", chunks);
}

/* The chunks of an operand: how they are copied, or computed; part: the address of a pack that
 * cp.async copies instead, NULL if there is none. */
typedef struct Chunks {
    const AttentionOperand *of;
    bool computed;
    const char *text, *part;
    uint32_t axes;
} Chunks;

/* `wide`: by 16-byte accesses, or packs of a computed operand. */
static void put_chunks(const Mma *m, const Chunks *c, bool wide, Text *out) {
    const AttentionOperand *o = c->of;
    Arena *arena = m->k->arena;
    const int chunks = o->row_elements / each(o), threads = m->c->tile.threads,
              unroll = m->c->tile.operand_unroll;
    const int items = (o->rows * chunks + threads - 1) / threads;
    const char *chunk = arena_printf(arena, "chunk * %d", each(o));
    const char *element = c->computed ? arena_printf(arena, "%s + part", chunk) : chunk;
    const char *row = arena_printf(arena, "%s + row", o->start), *test = inside(m, o, element);
    const bool parts = wide && c->part, chunked = wide && !c->computed;
    const bool ends = !attention_is_whole(m, o->along, each(o)); /* within a chunk? */
    if (threads % chunks) BUG("attention: rows of %d chunks", chunks);
    const Fill fills[] = {
        {"TYPE", cuda_storage(o->type)},
        {"SLOT", o->slot},
        {"FIRST", "0"},
        {"NEXT_ITEM", "item++"},
        {"ITEMS", number(m, items)},
        {"ROW", arena_printf(arena, "%s + %d * item", thread_row(m, o), threads / chunks)},
        {"CHUNK", thread_chunk(m, o)},
        {"ROW_BYTES", number(m, row_bytes(o))},
        {"EACH", number(m, each(o))},
        {"WHOLE", number(m, whole(o))},
        {"IF_ONE", each(o) == whole(o) ? "1" : ""},
        {"IF_SEVERAL", each(o) == whole(o) ? "" : "1"},
        {"INSIDE", test},
        {"CHUNK_FROM", c->text},
        {"CHUNK_INSIDE", *test ? test : "true"},
        {"COUNT", count(m, o)},
        {"START", ""},
        {"NEXT", ""},
        {"ELEMENTS", c->text},
        {"FROM", c->part},
        {"IF_PARTS", parts ? "1" : ""},
        {"AT_OWN", attention_position(m, c->axes, o->across, row)},
        {"AT_K", attention_position(m, c->axes, o->along, element)},
        {"VECTOR", number(m, wide ? m->c->vector : 1)},
        {"IF_PARTIAL", o->rows * chunks % threads ? "1" : ""},
        {"WHICH", "row"},
        {"MOST", number(m, o->rows)},
        {"UNROLL", number(m, !wide            ? 1
                             : items < unroll ? items
                                              : unroll)},
        {"IF_EDGE", test},
        {"IF_WHOLE", *test ? "" : "1"},
        {"IF_ASYNC", chunked && !ends ? "1" : ""},
        {"IF_ENDS", chunked && ends ? "1" : ""},
        {"IF_COPIED", wide || c->computed ? "" : "1"},
        {"IF_ZERO", ""},
        {"IF_COMPUTED", c->computed && !parts ? "1" : ""}};
    TEMPLATE_FILL("cuda/mma_operand.cu", fills, out);
}

/* "if (wide) .. else ..": packs from their copies, where there are some. */
const char *attention_fetch(Mma *m, const AttentionOperand *o) {
    Chunks c = {.of = o, .computed = !operand_is_copied(m->c->w.b, o->value, o->along, o->type)};
    Text text[2] = {text_new(m->k->arena), text_new(m->k->arena)};
    for (int single = 0; single < 2; single++) {
        m->c->raw = single ? NULL : o->raw;
        if (!single || o->raw) {
            c.text = c.computed ? computed_text(m, o, &c.part) : copied_text(m, o);
            c.axes = axes_taken(&m->c->w);
        }
        put_chunks(m, &c, !single, &text[single]);
    }
    const Choice choices[] = {{"", "wide", text_get(&text[0])}, {"", "", text_get(&text[1])}};
    return choice_text(m->k->arena, choices, 2);
}

/* ---- what computed operands are computed from ------------------------------------------------ */

typedef struct Copies {
    const char *end; /* of what has a place in shared memory */
    Text sizes, copies;
} Copies;

/* Where a thread's copies of a load start, "k_from + item * 1024": rows that are `rows` apart.
 * NULL: addresses are no such sums. */
static const char *first_copy(Mma *m, const AttentionOperand *o, int load, int rows, Text *out) {
    CudaWriter *c = m->c;
    const Value *v = &c->w.b->values.at[load];
    const char *const across = c->w.axis_name[o->across], *const along = c->w.axis_name[o->along];
    const char *name = arena_printf(m->k->arena, "%s_from", value_stem(&c->w, load));
    Dim step = 0;
    if (index_along(c->w.b, v->ix, o->across, &step) != 1) return NULL;
    c->w.axis_name[o->across] = arena_printf(m->k->arena, "(%s + %s)", o->start, thread_row(m, o));
    c->w.axis_name[o->along] = arena_printf(m->k->arena, "(%s * %d)", thread_chunk(m, o), each(o));
    name = fresh(&c->w, name);
    text_printf(out, "const %s *const %s = %s;\n", cuda_storage(v->type), name,
                address_text(&c->w, v->attr, v->ix));
    c->w.axis_name[o->across] = across, c->w.axis_name[o->along] = along;
    return arena_printf(m->k->arena, "%s + item * (%d * %s)", name, rows, cuda_dim(c, step));
}

/* Each chunk of the operand's tile, of what its thread will compute it from. */
static void put_copies(Mma *m, const AttentionOperand *o, Text *out) {
    Arena *arena = m->k->arena;
    const int chunks = o->row_elements / each(o), threads = m->c->tile.threads;
    const char *chunk = arena_printf(arena, "chunk * %d", each(o)), *from[RAW_MOST];
    for (int i = 0; i < o->raw->count; i++)
        from[i] = first_copy(m, o, o->raw->at[i].value, threads / chunks, out);
    writer_piece(&m->c->w, PIECE_OPERAND, o->value, o->along);
    const char *test = inside(m, o, chunk), *copies = cuda_raw_copies(m->c, o->raw, from);
    const uint32_t axes = axes_taken(&m->c->w);
    const Fill fills[] = {
        {"ITEMS", number(m, (o->rows * chunks + threads - 1) / threads)},
        {"ROW", arena_printf(arena, "%s + %d * item", thread_row(m, o), threads / chunks)},
        {"CHUNK", thread_chunk(m, o)},
        {"IF_PARTIAL", o->rows * chunks % threads ? "1" : ""},
        {"WHICH", "row"},
        {"MOST", number(m, o->rows)},
        {"AT_OWN",
         attention_position(m, axes, o->across, arena_printf(arena, "%s + row", o->start))},
        {"AT_K", attention_position(m, axes, o->along, chunk)},
        {"INSIDE", *test ? test : "true"},
        {"COPIES", copies}};
    TEMPLATE_FILL("cuda/mma_raw.cu", fills, out);
}

/* Statements that compute the operand, if there are copies from these; else as attention_fetch. */
static const char *computed_fetch(Mma *m, const AttentionOperand *o, Copies *c) {
    if (!o->raw) return attention_fetch(m, o);
    cuda_raw_names(m->c, o->raw, o->rows * o->row_elements / each(o), &c->end, &c->sizes);
    const char *text = attention_fetch(m, o);
    m->c->wide = true;
    put_copies(m, o, &c->copies);
    return text;
}

/* ---- what scores load of keys alone ---------------------------------------------------------- */

/* Loads of a score that no query has its own of, as scales of a quantised cache. */
static void find_ahead(Mma *m, int value) {
    const uint32_t axes = 1u << ATTENTION_BATCH | 1u << ATTENTION_KEY;
    const Body *b = m->c->w.b;
    const Value *v = &b->values.at[value];
    for (int i = 0; i < value_sources(v); i++) find_ahead(m, v->src[i]);
    if (v->kind != V_LOAD || v->guard || b->indices->node.at[v->ix].dynamic) return;
    const uint32_t own = index_axes(b, v->ix);
    if (!(own >> ATTENTION_KEY & 1) || own & ~axes) return;
    for (int i = 0; i < m->pair_count; i++)
        if (m->pairs[i].value == value) return;
    if (m->pair_count < ATTENTION_PAIRS) m->pairs[m->pair_count++].value = value;
}

/* "ks_ahead[2 * j + part] = ks[at_batch * T + at_n];": before the tile's operands are computed,
 * where a warp has so few keys that registers hold them. */
static const char *ahead_text(Mma *m) {
    enum { FEW_KEYS = 32 };
    CudaWriter *c = m->c;
    Text arrays = text_new(m->k->arena), loads = text_new(m->k->arena);
    const char *at = "n_start + n_warp + 8 * j + pair + part", *keys = dim(m, ATTENTION_KEY);
    if (c->tile.n / c->tile.warps_n > FEW_KEYS) return "";
    writer_piece(&c->w, PIECE_SCORES, 0, ATTENTION_KEY);
    find_ahead(m, m->form->attention.x);
    if (!attention_is_whole(m, ATTENTION_KEY, c->tile.n))
        at = arena_printf(m->k->arena, "%s < %s ? %s : %s - 1", at, keys, at, keys);
    for (int i = 0; i < m->pair_count; i++) {
        AttentionPair *p = &m->pairs[i];
        const Value *v = &c->w.b->values.at[p->value];
        p->name = arena_printf(m->k->arena, "%s_ahead", value_stem(&c->w, p->value));
        p->element = arena_printf(m->k->arena, "%s[2 * j + part %% 2]", p->name);
        text_printf(&arrays, "%s %s[2 * pieces_n];\n", cuda_storage(v->type), p->name);
        text_printf(&loads, "            %s[2 * j + part] = %s[%s];\n", p->name,
                    buffer_name(&c->w, v->attr), index_text(&c->w, v->ix));
    }
    if (!m->pair_count) return "";
    text_str(&arrays, "{\n");
    text_indented(&arrays, attention_tile_at(c, "tile_n", READS_N_START), 4);
    text_printf(&arrays,
                "#pragma unroll\n    for (int j = 0; j < pieces_n; j++)\n#pragma unroll\n"
                "        for (int part = 0; part < 2; part++) {\n"
                "            const %s %s = %s;\n%s        }\n}\n",
                c->index, c->w.axis_name[ATTENTION_KEY], at, text_get(&loads));
    return text_get(&arrays);
}

/* ---- the kernel ---------------------------------------------------------------------------- */

static const char *sizes(const Mma *m) {
    const AttentionForm *f = m->form;
    const Tile *t = &m->c->tile;
    const int size = attention_element_size(f), depth = f->f32_products == MULTIPLY_TF32 ? 8 : 16;
    return arena_printf(
        m->k->arena,
        "constexpr int tile_m = %d, tile_n = %d, pieces_m = %d; /* queries, keys; 16 queries */\n"
        "constexpr int warps_n = %d, warp_n = %d; /* warps with the same queries; keys of a warp "
        "*/\n"
        "constexpr int depth_steps = %d, column_steps = %d; /* of %d elements, of 16 */\n"
        "constexpr int depth_bytes = %d, column_bytes = %d; /* of a row in shared memory */\n",
        t->m, t->n, t->m / t->warps_m / 16, t->warps_n, t->n / t->warps_n,
        f->depth_steps * 16 / depth, f->column_steps, depth, size * f->depth_row,
        size * f->column_row);
}

static const char *products_name(const AttentionForm *f) {
    return f->f32_products ? attention_f32_text(f->f32_products)->products : dtype_name(f->scores);
}

static void set_launch(Mma *m) {
    CudaKernel *k = m->k;
    const Tile *t = &m->c->tile;
    k->threads = t->threads;
    k->blocks = t->blocks;
    k->block_x = number(m, t->threads);
    cuda_shared(k, 1, tile_attention_shared(m->form, t), "tiles of queries, keys and values");
    k->grid = cuda_times(k->arena, cuda_size(k, extent(m, ATTENTION_BATCH)),
                         cuda_blocks(k->names, extent(m, ATTENTION_QUERY), t->m));
    k->how = arena_printf(k->arena,
                          "Tensor cores, %s products; %d threads of about %d registers for each %d "
                          "queries, %d keys at a time",
                          products_name(m->form), t->threads, tile_attention_registers(m->form, t),
                          t->m, t->n);
}

static const char *product(const AttentionForm *f, Dtype type) {
    if (f->f32_products == MULTIPLY_TF32) return "mma_tf32";
    return type == T_F16 ? "mma_f16" : "mma_bf16";
}

const F32Text *attention_f32_text(Multiply products) {
    static const F32Text texts[] = {
        [MULTIPLY_FMA] = {"", "", "", ""},
        [MULTIPLY_TF32] = {"tf32", "round_rows", "", "multiply_columns_tf32"},
        [MULTIPLY_TF32X3] = {"three tf32", "", "multiply_rows_tf32x3", "multiply_columns_tf32x3"},
        [MULTIPLY_BF16X3] = {"three bf16", "split_rows", "multiply_rows_bf16x3",
                             "multiply_columns_bf16x3"},
    };
    return &texts[products];
}

/* Rows that have no function of their own are multiplied as those of halves are. */
static void add_f32(const Mma *m, Fills *fills) {
    const bool in_f32 = m->form->f32_products != MULTIPLY_FMA;
    const F32Text *text = attention_f32_text(m->form->f32_products);
    const Fill own[] = {
        {"IN_F32", in_f32 ? "1" : ""},
        {"IN_HALVES", in_f32 ? "" : "1"},
        {"SETTLES", text->settle},
        {"SPLIT", text->rows},
        {"WHOLE", *text->rows ? "" : "1"},
        {"THREADS", number(m, m->c->tile.threads)},
        {"SETTLE", text->settle},
        {"MULTIPLY_ROWS", text->rows},
        {"MULTIPLY_COLUMNS", text->columns},
    };
    FILLS_ADD(m->k->arena, fills, own);
}

static void add_operands(Mma *m, Fills *fills) {
    const AttentionForm *f = m->form;
    const Body *b = m->c->w.b;
    const Tile *t = &m->c->tile;
    Arena *arena = m->k->arena;
    const Accumulator *scores = &b->accs.at[f->attention.scores],
                      *out = &b->accs.at[f->attention.out];
    const RawLoads *keys = f->raw_keys.count ? &f->raw_keys : NULL;
    const RawLoads *values = f->raw_values.count ? &f->raw_values : NULL;
    const AttentionOperand q = {scores->value, ATTENTION_QUERY, ATTENTION_DEPTH, f->scores, t->m,
                                f->depth_row,  "m_start",       "q_slot",        NULL};
    const AttentionOperand key = {scores->index, ATTENTION_KEY, ATTENTION_DEPTH, f->scores, t->n,
                                  f->depth_row,  "n_start",     "k_slot",        keys};
    const AttentionOperand v = {out->index,    ATTENTION_KEY, ATTENTION_COLUMN, f->values, t->n,
                                f->column_row, "n_start",     "v_slot",         values};
    Copies c = {.end = "tiles_bytes", .sizes = text_new(arena), .copies = text_new(arena)};
    m->c->raw_memory = "shared", m->c->raw_threads = t->threads;
    const Fill own[] = {
        {"FETCH_QUERIES", attention_fetch(m, &q)},   {"FETCH_KEYS", computed_fetch(m, &key, &c)},
        {"FETCH_VALUES", computed_fetch(m, &v, &c)}, {"COPIES_AHEAD", keys ? "1" : "0"},
        {"COMPUTES_KEYS", keys ? "1" : ""},          {"BRINGS_KEYS", keys ? "" : "1"},
        {"BRINGS_VALUES", values ? "" : "1"},        {"BRINGS_ALL", keys || values ? "" : "1"},
    };
    FILLS_ADD(arena, fills, own);
    const Fill copied[] = {{"COPIES", text_get(&c.copies)}, {"RAW_SIZES", text_get(&c.sizes)}};
    FILLS_ADD(arena, fills, copied);
}

void cuda_attention_mma(CudaKernel *k, CudaWriter *c, const AttentionForm *form) {
    static const AttentionNames names = {
        .score = "score[i][j][part]",
        .query = "m_start + m_warp + 16 * i + 8 * (part / 2) + own_row",
        .key = "n_start + n_warp + 8 * j + pair + part % 2",
        .weight_query = "m_start + m_warp + 16 * i + 8 * half + own_row",
        .weight_key = "n_start + n_warp + 8 * j + pair + part",
        .out = "out[i][piece][2 * half + part + l]",
        .sum = "row_sum[i][half]",
        .max = "row_max[i][half]",
    };
    Mma m = {.k = k, .c = c, .form = form};
    Fills fills = {0};
    add_operands(&m, &fills);
    vec_push(k->arena, &fills, ((Fill){"AHEAD", ahead_text(&m)}));
    attention_fills(&m, &names, &fills);
    const Fill own[] = {
        {"SIZES", sizes(&m)},
        {"MULTIPLY_SCORES", product(form, form->scores)},
        {"MULTIPLY_VALUES", product(form, form->values)},
        {"SHARES_KEYS", c->tile.warps_n > 1 ? "1" : ""},
    };
    FILLS_ADD(k->arena, &fills, own);
    const TileMask mask = tile_mask(&c->w, form->attention.x);
    attention_mma_order(k, c, &mask.masked, &fills);
    add_f32(&m, &fills);
    set_launch(&m);
    cuda_function_wide(k, c, "cuda/attention_mma.cu", "tile", &m.alignments, fills.at, fills.count);
}
