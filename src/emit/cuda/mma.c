/* mma.c: a contraction by mma.sync, through templates/cuda/mma.cu: how each operand reaches shared
 * memory, and the epilogue.
 * In: Kernel of family F_DOT, its DotForm. Out: text and launch. */
#include "emit/cuda/cuda.h"

#include <string.h>

enum { CHUNK = 16 }; /* bytes that are copied at a time */

static const MultiplyText multiplies[] = {[MULTIPLY_F16] = {"mma_f16", "f16"},
                                          [MULTIPLY_BF16] = {"mma_bf16", "bf16"},
                                          [MULTIPLY_I8] = {"mma_i8", "i8"},
                                          [MULTIPLY_F8E4M3] = {"mma_f8e4m3", "f8e4m3"},
                                          [MULTIPLY_F8E5M2] = {"mma_f8e5m2", "f8e5m2"},
                                          [MULTIPLY_TF32] = {"mma_tf32", "tf32"},
                                          [MULTIPLY_BF16X3] = {"mma_bf16", "three bf16"},
                                          [MULTIPLY_BF16X6] = {"mma_bf16", "six bf16"}};

typedef struct Mma {
    CudaKernel *k;
    CudaWriter *c;
    const DotForm *form;
    Tile t;
    Alignments alignments; /* for 16-byte copies */
    Text pointers;         /* to the first chunks of a thread */
} Mma;

static const char *number(const Mma *m, int64_t n) { return cuda_number(m->k->arena, n); }
static const char *dim(const Mma *m, int axis) {
    return cuda_dim(m->c, m->c->w.b->indices->extent[axis]);
}
const MultiplyText *cuda_multiply_text(const DotForm *form) {
    const MultiplyText *text = &multiplies[form->multiply];
    if (!text->function) BUG("mma: products of f32");
    return text;
}

static const MultiplyText *text_of(const Mma *m) { return cuda_multiply_text(m->form); }
static int element_size(const Mma *m) { return (int)dtype_size(m->form->product->type); }

/* The end of the operands along an axis. */
static Dim end_of(const Mma *m, int axis) {
    return axis == DOT_N ? m->form->n_end : m->c->w.b->indices->extent[axis];
}

/* Does it coincide with the end of a tile? */
static bool is_whole(const Mma *m, int axis, int64_t tile) {
    Dims *d = m->c->w.b->indices->dims;
    return dim_divides(d, dim_const(d, tile), end_of(m, axis));
}

/* ---- operands -------------------------------------------------------------------------------- */

typedef struct Operand {
    int value, own; /* own: DOT_M or DOT_N */
    int summed;     /* DOT_K, or the axis of an added product */
    int rows;       /* of the tile along that axis */
    OperandLayout feed;
    const char *start, *slot; /* start of the tile along the axis; its shared memory */
} Operand;

/* The text of a computed element of the tile; *part: as of cuda_part_address. */
static const char *computed_text(Mma *m, const Operand *o, const char **part) {
    CudaWriter *c = m->c;
    const Piece *piece = cuda_choose_pack(c, PIECE_OPERAND, o->value, o->summed,
                                          CHUNK / element_size(m), &m->alignments);
    *part = cuda_part_address(c, piece->roots[0], m->form->product->type);
    return cuda_operand_pack(c, piece->roots[0], m->form->product->type);
}

/* Declares and returns "x_first_0": the first chunk of a copied operand for a thread, in the first
 * stage. */
static const char *first_chunk(Mma *m, const Operand *o, const char *row, const char *chunk) {
    CudaWriter *c = m->c;
    const Value *v = &c->w.b->values.at[o->value];
    const int across = o->feed == OPERAND_K_MAJOR ? o->own : o->summed, along = c->w.s->lane;
    const char *const own = c->w.axis_name[o->own], *const k = c->w.axis_name[o->summed];
    const char *name =
        fresh(&c->w, arena_printf(m->k->arena, "%s_first", value_stem(&c->w, o->value)));
    c->w.axis_name[across] = row;
    c->w.axis_name[along] = arena_printf(m->k->arena, "%s * %d", chunk, CHUNK / element_size(m));
    for (int i = 0; i < 2; i++) {
        const char **at = &c->w.axis_name[i ? o->summed : o->own];
        *at = arena_printf(m->k->arena, i ? "(%s)" : "(%s + %s)", i ? *at : o->start, *at);
    }
    text_printf(&m->pointers, "const %s *const %s =\n    %s;\n", cuda_storage(v->type), name,
                address_text(&c->w, v->attr, v->ix));
    c->w.axis_name[o->own] = own;
    c->w.axis_name[o->summed] = k;
    return name;
}

