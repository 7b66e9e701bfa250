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

static int each(const AttentionOperand *o) { return CHUNK / (int)dtype_size(o->type); }

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
        {"ROW", arena_printf(arena, "(int)(thread / %d) + %d * item", chunks, threads / chunks)},
        {"CHUNK", arena_printf(arena, "(int)(thread %% %d)", chunks)},
        {"ROW_BYTES", number(m, row_bytes(o))},
        {"EACH", number(m, each(o))},
        {"WHOLE", number(m, each(o))},
        {"IF_ONE", "1"},
        {"IF_SEVERAL", ""},
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
    template_fill("cuda/mma_operand.cu", fills, (int)(sizeof fills / sizeof *fills), out);
}

const char *attention_fetch(Mma *m, const AttentionOperand *o) {
    Chunks c = {.of = o, .computed = !operand_is_copied(m->c->w.b, o->value, o->along, o->type)};
    Text wide = text_new(m->k->arena), single = text_new(m->k->arena);
    c.text = c.computed ? computed_text(m, o, &c.part) : copied_text(m, o);
    c.axes = axes_taken(&m->c->w);
    put_chunks(m, &c, true, &wide);
    put_chunks(m, &c, false, &single);
    const Choice choices[] = {{"", "wide", text_get(&wide)}, {"", "", text_get(&single)}};
    return choice_text(m->k->arena, choices, 2);
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
    const Accumulator *scores = &b->accs.at[f->attention.scores],
                      *out = &b->accs.at[f->attention.out];
    const AttentionOperand q = {scores->value, ATTENTION_QUERY, ATTENTION_DEPTH, f->scores,
                                t->m,          f->depth_row,    "m_start",       "q_slot"};
    const AttentionOperand key = {scores->index, ATTENTION_KEY, ATTENTION_DEPTH, f->scores,
                                  t->n,          f->depth_row,  "n_start",       "k_slot"};
    const AttentionOperand v = {out->index, ATTENTION_KEY, ATTENTION_COLUMN, f->values,
                                t->n,       f->column_row, "n_start",        "v_slot"};
    const Fill own[] = {
        {"FETCH_QUERIES", attention_fetch(m, &q)},
        {"FETCH_KEYS", attention_fetch(m, &key)},
        {"FETCH_VALUES", attention_fetch(m, &v)},
    };
    FILLS_ADD(m->k->arena, fills, own);
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
