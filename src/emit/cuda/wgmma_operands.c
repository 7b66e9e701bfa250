/* wgmma_operands.c: operands of a contraction by wgmma that are in memory as they are: the TMA
 * boxes that bring them to a stage, copies of elements where TMA cannot, and the rows that neither
 * fills. In: Kernel of family F_DOT, its DotForm, a Tile for wgmma. Out: text, tensor maps. */
#include "emit/cuda/wgmma.h"

enum {
    CHUNK = 16, /* bytes that are copied at a time */
    ACROSS_BOX = WGMMA_ACROSS_BOX
};

static int loaded_rows(const Wgmma *w, int own, OperandLayout layout) {
    return wgmma_loaded_rows(w->c->w.b, w->form, &w->t, own, layout);
}

/* The end of the operands along an axis. */
static Dim end_of(const Wgmma *w, int axis) {
    return axis == DOT_N ? w->form->n_end : w->c->w.b->indices->extent[axis];
}

typedef struct Operand {
    int value, own; /* own: DOT_M or DOT_N */
    int summed;     /* DOT_K, or the axis of an added product */
    int rows;       /* of the tile along `own`, */
    int loaded;     /* and those that TMA loads: whole swizzle patterns of all there are */
    bool across;    /* MN-major */
    bool is_shared; /* by the blocks of a cluster */
    bool is_pixels; /* a moved image: see PixelForm */
    const char *start, *slot;
} Operand;

/* The stride in bytes along an axis; 0: the operand has no such axis. */
static Dim step_along(const Wgmma *w, const Operand *o, int axis) {
    const Body *b = w->c->w.b;
    const Value *v = &b->values.at[o->value];
    Dims *d = b->indices->dims;
    Dim step = 0;
    if (!index_along(b, v->ix, axis, &step)) return 0;
    return dim_mul(d, dim_const(d, (int64_t)dtype_size(v->type)), step);
}

/* Blocks of a cluster that load a part of its tile each, to all of them. */
static int parts(const Wgmma *w, const Operand *o) { return o->is_shared ? w->t.cluster : 1; }

/* The tensor map of the operand, made by the launcher. */
static const char *add_map(Wgmma *w, const Operand *o) {
    const Body *b = w->c->w.b;
    const Value *v = &b->values.at[o->value];
    Arena *arena = w->k->arena;
    const int inner = o->across ? o->own : o->summed, outer = o->across ? o->summed : o->own;
    const Dim step = step_along(w, o, outer), batch = step_along(w, o, DOT_BATCH);
    const char *name =
        fresh(&w->c->w, arena_printf(arena, "%s_map", value_stem(&w->c->w, o->value)));
    const ProgramMap map = {
        .name = name,
        .buffer = w->c->w.k->buffers.at[v->attr].name,
        .type = v->type,
        .offset = names_size(w->k->names, b->indices->node.at[v->ix].offset),
        .extent = {names_size(w->k->names, end_of(w, inner)),
                   names_size(w->k->names, end_of(w, outer)),
                   batch ? names_size(w->k->names, b->indices->extent[DOT_BATCH]) : "1"},
        .step = {names_size(w->k->names, step), names_size(w->k->names, batch ? batch : step)},
        .box = {SLOT_ROW / (int)dtype_size(v->type),
                o->across ? ACROSS_BOX : o->loaded / parts(w, o)}};
    vec_push(arena, &w->k->maps, map);
    return name;
}

/* The axes of pixels and of channels. */
static int pixel_axis(const Operand *o) { return o->across ? o->summed : o->own; }
static int channel_axis(const Operand *o) { return o->across ? o->own : o->summed; }

static PixelForm pixels_of(const Wgmma *w, const Operand *o) {
    PixelForm form = {0};
    if (!pixel_form(w->c->w.b, o->value, pixel_axis(o), channel_axis(o), &form))
        BUG("wgmma: no image");
    return form;
}

/* The map of an image. */
static const char *add_pixel_map(Wgmma *w, const Operand *o) {
    const Body *b = w->c->w.b;
    const Value *v = &b->values.at[o->value];
    const PixelForm form = pixels_of(w, o);
    const Names *names = w->k->names;
    Dims *d = b->indices->dims;
    const Dim step = step_along(w, o, pixel_axis(o)), image = dim_mul(d, form.width, form.height);
    const Dim images = dim_div(d, b->indices->extent[pixel_axis(o)], image, (Span){0});
    const char *name =
        fresh(&w->c->w, arena_printf(w->k->arena, "%s_map", value_stem(&w->c->w, o->value)));
    const ProgramMap map = {
        .name = name,
        .buffer = w->c->w.k->buffers.at[v->attr].name,
        .type = v->type,
        .is_pixels = true,
        .offset = names_size(names, form.start),
        .extent = {names_size(names, end_of(w, channel_axis(o))), names_size(names, form.width),
                   names_size(names, form.height), names_size(names, images)},
        .step = {names_size(names, step), names_size(names, dim_mul(d, step, form.width)),
                 names_size(names, dim_mul(d, step, image))},
        .moved = {form.across, form.down},
        .box = {SLOT_ROW / (int)dtype_size(v->type), o->across ? w->t.k : o->loaded}};
    vec_push(w->k->arena, &w->k->maps, map);
    return name;
}

