/* gemv.c: a contraction with few rows by mma.sync, through templates/cuda/gemv.cu, or of f32 by
 * fused multiply-adds, through gemv_fma.cu: operands go from memory to registers.
 * In: Kernel of family F_DOT, its DotForm. Out: text and launch. */
#include "emit/cuda/cuda.h"

enum {
    WARP = 32,
    SHARERS = 4,    /* threads that share a row or a column */
    PART_BYTES = 8, /* of a thread in one instruction */
    FMA_EACH = 4    /* elements of a thread along an axis, by fused multiply-adds */
};

typedef struct Gemv {
    CudaKernel *k;
    CudaWriter *c;
    const DotForm *form;
    Tile t;
    Alignments alignments;
} Gemv;

static const char *number(const Gemv *m, int64_t n) { return cuda_number(m->k->arena, n); }
static Dim extent(const Gemv *m, int axis) { return m->c->w.b->indices->extent[axis]; }
static const char *dim(const Gemv *m, int axis) { return cuda_dim(m->c, extent(m, axis)); }

static int rows_of(const Gemv *m) { return tile_gemv_rows(m->c->w.b); }

/* Does k end where a warp's steps do? */
static bool has_whole_k(const Gemv *m) {
    return cuda_is_whole(m->c, DOT_K, (int64_t)m->t.operand_unroll * m->t.k);
}

/* Have all warps of a block as many of these steps? */
static bool is_shared_evenly(const Gemv *m) {
    return cuda_is_whole(m->c, DOT_K,
                         (int64_t)m->t.operand_unroll * m->t.k * (m->t.threads / WARP));
}

/* ---- operands -------------------------------------------------------------------------------- */

/* A thread's elements of an operand that follow each other along an axis. */
typedef struct Elements {
    int value;
    int axis;
    const char *name, *first, *each; /* of the position along the axis; how many */
    int most;                        /* the same */
    const char *inside;              /* "at_n < N": condition besides the end of k; "": none */
    bool tests_all;                  /* of every part of k, not only of the one that ends */
} Elements;

/* "at_n < N": unless tiles end at the end of the axis. */
static const char *inside_text(const Gemv *m, int axis, int64_t each) {
    if (cuda_is_whole(m->c, axis, each)) return "";
    return arena_printf(m->k->arena, "%s < %s", m->c->w.axis_name[axis], dim(m, axis));
}

/* "at_n < N && (!ends || at_k < K)": where a pack is inside. */
static const char *condition_text(const Gemv *m, const Elements *e) {
    if (has_whole_k(m)) return e->inside;
    const char *k = arena_printf(m->k->arena, "at_k < %s", dim(m, DOT_K));
    if (!e->tests_all)
        k = arena_printf(m->k->arena, *e->inside ? "(!ends || %s)" : "!ends || %s", k);
    return *e->inside ? arena_printf(m->k->arena, "%s && %s", e->inside, k) : k;
}

/* Elements of a pack, where memory is aligned for packs. */
static const char *vector_text(const Gemv *m) {
    return m->c->vector > 1 ? arena_printf(m->k->arena, "wide ? %d : 1", m->c->vector) : "1";
}

/* The statements that make them. */
static const char *elements_text(Gemv *m, const Elements *e, Dtype type) {
    CudaWriter *c = m->c;
    const Piece *piece =
        cuda_choose_pack(c, PIECE_OPERAND, e->value, e->axis, e->most, &m->alignments);
    const char *elements = cuda_operand_pack(c, piece->roots[0], type);
    const char *condition = condition_text(m, e);
    Text out = text_new(m->k->arena);
    const Fill fills[] = {{"VECTOR", vector_text(m)},
                          {"TYPE", cuda_storage(type)},
                          {"AXIS", e->name},
                          {"FIRST", e->first},
                          {"EACH", e->each},
                          {"ELEMENTS", elements},
                          {"INSIDE", condition},
                          {"IF_EDGE", condition},
                          {"IF_WHOLE", *condition ? "" : "1"}};
    axes_taken(&c->w);
    TEMPLATE_FILL("cuda/gemv_operand.cu", fills, &out);
    return text_get(&out);
}

static Elements along_k(int value, int most, const char *inside) {
    return (Elements){.value = value,
                      .axis = DOT_K,
                      .name = "at_k",
                      .first = "k_start",
                      .each = "each",
                      .most = most,
                      .inside = inside};
}

static const char *operand_text(Gemv *m, int value) {
    const Elements elements = along_k(value, m->t.k / SHARERS, "");
    return elements_text(m, &elements, m->form->product->type);
}

