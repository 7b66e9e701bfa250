/* gemv.c: a contraction with few rows by mma.sync, through templates/cuda/gemv.cu: operands go from
 * memory to registers.
 * In: Kernel of family F_DOT, its DotForm. Out: text and launch. */
#include "emit/cuda/cuda.h"

enum {
    WARP = 32,
    SHARERS = 4,   /* threads that share a row or a column */
    PART_BYTES = 8 /* of a thread in one instruction */
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

/* Products of all steps of a block's warps. */
static int depth(const Gemv *m) { return m->t.threads / WARP * m->t.operand_unroll * m->t.k; }

/* ---- operands -------------------------------------------------------------------------------- */

/* "row < 3 && at_k < K": where the pack of an operand is inside. */
static const char *condition_text(const Gemv *m, int own, const char *position, int64_t each) {
    Text out = text_new(m->k->arena);
    const char *end = dim(m, own);
    if (!cuda_is_whole(m->c, own, each)) text_printf(&out, "%s < %s", position, end);
    if (!cuda_is_whole(m->c, DOT_K, depth(m)))
        text_printf(&out, "%sat_k < %s", out.size ? " && " : "", dim(m, DOT_K));
    return text_get(&out);
}

/* The statements that make a thread's elements of an operand. */
static const char *operand_text(Gemv *m, int value, int own) {
    CudaWriter *c = m->c;
    const Dtype type = m->form->product->type;
    const int each = m->t.k / SHARERS;
    const Piece *piece = cuda_choose_pack(c, PIECE_OPERAND, value, DOT_K, each, &m->alignments);
    const char *elements = cuda_operand_pack(c, piece->roots[0], type);
    const int step = own == DOT_M ? rows_of(m) : m->t.n;
    const char *condition = condition_text(m, own, own == DOT_M ? "at_m" : "at_n", step);
    Text out = text_new(m->k->arena);
    const Fill fills[] = {{"VECTOR", number(m, c->vector)},
                          {"TYPE", cuda_storage(type)},
                          {"ELEMENTS", elements},
                          {"INSIDE", condition},
                          {"IF_EDGE", condition},
                          {"IF_WHOLE", *condition ? "" : "1"}};
    axes_taken(&c->w);
    template_fill("cuda/gemv_operand.cu", fills, (int)(sizeof fills / sizeof *fills), &out);
    return text_get(&out);
}

static const char *right_text(Gemv *m) {
    const Body *b = m->c->w.b;
    Text out = text_new(m->k->arena);
    const bool one = m->form->count == 1;
    for (int i = 0; i < m->form->count; i++) {
        Text elements = text_new(m->k->arena);
        text_printf(&elements, "auto &elements = b_pieces[step][%d][piece];\n%s", i,
                    operand_text(m, b->accs.at[i].index, DOT_N));
        text_str(&out, one ? "" : "{\n");
        text_indented(&out, text_get(&elements), one ? 0 : 4);
        text_str(&out, one ? "" : "}\n");
    }
    return text_get(&out);
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

static void set_launch(Gemv *m) {
    CudaKernel *k = m->k;
    k->threads = m->t.threads;
    k->blocks = m->t.blocks;
    k->block_x = number(m, m->t.threads);
    const int warps = m->t.threads / WARP;
    cuda_shared(k, warps, tile_gemv_shared(m->c->w.b, m->form, &m->t) / warps, "sums of warps");
    k->grid = cuda_blocks(k->names, extent(m, DOT_N), m->t.n);
    if (!dim_is(m->c->w.b->indices->dims, extent(m, DOT_BATCH), 1))
        k->grid = arena_printf(k->arena, "%s * %s", cuda_size(k, extent(m, DOT_BATCH)), k->grid);
    k->how = arena_printf(k->arena,
                          "Tensor cores, %s products; operands go from memory to registers; %d "
                          "warps share out k, for %d columns",
                          cuda_multiply_text(m->form)->products, m->t.threads / WARP, m->t.n);
}

void cuda_gemv(CudaKernel *k, CudaWriter *c, const DotForm *form) {
    Gemv m = {.k = k, .c = c, .form = form, .t = c->tile};
    const char *right = right_text(&m), *left = operand_text(&m, c->w.b->accs.at[0].value, DOT_M);
    const char *finish = cuda_finish(c, m.t.n, &m.alignments);
    const Fill fills[] = {{"IDX", c->index},
                          {"TO_IDX", c->to_index},
                          {"TO_INT", c->to_int},
                          {"SUM", dtype_is_float(c->w.b->accs.at[0].type) ? "float" : "int"},
                          {"TYPE", cuda_storage(form->product->type)},
                          {"MULTIPLY", cuda_multiply_text(form)->function},
                          {"DOT_M", dim(&m, DOT_M)},
                          {"DOT_N", dim(&m, DOT_N)},
                          {"DOT_K", dim(&m, DOT_K)},
                          {"COUNT", number(&m, form->count)},
                          {"PAD", number(&m, GEMV_PAD)},
                          {"SIZES", sizes_text(&m)},
                          {"AT_BATCH", batch_text(&m)},
                          {"LEFT", left},
                          {"RIGHT", right},
                          {"FINISH_VECTOR", number(&m, c->vector)},
                          {"FINISH_UNROLL", number(&m, c->tile.unroll)},
                          {"FINISH", finish},
                          {"IF_ROUNDED", form->multiply == MULTIPLY_TF32 ? "1" : ""}};
    set_launch(&m);
    cuda_function_wide(k, c, "cuda/gemv.cu", "tile", &m.alignments, fills,
                       (int)(sizeof fills / sizeof *fills));
}