/* The source of a thread's chunks: the address, statements before the loop over chunks, and the
 * advance to the next. */
typedef struct CopySource {
    const char *at, *start, *next;
    uint32_t axes; /* whose positions the address is written with */
} CopySource;

static CopySource copied_from(Mma *m, const Operand *o) {
    CudaWriter *c = m->c;
    Arena *arena = m->k->arena;
    const Value *v = &c->w.b->values.at[o->value];
    const bool along = o->feed == OPERAND_K_MAJOR;
    Dim across = 0;
    cuda_choose_pack(c, PIECE_OPERAND, o->value, along ? o->summed : o->own,
                     CHUNK / element_size(m), &m->alignments);
    if (index_along(c->w.b, v->ix, along ? o->own : o->summed, &across) != 1) {
        const char *address = address_text(&c->w, v->attr, v->ix);
        return (CopySource){address, "", "", axes_taken(&c->w)};
    }
    const int chunks = (along ? m->t.k : o->rows) * element_size(m) / CHUNK;
    const char *row = arena_printf(arena, "(int)(thread / %d)", chunks);
    const char *chunk = arena_printf(arena, "(int)(thread %% %d)", chunks);
    const char *first = first_chunk(m, o, row, chunk), *step = cuda_dim(c, across);
    const char *at = fresh(&c->w, arena_printf(arena, "%s_from", value_stem(&c->w, o->value)));
    const char *k = along ? "k_start" : arena_printf(arena, "k_start * %s", step);
    const char *start =
        arena_printf(arena, "const %s *%s = %s + %s;\n", cuda_storage(v->type), at, first, k);
    return (CopySource){
        at, start, arena_printf(arena, "%s += %d * %s;\n", at, m->t.threads / chunks, step), 0};
}

/* The rest of an axis, from the start of the tile. */
static const char *left_of(const Mma *m, int axis) {
    if (axis == DOT_M) return is_whole(m, axis, m->t.m) ? NULL : "m_left";
    if (axis == DOT_N) return is_whole(m, axis, m->t.n) ? NULL : "n_left";
    return is_whole(m, axis, m->t.k) ? NULL : "k_left";
}

static const char *left_text(const Mma *m, int axis, const char *start, const char *tile) {
    const char *name = left_of(m, axis), *n = cuda_dim(m->c, end_of(m, axis));
    if (!name) return "";
    return arena_printf(m->k->arena, "const int %s = (int)(%s - %s < %s ? %s - %s : %s);\n", name,
                        n, start, tile, n, start, tile);
}

/* Elements of a chunk that are in bounds: the rest along its axis, 0 beyond the end of the other
 * axis. */
static const char *inside_text(const Mma *m, const Operand *o) {
    const bool is_along = o->feed == OPERAND_K_MAJOR;
    const char *along = left_of(m, is_along ? o->summed : o->own);
    const char *across = left_of(m, is_along ? o->own : o->summed);
    const char *inside = number(m, CHUNK / element_size(m));
    if (along) inside = arena_printf(m->k->arena, "%s - chunk * %s", along, inside);
    return across ? arena_printf(m->k->arena, "row < %s ? %s : 0", across, inside) : inside;
}

