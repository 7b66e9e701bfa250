/* cuda_dot.c: a contraction as CUDA: the operands are evaluated while they are copied to shared
 * memory, by templates/cuda/dot.cu. In: Kernel of family F_DOT. Out: text and launch. */
#include "emit/cuda.h"

#include <string.h>

enum { BATCH, M, N, K, TILE = 64, THREADS = 256, NAMED_LOCALS = 8 };

/* How many loads of a value and below it are contiguous along the axis. */
static int contiguous(const Body *b, int value, int axis)
{
    const Value *v = &b->values.at[value];
    Dim scale = 0;
    int score = v->kind == V_LOAD && index_along(b, v->ix, axis, &scale) == 1 &&
                dim_is(b->indices->dims, scale, 1);
    for (int i = 0; i < value_sources(v); i++) score += contiguous(b, v->src[i], axis);
    return score;
}

typedef struct Operand {
    const char *lines, *value, *at;
    bool along_k;
} Operand;

/* "const int at_m = m0 + mm < M ? m0 + mm : M - 1;" where `text` mentions the position. */
static void clamp_position(CudaWriter *c, int axis, const char *start, Dim extent, const char *text,
                           Text *out)
{
    const char *name = c->w.axis_name[axis], *n = cuda_dim(c, extent);
    if (!text_mentions(text, name)) return;
    text_printf(out, "const %s %s = %s < %s ? %s : %s - 1;\n", c->index, name, start, n, start, n);
}

static Operand operand(CudaWriter *c, int value, int own)
{
    Writer *w = &c->w;
    const Contraction *dot = &w->k->dot;
    Text lines = text_new(w->arena), at = text_new(w->arena);
    w->out = &lines;
    w->level = 2;
    memset(w->name, 0, sizeof *w->name * (size_t)w->b->values.count);
    count_uses(w);
    w->uses[value]++;
    declare_value(w, value);
    Operand o = {.value = value_text(w, value), .along_k = true};
    if (contiguous(w->b, value, own) > contiguous(w->b, value, K)) o.along_k = false;
    o.lines = text_get(&lines);
    const char *text = arena_printf(w->arena, "%s%s", o.lines, o.value);
    clamp_position(c, own, own == M ? "m0 + mm" : "n0 + nn", own == M ? dot->m : dot->n, text, &at);
    clamp_position(c, K, "k0 + kk", dot->k, text, &at);
    o.at = text_get(&at);
    return o;
}

/* Axes of one position, such as a batch that is none, stand at 0. */
static Ix without_ones(CudaWriter *c, Ix ix)
{
    Indices *x = c->w.b->indices;
    Ix by[4];
    for (int i = 0; i < 4; i++)
        by[i] = dim_is(x->dims, x->extent[i], 1) ? ix_const(x, dim_const(x->dims, 0)) : -1;
    return ix_replace(x, ix, by, 4);
}

static bool small(const Dims *d, Dim n)
{
    int64_t value;
    return dim_is_const(d, n, &value) && value <= 1 << 24;
}

static CudaWriter dot_writer(CudaKernel *k)
{
    CudaWriter c = cuda_writer(k, 0);
    Body *b = c.w.b;
    const Contraction *dot = &k->k->dot;
    const Dims *d = b->indices->dims;
    static const char *const names[] = {"at_batch", "at_m", "at_n", "at_k"};
    for (int i = 0; i < 4; i++) c.w.axis_name[i] = names[i];
    for (int i = 1; i < b->values.count; i++) {
        b->values.at[i].level = 2;
        b->values.at[i].used = 1;
        if (b->values.at[i].ix) b->values.at[i].ix = without_ones(&c, b->values.at[i].ix);
    }
    c.tile = tile_default(k->k, b);
    c.is_32bit = small(d, dot->batch) && small(d, dot->m) && small(d, dot->n) && small(d, dot->k) &&
                 cuda_is_32bit(b) && ix_is_32bit(b->indices, dot->c_at);
    c.index = c.is_32bit ? "int" : "idx";
    c.w.counter = NAMED_LOCALS; /* m0, n0 and k0 are the template's */
    return c;
}

static const char *sum_type(Dtype type)
{
    if (type == T_I64) return "unsigned long long";
    return type == T_I32 ? "unsigned" : cuda_register(type);
}

static const char *store_text(CudaWriter *c)
{
    Arena *arena = c->w.arena;
    const Contraction *dot = &c->w.k->dot;
    const KernelBuffer *buffer = &c->w.k->buffers.at[dot->c];
    const Ix at = without_ones(c, dot->c_at);
    const char *sum = dtype_is_float(dot->type)
                          ? "sum[i][j]"
                          : arena_printf(arena, "(%s)sum[i][j]", cuda_register(dot->type));
    return arena_printf(arena, "if (at_m < %s && at_n < %s)\n    %s[%s] = %s;\n",
                        cuda_dim(c, dot->m), cuda_dim(c, dot->n), buffer->name,
                        index_text(&c->w, at), cuda_stored(c, buffer->type, sum));
}

void cuda_dot(CudaKernel *k)
{
    CudaWriter c = dot_writer(k);
    const Contraction *dot = &k->k->dot;
    Dims *d = c.w.b->indices->dims;
    Arena *arena = k->arena;
    Operand a = operand(&c, dot->a, M), b = operand(&c, dot->b, N);
    const char *store = store_text(&c);
    const char *batch = arena_printf(arena, "const %s at_batch = (%s)blockIdx.x / across / down;\n",
                                     c.index, c.index);
    if (dim_is(d, dot->batch, 1)) batch = "";
    Fill fills[] = {{"IDX", c.index},
                    {"SUM", sum_type(dot->type)},
                    {"DOT_M", cuda_dim(&c, dot->m)},
                    {"DOT_N", cuda_dim(&c, dot->n)},
                    {"DOT_K", cuda_dim(&c, dot->k)},
                    {"A", a.value},
                    {"B", b.value},
                    {"a", a.lines},
                    {"b", b.lines},
                    {"a_at", a.at},
                    {"b_at", b.at},
                    {"a_along_k", a.along_k ? "1" : ""},
                    {"a_along_m", a.along_k ? "" : "1"},
                    {"b_along_k", b.along_k ? "1" : ""},
                    {"b_along_n", b.along_k ? "" : "1"},
                    {"at_batch", batch},
                    {"store", store}};
    k->threads = THREADS;
    k->block_x = cuda_number(arena, THREADS);
    k->grid = arena_printf(arena, "%s * %s * %s", cuda_dim(&c, dot->batch),
                           cuda_blocks(d, dot->m, TILE, arena), cuda_blocks(d, dot->n, TILE, arena));
    k->how = "256 threads for each 64 x 64 elements";
    cuda_function(k, &c, "cuda/dot.cu", "", fills, (int)(sizeof fills / sizeof *fills));
}
