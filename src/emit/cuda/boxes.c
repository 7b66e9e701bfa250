/* boxes.c: results of a product by wgmma that leave in boxes: a warp computes them from the sums in
 * its registers and puts them into shared memory, in boxes of 16 rows. TMA stores these, or a warp
 * does where rows start anywhere in 16 bytes.
 * In: Kernel of family F_DOT, its DotForm, a Tile with boxes. Out: text, tensor maps. */
#include "emit/cuda/cuda.h"

enum {
    ROWS = 16, /* of a box */
    CHUNK = 16 /* bytes: the alignment that TMA needs */
};

typedef struct Boxes {
    CudaKernel *k;
    CudaWriter *c;
    const DotForm *form;
    WgmmaStrip strip;
} Boxes;

const char *cuda_result_map(CudaKernel *k, CudaWriter *c, const ResultMap *of) {
    const Body *b = c->w.b;
    const KernelBuffer *buffer = &k->k->buffers.at[of->buffer];
    Dims *d = b->indices->dims;
    const Dim each = dim_const(d, (int64_t)dtype_size(buffer->type));
    Dim step = 0, batch = 0;
    index_along(b, of->ix, DOT_M, &step);
    index_along(b, of->ix, DOT_BATCH, &batch);
    step = dim_mul(d, each, step), batch = batch ? dim_mul(d, each, batch) : 0;
    const ProgramMap map = {
        .name = fresh(&c->w, arena_printf(k->arena, "%s_map", of->stem)),
        .buffer = buffer->name,
        .type = buffer->type,
        .offset = names_size(k->names, b->indices->node.at[of->ix].offset),
        .extent = {names_size(k->names, b->indices->extent[of->columns]),
                   names_size(k->names, b->indices->extent[DOT_M]),
                   batch ? names_size(k->names, b->indices->extent[DOT_BATCH]) : "1"},
        .step = {names_size(k->names, step), names_size(k->names, batch ? batch : step)},
        .box = {of->box[0], of->box[1]}};
    vec_push(k->arena, &k->maps, map);
    return map.name;
}

static const char *add_map(const Boxes *w, const Store *s) {
    const ResultMap of = {.stem = w->k->k->buffers.at[s->buffer].name,
                          .buffer = s->buffer,
                          .ix = s->ix,
                          .columns = DOT_N,
                          .box = {w->strip.box_columns, ROWS}};
    return cuda_result_map(w->k, w->c, &of);
}

/* "box + 2048" */
static const char *box_text(const Boxes *w, int store) {
    return store ? arena_printf(w->k->arena, "box + %d", store * w->strip.box_bytes) : "box";
}

static const char *type_of(const Boxes *w, int store) {
    const int buffer = w->c->w.b->stores.at[store].buffer;
    return cuda_storage(w->c->w.k->buffers.at[buffer].type);
}

/* ---- stored by TMA --------------------------------------------------------------------------- */

/* "(bf16 *)(to + 2048)" */
static const char *mapped_place(const Boxes *w, int store) {
    if (!store) return arena_printf(w->k->arena, "(%s *)to", type_of(w, store));
    return arena_printf(w->k->arena, "(%s *)(to + %d)", type_of(w, store),
                        store * w->strip.box_bytes);
}

/* "tma_store(&y_map_3, box, n_box, m_slice, 0);" */
static void put_box(const Boxes *w, int store, Text *out) {
    const CudaWriter *c = w->c;
    const Store *s = &c->w.b->stores.at[store];
    const char *cast = c->to_int, *batch = "0";
    Dim step = 0;
    if (index_along(c->w.b, s->ix, DOT_BATCH, &step))
        batch = arena_printf(w->k->arena, "%sat_batch", cast);
    text_printf(out, "tma_store(&%s, %s, %sn_box, %sm_slice, %s);\n", add_map(w, s),
                box_text(w, store), cast, cast, batch);
}

/* ---- stored by a warp ------------------------------------------------------------------------ */

/* The function that says where a row of a result is, and where a thread puts its results of two
 * rows into the box. */