/* "m_start / 14 % 14 - 1": where a box starts along one axis of an image; 0: of images. */
static const char *pixel_at(const Wgmma *w, const Operand *o, Dim inner, Dim extent, int moved) {
    Dims *d = w->c->w.b->indices->dims;
    Text out = text_new(w->k->arena);
    if (extent && dim_is(d, extent, 1)) return "0";
    text_str(&out, o->across ? "k_start" : o->start);
    if (!dim_is(d, inner, 1)) text_printf(&out, " / %s", cuda_dim(w->c, inner));
    if (extent) text_printf(&out, " %% %s", cuda_dim(w->c, extent));
    if (moved) text_printf(&out, moved < 0 ? " - %d" : " + %d", moved < 0 ? -moved : moved);
    return *w->c->to_int ? arena_printf(w->k->arena, "%s(%s)", w->c->to_int, text_get(&out))
                         : text_get(&out);
}

/* "tma_load_pixels(slot, &x_map, arrival, k_start, m_start % 14 - 1, m_start / 14 % 14, m_start /
 * 196);" */
static void put_pixels(Wgmma *w, const Operand *o, Text *out) {
    Dims *d = w->c->w.b->indices->dims;
    const PixelForm form = pixels_of(w, o);
    const char *map = add_pixel_map(w, o), *cast = w->c->to_int;
    const char *at = arena_printf(w->k->arena, "%s, %s, %s",
                                  pixel_at(w, o, dim_const(d, 1), form.width, form.across),
                                  pixel_at(w, o, form.width, form.height, form.down),
                                  pixel_at(w, o, dim_mul(d, form.width, form.height), 0, 0));
    if (o->across)
        text_printf(out,
                    "#pragma unroll\nfor (int box = 0; box < %d; box += %d)\n"
                    "    tma_load_pixels(%s + 128 * box, &%s, arrival, %s%s + box, %s);\n",
                    o->loaded, ACROSS_BOX, o->slot, map, cast, o->start, at);
    else
        text_printf(out, "tma_load_pixels(%s, &%s, arrival, %sk_start, %s);\n", o->slot, map, cast,
                    at);
}

/* "tma_load(slot, &x_map_0, arrival, k_start, m_start, 0);" */
static void put_copy(Wgmma *w, const Operand *o, Text *out) {
    const char *map = add_map(w, o), *cast = w->c->to_int;
    const char *batch =
        step_along(w, o, DOT_BATCH) ? arena_printf(w->k->arena, "%sat_batch", cast) : "0";
    const int count = parts(w, o), rows = o->rows / count;
    const char *load = count > 1 ? "tma_load_multicast" : "tma_load";
    const char *blocks = count > 1 ? ", (1 << cluster) - 1" : "";
    if (!o->across && count > 1)
        text_printf(out, "%s(%s + rank * %d, &%s, arrival, %sk_start, %s%s + rank * %d, %s%s);\n",
                    load, o->slot, rows * 128, map, cast, cast, o->start, rows, batch, blocks);
    else if (!o->across)
        text_printf(out, "%s(%s, &%s, arrival, %sk_start, %s%s, %s);\n", load, o->slot, map, cast,
                    cast, o->start, batch);
    else
        text_printf(out,
                    "#pragma unroll\nfor (int box = %s; box < %d; box += %d)\n"
                    "    %s(%s + 128 * box, &%s, arrival, %s%s + box, %sk_start, %s%s);\n",
                    count > 1 ? "64 * rank" : "0", o->loaded, 64 * count, load, o->slot, map, cast,
                    o->start, cast, batch, blocks);
}

/* The same without TMA. */
static const char *elements_text(Wgmma *w, const Operand *o) {
    CudaWriter *c = w->c;
    const Value *v = &c->w.b->values.at[o->value];
    const PanelSide own = {c->w.axis_name[o->own], o->start, cuda_dim(c, end_of(w, o->own))};
    const PanelSide k = {c->w.axis_name[o->summed], "k_start", cuda_dim(c, end_of(w, o->summed))};
    const bool is_tf32 = w->form->multiply == MULTIPLY_TF32;
    const PanelCopy copy = {.name = value_stem(&c->w, o->value),
                            .slot = o->slot,
                            .rows = o->across ? w->t.k : o->rows,
                            .panels = o->across ? o->rows / ACROSS_BOX : 1,
                            .each = CHUNK / (int)dtype_size(w->form->product->type),
                            .row = o->across ? k : own,
                            .column = o->across ? own : k,
                            .copy = is_tf32 ? "copy_chunk_tf32" : "copy_chunk",
                            .condition = o->is_pixels ? cuda_pack_condition(c, o->value) : "",
                            .from = address_text(&w->c->w, v->attr, v->ix)};
    return cuda_panels(c, &copy);
}