/* Is any of them? */
static const char *chunk_condition(const Mma *m, const Operand *o) {
    const bool is_along = o->feed == OPERAND_K_MAJOR;
    const char *along = left_of(m, is_along ? o->summed : o->own);
    const char *across = left_of(m, is_along ? o->own : o->summed);
    Text out = text_new(m->k->arena);
    if (across) text_printf(&out, "row < %s", across);
    if (along)
        text_printf(&out, "%schunk * %d < %s", across ? " && " : "", CHUNK / element_size(m),
                    along);
    return out.size ? text_get(&out) : "true";
}

/* The same for a computed element. */
static const char *condition_text(const Mma *m, const Operand *o) {
    const char *own = left_of(m, o->own), *k = left_of(m, o->summed);
    const char *each = number(m, CHUNK / element_size(m));
    Text out = text_new(m->k->arena);
    if (own) text_printf(&out, "row < %s", own);
    if (k) text_printf(&out, "%schunk * %s + part < %s", own ? " && " : "", each, k);
    return text_get(&out);
}

/* Threads advance along `inner` positions first; the position of item i after that. */
static const char *strided_text(const Mma *m, int inner) {
    if (m->t.threads % inner) BUG("mma: rows of %d positions", inner);
    return arena_printf(m->k->arena, "(int)(thread / %d) + %d * item", inner, m->t.threads / inner);
}

/* "const int at_m = m_start + row;" of an axis among these. */
static const char *position_text(const Mma *m, uint32_t axes, int axis, const char *start,
                                 const char *beyond) {
    if (!(axes >> axis & 1)) return "";
    return arena_printf(m->k->arena, "const %s %s = %s + %s;\n", m->c->index,
                        m->c->w.axis_name[axis], start, beyond);
}

/* Do neighbouring threads take neighbouring rows of the tile that are contiguous in memory? */
static bool is_by_rows(const Mma *m, const Operand *o, int rows) {
    const Body *b = m->c->w.b;
    return o->feed == OPERAND_COMPUTED && m->t.threads % rows == 0 &&
           value_contiguous(b, o->value, o->own) > value_contiguous(b, o->value, o->summed);
}

/* How the threads copy or compute the chunks of an operand: `wide`: in packs. */
typedef struct ChunkText {
    CopySource from;
    const char *elements, *part; /* of a computed one; part: as of cuda_part_address */
    bool has_packs;              /* it loads some */
    uint32_t axes;
} ChunkText;

static bool loads_packs(const CudaWriter *c) {
    for (int i = 1; i < c->w.b->values.count; i++)
        if (c->w.s->value[i].used && cuda_is_packed(c, &c->w.b->values.at[i])) return true;
    return false;
}

static ChunkText chunk_text(Mma *m, const Operand *o) {
    ChunkText text = {0};
    if (o->feed == OPERAND_COMPUTED) {
        text.elements = computed_text(m, o, &text.part);
        text.has_packs = loads_packs(m->c);
        text.axes = axes_taken(&m->c->w);
    } else {
        text.from = copied_from(m, o);
        text.has_packs = true;
        text.axes = text.from.axes;
    }
    return text;
}