static const char *put_row(const Boxes *w, int store, Text *out) {
    CudaWriter *c = w->c;
    const Store *s = &c->w.b->stores.at[store];
    const char *buffer = c->w.k->buffers.at[s->buffer].name, *box = box_text(w, store);
    const char *row = fresh(&c->w, arena_printf(w->k->arena, "%s_row", buffer));
    const char *to = fresh(&c->w, arena_printf(w->k->arena, "%s_to", buffer));
    if (store) box = arena_printf(w->k->arena, "(%s)", box);
    box = arena_printf(w->k->arena, "(%s *)%s", type_of(w, store), box);
    text_printf(out,
                "const auto %s = [&](int row) {\n"
                "    const %s at_m = m_slice + row, at_n = n_box;\n"
                "    return %s;\n"
                "};\n"
                "%s *const %s[] = {\n"
                "    box_row<box_n>(%s, lane / 4, %s(lane / 4)) + lane %% 4 * 2,\n"
                "    box_row<box_n>(%s, lane / 4 + 8, %s(lane / 4 + 8)) + lane %% 4 * 2};\n",
                row, c->index, address_text(&c->w, s->buffer, s->ix), type_of(w, store), to, box,
                row, box, row);
    c->boxed[store] =
        arena_printf(w->k->arena, "%s[j / 2 %% 2] + col_slice + j / 4 * 8 + j %% 2", to);
    return row;
}

/* "store_box<box_n>((const bf16 *)box, 842 - m_slice, 397 - n_box, lane, y_row);" */
static void put_shifted(const Boxes *w, int store, const char *row, Text *out) {
    const Body *b = w->c->w.b;
    const char *box = box_text(w, store);
    if (store) box = arena_printf(w->k->arena, "(%s)", box);
    text_printf(out, "store_box<box_n>((const %s *)%s, %s - m_slice, %s - n_box, lane, %s);\n",
                type_of(w, store), box, cuda_dim(w->c, b->indices->extent[DOT_M]),
                cuda_dim(w->c, b->indices->extent[DOT_N]), row);
}

/* ---- both ------------------------------------------------------------------------------------ */

static bool loads_any(const CudaWriter *c) {
    const Body *b = c->w.b;
    for (int i = 1; i < b->values.count; i++)
        if (c->w.s->value[i].used && b->values.at[i].kind == V_LOAD) return true;
    return false;
}

/* Where packs of the results go; what is known before them, and what stores them then. */
static void put_stores(const Boxes *w, Alignments *alignments, Text *rows, Text *stores) {
    CudaWriter *c = w->c;
    for (int i = 0; i < c->w.b->stores.count; i++) {
        if (w->form->box_is_shifted) {
            put_shifted(w, i, put_row(w, i, rows), stores);
        } else {
            c->boxed[i] = mapped_place(w, i);
            cuda_add_box_alignments(c, &c->w.b->stores.at[i], CHUNK, alignments);
            put_box(w, i, stores);
        }
    }
}

void cuda_add_boxes(CudaKernel *k, CudaWriter *c, const DotForm *form, bool ragged,
                    Alignments *alignments, Fills *fills) {
    enum { PAIR = 2, MOST = 4 }; /* neighbours that a thread has sums of; slices that unroll */
    const Boxes w = {k, c, form, wgmma_strip(form, &c->tile)};
    const int slices = wgmma_blocks(&c->tile) * c->tile.n / w.strip.box_slice;
    const int unroll = c->tile.unroll;
    Text rows = text_new(k->arena), stores = text_new(k->arena);
    c->boxed = arena_array(k->arena, const char *, c->w.b->stores.count);
    put_stores(&w, alignments, &rows, &stores);
    const char *finish = cuda_finish(c, w.strip.box_slice / PAIR, alignments);
    const bool guarded = ragged && loads_any(c);
    const int vector = c->vector < PAIR ? c->vector : PAIR;
    c->boxed = NULL;
    const Fill made[] = {{"BOX_VECTOR", cuda_number(k->arena, vector)},
                         {"BOX_UNROLL", cuda_number(k->arena, unroll < MOST ? unroll : slices)},
                         {"IF_RAGGED", guarded ? "1" : ""},
                         {"IF_EVEN", guarded ? "" : "1"},
                         {"IF_MAPPED", form->box_is_shifted ? "" : "1"},
                         {"IF_SHIFTED", form->box_is_shifted ? "1" : ""},
                         {"BOX_ROWS", text_get(&rows)},
                         {"BOX_FINISH", finish},
                         {"BOXES", text_get(&stores)}};
    FILLS_ADD(k->arena, fills, made);
}
