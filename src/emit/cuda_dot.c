/* cuda_dot.c: a contraction as CUDA: the operands are evaluated while they are copied to shared
 * memory, by templates/cuda/dot.cu. In: Kernel of family F_DOT. Out: text and launch. */
#include "emit/cuda.h"

#include <string.h>

enum { TILE = 64, THREADS = 256 };

typedef struct Operand {
    const char *lines, *value, *at;
    bool along_k;
} Operand;

/* "const int at_m = m_start + mm < M ? m_start + mm : M - 1;" where `text` mentions the position.
 */
static void clamp_position(CudaWriter *c, int axis, const char *start, Dim extent, const char *text,
                           Text *out) {
    const char *name = c->w.axis_name[axis], *n = cuda_dim(c, extent);
    if (!text_mentions(text, name)) return;
    text_printf(out, "const %s %s = %s < %s ? %s : %s - 1;\n", c->index, name, start, n, start, n);
}

static Operand operand(CudaWriter *c, int value, int own) {
    Writer *w = &c->w;
    const Dim *extent = w->b->indices->extent;
    Text lines = text_new(w->arena), at = text_new(w->arena);
    w->out = &lines;
    w->level = 2;
    w->indent = 0;
    memset(w->name, 0, sizeof *w->name * (size_t)w->b->values.count);
    body_focus(w->b, &value, 1);
    count_uses(w);
    declare_value(w, value);
    Operand o = {.value = value_text(w, value)};
    o.along_k = value_contiguous(w->b, value, own) <= value_contiguous(w->b, value, DOT_K);
    o.lines = text_get(&lines);
    const char *text = arena_printf(w->arena, "%s%s", o.lines, o.value);
    clamp_position(c, own, own == DOT_M ? "m_start + mm" : "n_start + nn", extent[own], text, &at);
    clamp_position(c, DOT_K, "k_start + kk", extent[DOT_K], text, &at);
    o.at = text_get(&at);
    return o;
}

/* Axes of one position, such as a batch that is none, stand at 0. */
static Ix without_ones(CudaWriter *c, Ix ix) {
    Indices *x = c->w.b->indices;
    Ix by[4];
    for (int i = 0; i < 4; i++)
        by[i] = dim_is(x->dims, x->extent[i], 1) ? ix_const(x, dim_const(x->dims, 0)) : -1;
    return ix_replace(x, ix, by, 4);
}

static bool small(const Dims *d, Dim n) {
    int64_t value;
    return dim_is_const(d, n, &value) && value <= 1 << 24;
}

static CudaWriter dot_writer(CudaKernel *k) {
    CudaWriter c = cuda_writer(k, 0);
    Body *b = c.w.b;
    const Dims *d = b->indices->dims;
    static const char *const names[] = {"at_batch", "at_m", "at_n", "at_k"};
    c.is_32bit = true;
    for (int i = 0; i < DOT_AXES; i++) {
        c.w.axis_name[i] = names[i];
        c.is_32bit = c.is_32bit && small(d, b->indices->extent[i]);
    }
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].ix) b->values.at[i].ix = without_ones(&c, b->values.at[i].ix);
    for (int i = 0; i < b->stores.count; i++)
        b->stores.at[i].ix = without_ones(&c, b->stores.at[i].ix);
    c.tile = tile_default(k->k, b);
    c.is_32bit = c.is_32bit && cuda_is_32bit(b);
    c.index = c.is_32bit ? "int" : "idx";
    return c;
}

static const char *sum_type(Dtype type) {
    if (type == T_I64) return "unsigned long long";
    return type == T_I32 ? "unsigned" : cuda_register(type);
}

/* The right operands, one tile after another. */
static const char *right_operands(CudaWriter *c) {
    Text all = text_new(c->w.arena);
    const Body *b = c->w.b;
    for (int i = 0; i < b->accs.count; i++) {
        Operand o = operand(c, b->accs.at[i].index, DOT_N);
        const Fill fills[] = {{"DOT_K", cuda_dim(c, b->indices->extent[DOT_K])},
                              {"NUMBER", cuda_number(c->w.arena, i)},
                              {"B", o.value},
                              {"lines", o.lines},
                              {"at", o.at},
                              {"NN", o.along_k ? "l / 16" : "l % 64"},
                              {"KK", o.along_k ? "l % 16" : "l / 64"}};
        template_fill("cuda/dot_right.cu", fills, (int)(sizeof fills / sizeof *fills), &all);
    }
    return text_get(&all);
}