static void put_chunks(const Mma *m, const Operand *o, const ChunkText *t, bool wide, Text *out) {
    const bool in_packs = wide && t->has_packs;
    Arena *arena = m->k->arena;
    const bool across = o->feed == OPERAND_MN_MAJOR, computed = o->feed == OPERAND_COMPUTED;
    const bool parts = wide && t->part;
    const int each = CHUNK / element_size(m), row_elements = across ? o->rows : m->t.k;
    const int rows = across ? m->t.k : o->rows, chunks = row_elements / each;
    const int items = (rows * chunks + m->t.threads - 1) / m->t.threads;
    const char *chunk = arena_printf(arena, "chunk * %d%s", each, computed ? " + part" : "");
    const bool by_rows = is_by_rows(m, o, rows);
    const Fill fills[] = {
        {"TYPE", cuda_storage(m->form->product->type)},
        {"SLOT", o->slot},
        {"ITEMS", number(m, items)},
        {by_rows ? "CHUNK" : "ROW", strided_text(m, by_rows ? rows : chunks)},
        {by_rows ? "ROW" : "CHUNK",
         arena_printf(arena, "(int)(thread %% %d)", by_rows ? rows : chunks)},
        {"WHICH", by_rows ? "chunk" : "row"},
        {"MOST", number(m, by_rows ? chunks : rows)},
        {"ROW_BYTES", number(m, (int64_t)row_elements * element_size(m))},
        {"EACH", number(m, each)},
        {"INSIDE", condition_text(m, o)},
        {"CHUNK_FROM", t->from.at},
        {"CHUNK_INSIDE", chunk_condition(m, o)},
        {"COUNT", inside_text(m, o)},
        {"START", computed ? "" : t->from.start},
        {"NEXT", computed ? "" : t->from.next},
        {"ELEMENTS", t->elements},
        {"FROM", t->part},
        {"IF_PARTS", parts ? "1" : ""},
        {"AT_OWN", position_text(m, t->axes, o->own, o->start, across ? chunk : "row")},
        {"AT_K", position_text(m, t->axes, o->summed, "k_start", across ? "row" : chunk)},
        {"VECTOR", number(m, in_packs ? m->c->vector : 1)},
        {"IF_PARTIAL", rows * chunks % m->t.threads ? "1" : ""},
        {"UNROLL", number(m, !wide ? 1 : computed ? m->t.operand_unroll : items)},
        {"IF_EDGE", condition_text(m, o)},
        {"IF_WHOLE", *condition_text(m, o) ? "" : "1"},
        {"IF_ASYNC", wide && !computed ? "1" : ""},
        {"IF_COPIED", wide || computed ? "" : "1"},
        {"IF_COMPUTED", computed && !parts ? "1" : ""}};
    template_fill("cuda/mma_operand.cu", fills, (int)(sizeof fills / sizeof *fills), out);
}

/* Text for tensors of 16-byte accesses, and of others; for all: of operands without packs. */
typedef struct Fetches {
    Text wide, single, all;
} Fetches;

static void put_operand(Mma *m, const Operand *o, Fetches *out) {
    const ChunkText text = chunk_text(m, o);
    if (!text.has_packs) {
        put_chunks(m, o, &text, true, &out->all);
        return;
    }
    put_chunks(m, o, &text, true, &out->wide);
    put_chunks(m, o, &text, false, &out->single);
}

/* Tiles of the left operand of product i of a sum, and of the right ones. */
static void put_operands(Mma *m, int i, Fetches *out) {
    const Body *b = m->c->w.b;
    const Summand s = body_summand(b, i);
    const DotForm *f = m->form;
    Operand left = {.value = s.left,
                    .own = DOT_M,
                    .summed = s.axis,
                    .rows = m->t.m,
                    .feed = i ? f->added[i - 1].left : f->left,
                    .start = "m_start",
                    .slot = "slot"};
    put_operand(m, &left, out);
    for (int j = 0; j < f->count; j++) {
        Operand right = {.value = s.right[j],
                         .own = DOT_N,
                         .summed = s.axis,
                         .rows = m->t.n,
                         .feed = i ? f->added[i - 1].right[j] : f->right[j],
                         .start = "n_start",
                         .slot = "slot + a_bytes"};
        if (j == 1) right.slot = "slot + a_bytes + b_bytes";
        if (j > 1) right.slot = arena_printf(m->k->arena, "slot + a_bytes + %d * b_bytes", j);
        put_operand(m, &right, out);
    }
}

/* The fetch text of product i of a sum: stages of the first product come first. */
static void put_summand(Mma *m, int i, Text *out) {
    const Summand s = body_summand(m->c->w.b, i);
    Arena *arena = m->k->arena;
    Fetches fetches = {text_new(arena), text_new(arena), text_new(arena)};
    text_str(out, cuda_k_start(m->c, i));
    text_str(out, left_text(m, s.axis, "k_start", "tile_k"));
    put_operands(m, i, &fetches);
    const Choice choices[] = {{"", "wide", text_get(&fetches.wide)},
                              {"", "", text_get(&fetches.single)}};
    text_str(out, text_get(&fetches.all));
    if (fetches.wide.size) text_str(out, choice_text(arena, choices, 2));
}

