/* mma.c: a contraction by mma.sync, through templates/cuda/mma.cu: sizes, the epilogue, the launch.
 * In: Kernel of family F_DOT, its DotForm. Out: text and launch. */
#include "emit/cuda/mma.h"

static const MultiplyText multiplies[] = {[MULTIPLY_F16] = {"mma_f16", "f16"},
                                          [MULTIPLY_BF16] = {"mma_bf16", "bf16"},
                                          [MULTIPLY_I8] = {"mma_i8", "i8"},
                                          [MULTIPLY_F8E4M3] = {"mma_f8e4m3", "f8e4m3"},
                                          [MULTIPLY_F8E5M2] = {"mma_f8e5m2", "f8e5m2"},
                                          [MULTIPLY_TF32] = {"mma_tf32", "tf32"},
                                          [MULTIPLY_TF32X3] = {"mma_tf32", "three tf32"},
                                          [MULTIPLY_BF16X3] = {"mma_bf16", "three bf16"},
                                          [MULTIPLY_BF16X6] = {"mma_bf16", "six bf16"}};

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

/* ---- results --------------------------------------------------------------------------------- */

/* What reads the results, for a whole row of a tile of c. */
static const char *row_text(Mma *m) {
    CudaWriter *c = m->c;
    const bool ragged = mma_left_of(m, DOT_M) != NULL;
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

/* Tiles of operands that are copied, or computed from copies, as bytes: "a_bytes + products *
 * b_bytes". */
static const char *tile_bytes(const Mma *m, bool raw) {
    const DotForm *f = m->form;
    int rights = 0;
    for (int i = 0; i < f->count; i++) rights += (f->raw_right[i].count > 0) == raw;
    const bool left = (f->raw_left.count > 0) == raw;
    if (!rights) return left ? "a_bytes" : "0";
    const char *times = rights == f->count ? "products * " : "";
    if (rights > 1 && rights < f->count) times = arena_printf(m->k->arena, "%d * ", rights);
    return arena_printf(m->k->arena, "%s%sb_bytes", left ? "a_bytes + " : "", times);
}

static const char *tile_text(const Mma *m) {
    const Tile *t = &m->t;
    const int k_bytes = t->k * element_size(m);
    const int steps = k_bytes / (m->form->product->terms > 1 ? 64 : 32);
    Text out = text_new(m->k->arena);
    text_printf(
        &out,
        "constexpr int tile_m = %d, tile_n = %d, tile_k = %d; /* of a block */\n"
        "constexpr int warps_m = %d, warps_n = %d, stages = %d, steps = %d, group = %d;\n"
        "constexpr int k_bytes = %d, a_bytes = tile_m * k_bytes, b_bytes = tile_n * k_bytes;\n",
        t->m, t->n, t->k, t->warps_m, t->warps_n, t->stages, steps, t->group, k_bytes);
    if (!dot_has_raw(m->form)) {
        text_printf(&out, "constexpr int stage_bytes = %s;\n", tile_bytes(m, false));
        return text_get(&out);
    }
    text_printf(&out, "constexpr int copied_bytes = %s%s;\n", tile_bytes(m, false),
                text_get(&m->raw_sizes));
    text_printf(&out, "constexpr int stage_bytes = %s, ready_bytes = %s;\n", m->stage_bytes,
                tile_bytes(m, true));
    return text_get(&out);
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

/* The epilogue's strips take the place of the stages. */
static void add_shared(Mma *m) {
    const Tile *t = &m->t;
    const int64_t stage = (int64_t)(t->m + t->n * m->form->count) * t->k * element_size(m);
    const int64_t all = tile_dot_shared(m->form, t);
    if (all == t->stages * stage)
        cuda_shared(m->k, t->stages, stage, "stages, later strips of warps");
    else
        cuda_shared(m->k, 1, all, "stages, later strips of warps");
}

static void set_launch(Mma *m) {
    CudaKernel *k = m->k;
    const Body *b = m->c->w.b;
    const Dim *extent = b->indices->extent;
    k->threads = m->t.threads;
    k->blocks = m->t.blocks;
    k->block_x = number(m, m->t.threads);
    add_shared(m);
    k->grid = cuda_times(k->arena, cuda_blocks(k->names, extent[DOT_M], m->t.m),
                         cuda_blocks(k->names, extent[DOT_N], m->t.n));
    k->grid = cuda_times(k->arena, cuda_size(k, extent[DOT_BATCH]), k->grid);
    k->how = how_text(m);
}

/* The products, and the layout of operands in shared memory. */
static void add_products(const Mma *m, Fills *fills) {
    const DotForm *f = m->form;
    const bool split = f->product->terms > 1;
    const bool is_f32 = f->multiply == MULTIPLY_TF32; /* narrow operands are exact */
    const bool in_tf32 = f->multiply == MULTIPLY_TF32X3;
    const bool mn_left = f->left == OPERAND_MN_MAJOR, mn_right = f->right[0] == OPERAND_MN_MAJOR;
    const Fill made[] = {{"MULTIPLY", text_of(m)->function},
                         {"COUNT", number(m, f->count)},
                         {"TERMS", number(m, f->product->terms)},
                         {"TERM_STEPS", in_tf32 ? "2" : "1"},
                         {"SPLIT_LEFT", in_tf32 ? "split_tf32" : "split_left"},
                         {"SPLIT_RIGHT", in_tf32 ? "split_tf32" : "split_right"},
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
    const char *vector = number(m, c->vector), *beyond = cuda_beyond(c, m->t.m, m->t.n);
    const Fill made[] = {{"FINISH_VECTOR", vector},
                         {"FINISH_UNROLL", number(m, c->tile.unroll)},
                         {"FINISH", finish},
                         {"FINISH_SINGLE", rows ? "" : cuda_finish_single(c, columns)},
                         {"BEYOND", beyond},
                         {"IF_BEYOND", beyond},
                         {"ROW", row},
                         {"ROW_THREADS", number(m, c->tile.row_threads)},
                         {"IF_ROWS", rows ? "1" : ""},
                         {"IF_RAGGED", mma_left_of(m, DOT_M) ? "1" : ""},
                         {"IF_EVEN", mma_left_of(m, DOT_M) ? "" : "1"},
                         {"IF_ELEMENTS", rows ? "" : "1"}};
    FILLS_ADD(m->k->arena, fills, made);
}

/* What is computed from copies of a k tile. */
static const char *converted_text(Mma *m) {
    return arena_printf(m->k->arena, "%s%s%s", cuda_k_start(m->c, 0),
                        mma_left_text(m, DOT_K, "k_start", "tile_k"), text_get(&m->converted));
}

/* A branch would keep what computes operands apart from the products that hide it. Of many sums,
 * they take the registers that the other body needs. */
static bool has_two_bodies(const Mma *m) {
    enum { FEW_SUMS = 64 };
    return dot_has_raw(m->form) && m->t.m * m->t.n * m->form->count / m->t.threads <= FEW_SUMS;
}

void cuda_mma(CudaKernel *k, CudaWriter *c, const DotForm *form) {
    Mma m = {.k = k, .c = c, .form = form, .t = c->tile, .in_parts = true};
    Fills fills = {0};
    m.pointers = text_new(k->arena);
    m.converted = text_new(k->arena);
    m.raw_sizes = text_new(k->arena);
    m.stage_bytes = "copied_bytes";
    c->raw_memory = "slot", c->raw_threads = c->tile.threads;
    const char *fetch = mma_fetch_text(&m);
    add_products(&m, &fills);
    add_results(&m, &fills);
    const char *sum = dtype_is_float(c->w.b->accs.at[0].type) ? "float" : "int";
    const char *batch = batch_text(&m);
    /* Without batches the remainder changes nothing, but where it is cheap it shows compilers the
     * range of the block's number. */
    const bool has_remainder = *batch || c->is_32bit;
    const Fill made[] = {
        {"IDX", c->index},
        {"SUM", sum},
        {"DOT_M", dim(&m, DOT_M)},
        {"DOT_N", dim(&m, DOT_N)},
        {"TILES_K", cuda_tiles_text(m.c)},
        {"SIZES", tile_text(&m)},
        {"AT_BATCH", batch},
        {"IF_HINT", has_remainder && !*batch ? "1" : ""},
        {"IF_REMAINDER", has_remainder ? "1" : ""},
        {"IF_ALL", has_remainder ? "" : "1"},
        {"LEFT", arena_printf(k->arena, "%s%s", mma_left_text(&m, DOT_M, "m_start", "tile_m"),
                              mma_left_text(&m, DOT_N, "n_start", "tile_n"))},
        {"POINTERS", text_get(&m.pointers)},
        {"OPERANDS", fetch},
        {"CONVERTED", converted_text(&m)},
        {"A_TILE", form->raw_left.count ? "ready" : "slot"},
        {"B_TILE", mma_right_slot(&m, 0)},
        {"IF_TESTED", has_two_bodies(&m) ? "" : "1"},
        {"IF_RAW", dot_has_raw(form) ? "1" : ""}};
    FILLS_ADD(k->arena, &fills, made);
    set_launch(&m);
    if (has_two_bodies(&m))
        cuda_function_wide(k, c, "cuda/mma.cu", "tile", &m.alignments, fills.at, fills.count);
    else
        cuda_function_tested(k, c, "cuda/mma.cu", &m.alignments, fills.at, fills.count);
}