static void put_operand(Wgmma *w, const Operand *o, OperandLayout layout, Text *copies,
                        Text *elements) {
    if (layout == OPERAND_COMPUTED) return; /* see wgmma_computed.c */
    writer_piece(&w->c->w, PIECE_OPERAND, o->value, o->across ? o->own : o->summed);
    cuda_add_row_alignments(w->c, o->value, CHUNK, &w->alignments);
    if (o->is_pixels)
        put_pixels(w, o, copies);
    else
        put_copy(w, o, copies);
    text_str(elements, elements_text(w, o));
}

const char *cuda_wgmma_right_slot(Arena *arena, int i) {
    if (i < 2) return i ? "slot + a_bytes + b_bytes" : "slot + a_bytes";
    return arena_printf(arena, "slot + a_bytes + %d * b_bytes", i);
}

/* Those of product i of a sum. */
static void put_operands(Wgmma *w, int i, Text *copies, Text *elements) {
    const Body *b = w->c->w.b;
    const DotForm *f = w->form;
    const Summand s = body_summand(b, i);
    const OperandLayout layout = wgmma_left(f, i);
    const Operand left = {.value = s.left,
                          .own = DOT_M,
                          .summed = s.axis,
                          .rows = w->t.m,
                          .loaded = loaded_rows(w, DOT_M, layout),
                          .across = layout == OPERAND_MN_MAJOR,
                          .is_pixels = f->has_pixels && b->values.at[s.left].guard,
                          .start = "m_start",
                          .slot = "slot"};
    put_operand(w, &left, layout, copies, elements);
    for (int j = 0; j < f->count; j++) {
        const OperandLayout across = i ? f->added[i - 1].right[j] : f->right[j];
        const Operand right = {.value = s.right[j],
                               .own = DOT_N,
                               .summed = s.axis,
                               .rows = w->t.n,
                               .loaded = loaded_rows(w, DOT_N, across),
                               .across = across == OPERAND_MN_MAJOR,
                               .is_shared = true,
                               .start = "n_start",
                               .slot = cuda_wgmma_right_slot(w->k->arena, j)};
        put_operand(w, &right, across, copies, elements);
    }
}

WgmmaFetch cuda_wgmma_fetch(Wgmma *w) {
    const char *copies[TERMS_MAX], *elements[TERMS_MAX];
    for (int i = 0; i < body_summand_count(w->c->w.b); i++) {
        Text by_tma = text_new(w->k->arena), by_element = text_new(w->k->arena);
        text_str(&by_tma, cuda_k_start(w->c, i));
        text_str(&by_element, cuda_k_start(w->c, i));
        put_operands(w, i, &by_tma, &by_element);
        copies[i] = text_get(&by_tma), elements[i] = text_get(&by_element);
    }
    return (WgmmaFetch){cuda_of_summand(w->c, copies), cuda_of_summand(w->c, elements)};
}

/* ---- rows that are not loaded ---------------------------------------------------------------- */

/* Rows that TMA does not load of an operand whose place in a stage ends at `end`. */
static int put_spared(const Wgmma *w, int own, OperandLayout layout, const char *end, Text *clear) {
    const int rows = own == DOT_M ? w->t.m : w->t.n;
    const int spared = rows - loaded_rows(w, own, layout);
    if (spared) text_printf(clear, "clear(%s - %d * 128, %s);\n", end, spared, end);
    return spared;
}

/* What puts zeros there; returns how many rows, of all operands. */
static int put_all_spared(const Wgmma *w, Text *clear) {
    int spared = put_spared(w, DOT_M, wgmma_left(w->form, 0), "a_bytes", clear);
    for (int i = 0; i < w->form->count; i++) {
        const char *end =
            i ? arena_printf(w->k->arena, "a_bytes + %d * b_bytes", i + 1) : "a_bytes + b_bytes";
        spared += put_spared(w, DOT_N, w->form->right[i], end, clear);
    }
    return spared;
}

void cuda_wgmma_add_spared(const Wgmma *w, Fills *fills) {
    Text clear = text_new(w->k->arena);
    const int spared = put_all_spared(w, &clear);
    const char *loaded =
        spared ? arena_printf(w->k->arena, "stage_bytes - %d * 128", spared) : "stage_bytes";
    const Fill made[] = {
        {"IF_SPARED", spared ? "1" : ""}, {"CLEAR", text_get(&clear)}, {"LOADED_BYTES", loaded}};
    FILLS_ADD(w->k->arena, fills, made);
}