static const char *fetch_text(Mma *m) {
    const char *texts[DOTS_MAX];
    for (int i = 0; i < body_summand_count(m->c->w.b); i++) {
        Text fetch = text_new(m->k->arena);
        put_summand(m, i, &fetch);
        texts[i] = text_get(&fetch);
    }
    return cuda_of_summand(m->c, texts);
}

/* ---- results --------------------------------------------------------------------------------- */

/* What reads the results, for a whole row of a tile of c. */
static const char *row_text(Mma *m) {
    CudaWriter *c = m->c;
    const bool ragged = left_of(m, DOT_M) != NULL;
    c->sum_width = m->t.n;
    return cuda_warp_rows(m->k, c, ragged, "n_start / tile_n", &m->alignments);
}

/* The same for a pack of one row. */
const char *cuda_finish(CudaWriter *c, int sum_width, Alignments *alignments) {
    const Body *b = c->w.b;
    Text elements = text_new(c->w.arena);
    c->sums = "sums";
    c->sum_width = sum_width;
    cuda_choose_pack(c, PIECE_RESULTS, 0, DOT_N, c->tile.vector, alignments);
    cuda_begin_elements(c, &elements);
    for (int i = 0; i < b->stores.count; i++) declare_value(&c->w, b->stores.at[i].value);
    for (int i = 0; i < b->stores.count; i++) cuda_store_element(&c->w, i);
    return cuda_end_elements(c, &elements);
}