/* What reads the results, for one element of c. */
static const char *finish(CudaWriter *c) {
    Writer *w = &c->w;
    Body *b = w->b;
    Text out = text_new(w->arena);
    int *roots = arena_array(w->arena, int, b->stores.count);
    for (int i = 0; i < b->stores.count; i++) roots[i] = b->stores.at[i].value;
    for (int i = 0; i < b->stores.count; i++) b->stores.at[i].level = 2, b->stores.at[i].stage = 0;
    memset(w->name, 0, sizeof *w->name * (size_t)b->values.count);
    body_focus(b, roots, b->stores.count);
    count_uses(w);
    w->out = &out;
    w->indent = 0;
    for (int i = 0; i < b->accs.count; i++) {
        const Accumulator *a = &b->accs.at[i];
        const char *name = fresh(w, "matmul"), *type = cuda_register(a->type);
        write_line(w, "const %s %s = %ssum[%d][i][j];", type, name,
                   dtype_is_float(a->type) ? "" : arena_printf(w->arena, "(%s)", type), i);
        w->name[a->result] = name;
    }
    for (int i = 0; i < b->stores.count; i++) declare_value(w, roots[i]);
    for (int i = 0; i < b->stores.count; i++) {
        const KernelBuffer *buffer = &w->k->buffers.at[b->stores.at[i].buffer];
        write_line(w, "%s[%s] = %s;", buffer->name, index_text(w, b->stores.at[i].ix),
                   cuda_stored(c, buffer->type, value_text(w, roots[i])));
    }
    return text_get(&out);
}

/* One fused multiply-add at a time. */
static void by_fma(CudaKernel *k, CudaWriter c) {
    const Body *body = c.w.b;
    const Dim *extent = body->indices->extent;
    Dims *d = body->indices->dims;
    Arena *arena = k->arena;
    Operand a = operand(&c, body->accs.at[0].value, DOT_M);
    const char *b = right_operands(&c), *end = finish(&c);
    const char *batch = arena_printf(
        arena, "const %s at_batch = (%s)blockIdx.x / grid_n / grid_m;\n", c.index, c.index);
    if (dim_is(d, extent[DOT_BATCH], 1)) batch = "";
    Fill fills[] = {{"IDX", c.index},
                    {"SUM", sum_type(body->accs.at[0].type)},
                    {"DOT_M", cuda_dim(&c, extent[DOT_M])},
                    {"DOT_N", cuda_dim(&c, extent[DOT_N])},
                    {"DOT_K", cuda_dim(&c, extent[DOT_K])},
                    {"COUNT", cuda_number(arena, body->accs.count)},
                    {"A", a.value},
                    {"a", a.lines},
                    {"b", b},
                    {"a_at", a.at},
                    {"MM", a.along_k ? "l / 16" : "l % 64"},
                    {"KK", a.along_k ? "l % 16" : "l / 64"},
                    {"at_batch", batch},
                    {"finish", end}};
    k->threads = THREADS;
    k->blocks =
        1; /* as many registers as it takes: left to itself, ptxas spills some of the sums */
    k->block_x = cuda_number(arena, THREADS);
    k->grid = arena_printf(arena, "%s * %s * %s", cuda_dim(&c, extent[DOT_BATCH]),
                           cuda_blocks(d, extent[DOT_M], TILE, arena),
                           cuda_blocks(d, extent[DOT_N], TILE, arena));
    k->how = "256 threads for each 64 x 64 elements";
    cuda_function(k, &c, "cuda/dot.cu", "", false, fills, (int)(sizeof fills / sizeof *fills));
}

void cuda_dot(CudaKernel *k) {
    CudaWriter c = dot_writer(k);
    DotForm form = dot_form(k->k, c.w.b, k->gpu);
    if (form.multiply == MULTIPLY_FMA)
        by_fma(k, c);
    else
        cuda_mma(k, &c, &form);
}
