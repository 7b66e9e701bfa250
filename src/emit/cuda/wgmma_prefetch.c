/* wgmma_prefetch.c: what the epilogue of a contraction by wgmma loads for each result, such as a
 * residual, is brought to L2 while the tile is multiplied. Few warps wait for these loads, one
 * slice of a tile after the other: from memory they would take longer than a short k.
 * In: Kernel of family F_DOT, its DotForm, a Tile for wgmma. Out: text, tensor maps. */
#include "emit/cuda/cuda.h"

enum {
    ROW = 128, /* bytes of a row of a box: as long as those of other maps */
    CHUNK = 16 /* bytes: the alignment that TMA needs */
};

typedef struct Prefetch {
    CudaKernel *k;
    CudaWriter *c;
    int columns; /* axis of the results along a row */
} Prefetch;

static bool is_mapped_type(Dtype type) {
    return type == T_F32 || type == T_BF16 || type == T_F16 || dtype_size(type) == 1;
}

/* The stride along an axis in bytes; 0: there is none. */
static Dim bytes_along(const Prefetch *p, const Value *v, int axis) {
    Dims *d = p->c->w.b->indices->dims;
    Dim step = 0;
    if (!index_along(p->c->w.b, v->ix, axis, &step)) return 0;
    return dim_mul(d, dim_const(d, (int64_t)dtype_size(v->type)), step);
}

/* Is it evenly spaced along the axis, at known multiples of 16 bytes, or is there no such axis? */
static bool is_even_along(const Prefetch *p, const Value *v, int axis) {
    Dims *d = p->c->w.b->indices->dims;
    Dim step = 0;
    const int how = index_along(p->c->w.b, v->ix, axis, &step);
    return how == 0 || (how == 1 && dim_divides(d, dim_const(d, CHUNK), bytes_along(p, v, axis)));
}

/* Is it one of each result, in rows that TMA can bring? */
static bool is_prefetched(const Prefetch *p, const Value *v) {
    const Body *b = p->c->w.b;
    Dims *d = b->indices->dims;
    Dim step = 0;
    if (v->kind != V_LOAD || v->guard || !is_mapped_type(v->type)) return false;
    const IxNode *n = &b->indices->node.at[v->ix];
    const int each = CHUNK / (int)dtype_size(v->type);
    if (n->dynamic || !dim_divides(d, dim_const(d, each), n->offset)) return false;
    if (index_along(b, v->ix, p->columns, &step) != 1 || !dim_is(d, step, 1)) return false;
    return bytes_along(p, v, DOT_M) && is_even_along(p, v, DOT_M) && is_even_along(p, v, DOT_BATCH);
}

/* "for (int box = 0; box < tile_n; box += 64) tma_prefetch(&r_map, n_start + box, m_start, 0);" */
static void put_prefetch(const Prefetch *p, int value, Text *out) {
    const CudaWriter *c = p->c;
    const Value *v = &c->w.b->values.at[value];
    const int each = ROW / (int)dtype_size(v->type), parts = c->tile.split_k;
    const char *batch = bytes_along(p, v, DOT_BATCH) ? "at_batch" : "0";
    const ResultMap map = {.stem = value_stem(&p->c->w, value),
                           .buffer = v->attr,
                           .ix = v->ix,
                           .columns = p->columns,
                           .box = {each, c->tile.m}};
    const char *start = parts ? arena_printf(p->k->arena, "%d * rank", each) : "0";
    const char *shared = parts ? " * parts" : "";
    text_printf(out,
                "for (int box = %s; box < tile_n; box += %d%s)\n"
                "    tma_prefetch(&%s, %sn_start + box, %sm_start, %s%s);\n",
                start, each, shared, cuda_result_map(p->k, p->c, &map), c->to_int, c->to_int,
                *batch == '0' ? "" : c->to_int, batch);
}

void cuda_add_wgmma_prefetches(CudaKernel *k, CudaWriter *c, const DotForm *form,
                               Alignments *alignments, Fills *fills) {
    const Prefetch p = {k, c, form->columns ? DOT_COLUMN : DOT_N};
    Text text = text_new(k->arena);
    for (int i = 1; i < c->w.b->values.count && !form->has_segments; i++) {
        if (!is_prefetched(&p, &c->w.b->values.at[i])) continue;
        cuda_add_row_alignments(c, i, CHUNK, alignments);
        put_prefetch(&p, i, &text);
    }
    const Fill made[] = {{"IF_PREFETCHED", text.size ? "1" : ""}, {"PREFETCHES", text_get(&text)}};
    FILLS_ADD(k->arena, fills, made);
}