const char *cuda_finish_single(CudaWriter *c, int sum_width) {
    Alignments none = {0};
    const int vector = c->tile.vector;
    c->tile.vector = 1;
    const char *text = cuda_finish(c, sum_width, &none);
    c->tile.vector = vector;
    return text;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static const char *tile_text(const Mma *m) {
    const Tile *t = &m->t;
    const int k_bytes = t->k * element_size(m);
    const int steps = k_bytes / (m->form->product->terms > 1 ? 64 : 32);
    return arena_printf(
        m->k->arena,
        "constexpr int tile_m = %d, tile_n = %d, tile_k = %d; /* of a block */\n"
        "constexpr int warps_m = %d, warps_n = %d, stages = %d, steps = %d, group = %d;\n"
        "constexpr int k_bytes = %d, a_bytes = tile_m * k_bytes, b_bytes = tile_n * k_bytes;\n"
        "constexpr int stage_bytes = a_bytes + %d * b_bytes;\n",
        t->m, t->n, t->k, t->warps_m, t->warps_n, t->stages, steps, t->group, k_bytes,
        m->form->count);
}

static const char *batch_text(const Mma *m) {
    const Body *b = m->c->w.b;
    if (dim_is(b->indices->dims, b->indices->extent[DOT_BATCH], 1)) return "";
    return arena_printf(m->k->arena, "const %s at_batch = (%s)blockIdx.x / (tiles_m * tiles_n);\n",
                        m->c->index, m->c->index);
}

static const char *how_text(const Mma *m) {
    const Tile *t = &m->t;
    const char *how =
        arena_printf(m->k->arena,
                     "Tensor cores, %s products; %d threads of about %d registers for each "
                     "%d x %d tile, %d of k in each of %d stages",
                     text_of(m)->products, t->threads, tile_dot_registers(m->form, t), t->m, t->n,
                     t->k, t->stages);
    if (!m->form->gpu->wgmma || !m->form->no_wgmma) return how;
    return arena_printf(m->k->arena, "%s. Not wgmma: %s", how, m->form->no_wgmma);
}

static void set_launch(Mma *m) {
    CudaKernel *k = m->k;
    const Body *b = m->c->w.b;
    const Dim *extent = b->indices->extent;
    k->threads = m->t.threads;
    k->blocks = m->t.blocks;
    k->block_x = number(m, m->t.threads);
    k->shared = number(m, tile_dot_shared(m->form, &m->t));
    k->grid = arena_printf(k->arena, "%s * %s", cuda_blocks(k->names, extent[DOT_M], m->t.m),
                           cuda_blocks(k->names, extent[DOT_N], m->t.n));
    if (!dim_is(b->indices->dims, extent[DOT_BATCH], 1))
        k->grid = arena_printf(k->arena, "%s * %s", cuda_size(k, extent[DOT_BATCH]), k->grid);
    k->how = how_text(m);
}

/* The products, and the layout of operands in shared memory. */
static void add_products(const Mma *m, Fills *fills) {
    const DotForm *f = m->form;
    const bool split = f->product->terms > 1;
    const bool is_f32 = f->multiply == MULTIPLY_TF32; /* narrow operands are exact */
    const bool mn_left = f->left == OPERAND_MN_MAJOR, mn_right = f->right[0] == OPERAND_MN_MAJOR;
    const Fill made[] = {{"MULTIPLY", text_of(m)->function},
                         {"COUNT", number(m, f->count)},
                         {"TERMS", number(m, f->product->terms)},
                         {"FIRST_SET", split ? "" : "0,"},
                         {"NEXT_SET", split ? "" : "(step + 1) % 2,"},
                         {"SET", split ? "" : "step % 2"},
                         {"IF_SPLIT", split ? "1" : ""},
                         {"IF_WHOLE", split ? "" : "1"},
                         {"IF_ROUNDED", is_f32 ? "1" : ""},
                         {"A_K_MAJOR", mn_left ? "" : "1"},
                         {"A_MN_MAJOR", mn_left ? "1" : ""},
                         {"B_K_MAJOR", mn_right ? "" : "1"},
                         {"B_MN_MAJOR", mn_right ? "1" : ""}};
    FILLS_ADD(m->k->arena, fills, made);
}

/* The epilogue: after the operands, since it adds to the condition. */
static void add_results(Mma *m, Fills *fills) {
    CudaWriter *c = m->c;
    const bool rows = m->form->columns > 0;
    const int columns = m->t.n / m->t.warps_n;
    const char *row = rows ? row_text(m) : "";
    const char *finish = rows ? "" : cuda_finish(c, columns, &m->alignments);
    const char *vector = number(m, c->vector);
    const Fill made[] = {{"FINISH_VECTOR", vector},
                         {"FINISH_UNROLL", number(m, c->tile.unroll)},
                         {"FINISH", finish},
                         {"FINISH_SINGLE", rows ? "" : cuda_finish_single(c, columns)},
                         {"ROW", row},
                         {"ROW_THREADS", number(m, c->tile.row_threads)},
                         {"IF_ROWS", rows ? "1" : ""},
                         {"IF_RAGGED", left_of(m, DOT_M) ? "1" : ""},
                         {"IF_EVEN", left_of(m, DOT_M) ? "" : "1"},
                         {"IF_ELEMENTS", rows ? "" : "1"}};
    FILLS_ADD(m->k->arena, fills, made);
}

void cuda_mma(CudaKernel *k, CudaWriter *c, const DotForm *form) {
    Mma m = {.k = k, .c = c, .form = form, .t = c->tile};
    Fills fills = {0};
    m.pointers = text_new(k->arena);
    const char *fetch = fetch_text(&m);
    add_products(&m, &fills);
    add_results(&m, &fills);
    const char *sum = dtype_is_float(c->w.b->accs.at[0].type) ? "float" : "int";
    const Fill made[] = {
        {"IDX", c->index},
        {"SUM", sum},
        {"DOT_M", dim(&m, DOT_M)},
        {"DOT_N", dim(&m, DOT_N)},
        {"TILES_K", cuda_tiles_text(m.c)},
        {"SIZES", tile_text(&m)},
        {"AT_BATCH", batch_text(&m)},
        {"LEFT", arena_printf(k->arena, "%s%s", left_text(&m, DOT_M, "m_start", "tile_m"),
                              left_text(&m, DOT_N, "n_start", "tile_n"))},
        {"POINTERS", text_get(&m.pointers)},
        {"OPERANDS", fetch}};
    FILLS_ADD(k->arena, &fills, made);
    set_launch(&m);
    cuda_function_tested(k, c, "cuda/mma.cu", &m.alignments, fills.at, fills.count);
}