/* A thread's elements of product i: `piece` of them. */
static void put_right(const Gemv *m, int i, const char *piece, const char *text, Text *out) {
    const bool one = m->c->w.b->dots == 1;
    Text elements = text_new(m->k->arena);
    text_printf(&elements, "auto &elements = b_pieces[step][%d][%s];\n%s", i, piece, text);
    text_str(out, one ? "" : "{\n");
    text_indented(out, text_get(&elements), one ? 0 : 4);
    text_str(out, one ? "" : "}\n");
}

static const char *right_text(Gemv *m) {
    const Body *b = m->c->w.b;
    Text out = text_new(m->k->arena);
    for (int i = 0; i < b->dots; i++)
        put_right(m, i, "piece", operand_text(m, b->accs.at[i].index), &out);
    return text_get(&out);
}

/* Rows and columns beyond the end are the last ones again; where k ends within a warp's steps,
 * these test where. */
static void add_ends(const Gemv *m, int rows, Fills *fills) {
    const char *const whole_m = cuda_is_whole(m->c, DOT_M, rows) ? "1" : "";
    const char *const whole_n = cuda_is_whole(m->c, DOT_N, m->t.n) ? "1" : "";
    const char *const even = is_shared_evenly(m) ? "1" : "";
    const Fill made[] = {{"DOT_M", dim(m, DOT_M)},
                         {"DOT_N", dim(m, DOT_N)},
                         {"DOT_K", dim(m, DOT_K)},
                         {"IF_WHOLE_M", whole_m},
                         {"IF_RAGGED_M", *whole_m ? "" : "1"},
                         {"IF_WHOLE_N", whole_n},
                         {"IF_RAGGED_N", *whole_n ? "" : "1"},
                         {"IF_EVEN", even},
                         {"IF_UNEVEN", *even ? "" : "1"},
                         {"IF_ENDS", has_whole_k(m) ? "" : "1"}};
    FILLS_ADD(m->k->arena, fills, made);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Single elements are those of one instruction: more of them would take more registers than packs
 * do. */
static const char *sizes_text(const Gemv *m) {
    const int least = PART_BYTES / (int)dtype_size(m->form->product->type);
    return arena_printf(m->k->arena,
                        "constexpr int tile_n = %d, warps = %d; /* of a block */\n"
                        "constexpr int each = wide ? %d : %d, steps = wide ? %d : 1, rows = %d;\n",
                        m->t.n, m->t.threads / WARP, m->t.k / SHARERS, least, m->t.operand_unroll,
                        rows_of(m));
}

static const char *batch_text(const Gemv *m) {
    if (dim_is(m->c->w.b->indices->dims, extent(m, DOT_BATCH), 1)) return "";
    return arena_printf(m->k->arena, "const %s at_batch = (%s)blockIdx.x / tiles_n;\n", m->c->index,
                        m->c->index);
}

static void set_launch(Gemv *m, int64_t shared) {
    CudaKernel *k = m->k;
    k->threads = m->t.threads;
    k->blocks = m->t.blocks;
    k->block_x = number(m, m->t.threads);
    const int warps = m->t.threads / WARP;
    cuda_shared(k, warps, shared / warps, "sums of warps");
    k->grid = cuda_times(k->arena, cuda_size(k, extent(m, DOT_BATCH)),
                         cuda_blocks(k->names, extent(m, DOT_N), m->t.n));
}

static const char *how_text(const Gemv *m, const char *products) {
    return arena_printf(m->k->arena,
                        "%s; operands go from memory to registers; %d warps share out k, for %d "
                        "columns",
                        products, m->t.threads / WARP, m->t.n);
}

/* What becomes of the sums of warps. */
static const char *sums_text(Gemv *m, int rows, const char *type) {
    const char *finish = cuda_finish(m->c, m->t.n, &m->alignments);
    const char *beyond = cuda_beyond(m->c, rows, m->t.n);
    Text out = text_new(m->k->arena);
    const Fill fills[] = {{"IDX", m->c->index},
                          {"SUM", type},
                          {"BEYOND", beyond},
                          {"IF_BEYOND", beyond},
                          {"FINISH_VECTOR", vector_text(m)},
                          {"FINISH_UNROLL", number(m, m->c->tile.unroll)},
                          {"FINISH", finish}};
    TEMPLATE_FILL("cuda/gemv_sums.cu", fills, &out);
    return text_get(&out);
}

void cuda_gemv(CudaKernel *k, CudaWriter *c, const DotForm *form) {
    Gemv m = {.k = k, .c = c, .form = form, .t = c->tile};
    const char *right = right_text(&m), *left = operand_text(&m, c->w.b->accs.at[0].value);
    const char *sum = dtype_is_float(c->w.b->accs.at[0].type) ? "float" : "int";
    const char *sums = sums_text(&m, rows_of(&m), sum);
    Fills fills = {0};
    const Fill made[] = {{"IDX", c->index},
                         {"TO_IDX", c->to_index},
                         {"TO_INT", c->to_int},
                         {"SUM", sum},
                         {"TYPE", cuda_storage(form->product->type)},
                         {"MULTIPLY", cuda_multiply_text(form)->function},
                         {"COUNT", number(&m, form->count)},
                         {"PAD", number(&m, GEMV_PAD)},
                         {"SIZES", sizes_text(&m)},
                         {"AT_BATCH", batch_text(&m)},
                         {"LEFT", left},
                         {"RIGHT", right},
                         {"SUMS", sums},
                         {"IF_ROUNDED", form->multiply == MULTIPLY_TF32 ? "1" : ""}};
    FILLS_ADD(k->arena, &fills, made);
    add_ends(&m, rows_of(&m), &fills);
    const char *products =
        arena_printf(k->arena, "Tensor cores, %s products", cuda_multiply_text(form)->products);
    set_launch(&m, tile_gemv_shared(c->w.b, form, &m.t));
    k->how = how_text(&m, products);
    cuda_function_wide(k, c, "cuda/gemv.cu", "tile", &m.alignments, fills.at, fills.count);
}

/* ---- by fused multiply-adds ------------------------------------------------------------------ */

static const char *fma_sizes_text(const Gemv *m, const GemvLanes *lanes) {
    return arena_printf(
        m->k->arena,
        "constexpr int tile_n = %d, warps = %d; /* of a block */\n"
        "constexpr int steps = wide ? %d : 1, rows = %d, lanes_n = %d; /* threads along n */\n",
        m->t.n, m->t.threads / WARP, m->t.operand_unroll, tile_gemv_fma_rows(m->c->w.b), lanes->n);
}

static const char *left_fma_text(Gemv *m, bool is_across) {
    const Body *b = m->c->w.b;
    Elements left =
        along_k(b->accs.at[0].value, FMA_EACH, inside_text(m, DOT_M, tile_gemv_fma_rows(b)));
    left.tests_all = is_across;
    return elements_text(m, &left, T_F32);
}

static const char *right_fma_text(Gemv *m, bool is_across) {
    const Body *b = m->c->w.b;
    Text out = text_new(m->k->arena);
    for (int i = 0; i < b->dots; i++) {
        Elements right = along_k(b->accs.at[i].index, FMA_EACH, "");
        if (is_across) {
            right.inside = inside_text(m, DOT_N, m->t.n);
            right.axis = DOT_N, right.name = "at_n", right.tests_all = true;
            right.first = "n_first", right.each = "columns";
        }
        put_right(m, i, is_across ? "i" : "column", elements_text(m, &right, T_F32), &out);
    }
    return text_get(&out);
}

void cuda_gemv_fma(CudaKernel *k, CudaWriter *c) {
    Gemv m = {.k = k, .c = c, .t = c->tile};
    const GemvLanes lanes = tile_gemv_lanes(c->w.b, &m.t);
    const char *right = right_fma_text(&m, lanes.is_across),
               *left = left_fma_text(&m, lanes.is_across);
    const char *sums = sums_text(&m, tile_gemv_fma_rows(c->w.b), "float");
    Fills fills = {0};
    const Fill made[] = {
        {"IDX", c->index},
        {"TO_IDX", c->to_index},
        {"TO_INT", c->to_int},
        {"SUM", "float"},
        {"COUNT", number(&m, c->w.b->dots)},
        {"PAD", number(&m, GEMV_PAD)},
        {"ELEMENT", lanes.is_across ? "[i].at[column]" : "[column].at[i]"},
        {"LANE_STEP", lanes.is_across ? "lanes_n" : "1"},
        {"AT_COLUMN", lanes.is_across ? "lane_n * columns + column" : "lanes_n * column + lane_n"},
        {"IF_ALONG", lanes.is_across ? "" : "1"},
        {"IF_ACROSS", lanes.is_across ? "1" : ""},
        {"SIZES", fma_sizes_text(&m, &lanes)},
        {"AT_BATCH", batch_text(&m)},
        {"LEFT", left},
        {"RIGHT", right},
        {"SUMS", sums}};
    FILLS_ADD(k->arena, &fills, made);
    add_ends(&m, tile_gemv_fma_rows(c->w.b), &fills);
    set_launch(&m, tile_gemv_fma_shared(c->w.b, &m.t));
    k->how = how_text(&m, "Fused multiply-adds");
    cuda_function_wide(k, c, "cuda/gemv_fma.cu", "tile", &m.alignments, fills.at, fills.count);
}
