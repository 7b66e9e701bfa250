/* boxes.c: results of a product by wgmma that TMA stores: a warp computes them from the sums in its
 * registers and puts them into boxes in shared memory, of 16 rows of 128 bytes.
 * In: Kernel of family F_DOT, its DotForm, a Tile with boxes. Out: text, tensor maps. */
#include "emit/cuda/cuda.h"

enum {
    ROWS = 16, /* of a box */
    ROW = 128, /* bytes */
    CHUNK = 16 /* bytes: the alignment that TMA needs */
};

typedef struct Boxes {
    CudaKernel *k;
    CudaWriter *c;
    const DotForm *form;
    WgmmaStrip strip;
} Boxes;

/* The tensor map of a result. */
static const char *add_map(const Boxes *w, const Store *s) {
    const Body *b = w->c->w.b;
    const KernelBuffer *buffer = &w->k->k->buffers.at[s->buffer];
    const Names *names = w->k->names;
    Dims *d = b->indices->dims;
    const Dim each = dim_const(d, (int64_t)dtype_size(buffer->type));
    Dim step = 0, batch = 0;
    index_along(b, s->ix, DOT_M, &step);
    index_along(b, s->ix, DOT_BATCH, &batch);
    step = dim_mul(d, each, step), batch = batch ? dim_mul(d, each, batch) : 0;
    const ProgramMap map = {
        .name = fresh(&w->c->w, arena_printf(w->k->arena, "%s_map", buffer->name)),
        .buffer = buffer->name,
        .type = buffer->type,
        .offset = names_size(names, b->indices->node.at[s->ix].offset),
        .extent = {names_size(names, b->indices->extent[DOT_N]),
                   names_size(names, b->indices->extent[DOT_M]),
                   batch ? names_size(names, b->indices->extent[DOT_BATCH]) : "1"},
        .step = {names_size(names, step), names_size(names, batch ? batch : step)},
        .box = {w->strip.box_columns, ROWS}};
    vec_push(w->k->arena, &w->k->maps, map);
    return map.name;
}

const char *cuda_boxed(const CudaWriter *c, int store, const char *at) {
    const Store *s = &c->w.b->stores.at[store];
    const char *type = cuda_storage(c->w.k->buffers.at[s->buffer].type);
    if (!store) return arena_printf(c->w.arena, "(%s *)%s", type, at);
    return arena_printf(c->w.arena, "(%s *)(%s + %d)", type, at, store * ROWS * ROW);
}

/* "tma_store(&y_map_3, box, n_box, m_slice, 0);" */
static void put_box(const Boxes *w, int store, Text *out) {
    const CudaWriter *c = w->c;
    const Store *s = &c->w.b->stores.at[store];
    const char *cast = c->to_int, *box = "box", *batch = "0";
    Dim step = 0;
    if (store) box = arena_printf(w->k->arena, "box + %d", store * ROWS * ROW);
    if (index_along(c->w.b, s->ix, DOT_BATCH, &step))
        batch = arena_printf(w->k->arena, "%sat_batch", cast);
    text_printf(out, "tma_store(&%s, %s, %sn_box, %sm_slice, %s);\n", add_map(w, s), box, cast,
                cast, batch);
}

static bool loads_any(const CudaWriter *c) {
    const Body *b = c->w.b;
    for (int i = 1; i < b->values.count; i++)
        if (c->w.s->value[i].used && b->values.at[i].kind == V_LOAD) return true;
    return false;
}

void cuda_add_boxes(CudaKernel *k, CudaWriter *c, const DotForm *form, bool ragged,
                    Alignments *alignments, Fills *fills) {
    enum { PAIR = 2, MOST = 4 }; /* neighbours that a thread has sums of; slices that unroll */
    const Boxes w = {k, c, form, wgmma_strip(form, &c->tile)};
    const int slices = wgmma_blocks(&c->tile) * c->tile.n / w.strip.box_slice;
    const int unroll = c->tile.unroll;
    Text stores = text_new(k->arena);
    c->boxed = true;
    const char *finish = cuda_finish(c, w.strip.box_slice / PAIR, alignments);
    const bool guarded = ragged && loads_any(c);
    const int vector = c->vector < PAIR ? c->vector : PAIR;
    c->boxed = false;
    for (int i = 0; i < c->w.b->stores.count; i++) {
        cuda_add_box_alignments(c, &c->w.b->stores.at[i], CHUNK, alignments);
        put_box(&w, i, &stores);
    }
    const Fill made[] = {{"BOX_VECTOR", cuda_number(k->arena, vector)},
                         {"BOX_UNROLL", cuda_number(k->arena, unroll < MOST ? unroll : slices)},
                         {"IF_RAGGED", guarded ? "1" : ""},
                         {"IF_EVEN", guarded ? "" : "1"},
                         {"BOX_FINISH", finish},
                         {"BOXES", text_get(&stores)}};
    FILLS_ADD(k->arena, fills, made);
}
