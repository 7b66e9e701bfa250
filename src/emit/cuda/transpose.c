/* transpose.c: pointwise bodies with loads that cross the order of the stores. A block has a tile
 * of rows, along which memory of such loads is contiguous, and columns, along which that of stores
 * is. In: a body of a Kernel with such a tile. Out: what its template is filled with. */
#include "emit/cuda/cuda.h"

#include <string.h>

typedef struct Transpose {
    CudaWriter c;      /* along the columns */
    CudaWriter across; /* what crosses, along the rows */
    CudaKernel *k;
    TransposeForm form;
    bool shifted; /* packs start anywhere in a row */
    Axis *axes;   /* of the batch */
    int batch;
    uint32_t ragged;    /* axes along which the last tile may not be whole: bit set */
    const char *inside; /* then: is the element there? */
} Transpose;

/* ---- axes and positions -------------------------------------------------------------------- */

/* The writer has another name for the lane axis while it is at an element. */
static const char *axis_of(const Transpose *t, int number) {
    return number == t->form.lane ? t->c.lane : t->c.w.axis_name[number];
}

static void order_axes(Transpose *t) {
    const Body *b = t->c.w.b;
    const int last[] = {t->form.across, t->form.lane};
    t->axes = arena_array(t->k->arena, Axis, b->axes.count);
    for (int i = 0; i < b->axes.count; i++) {
        const Axis a = b->axes.at[i];
        if (a.number == last[0] || a.number == last[1]) continue;
        t->c.w.axis_name[a.number] = arena_printf(t->k->arena, "i%d", t->batch);
        t->axes[t->batch++] = a;
    }
    for (int i = 0; i < 2; i++)
        t->c.w.axis_name[last[i]] = arena_printf(t->k->arena, "i%d", t->batch + i);
}

/* "i1 < N" where the last tile along an axis is not whole. */
static void and_inside(Transpose *t, int axis, int side) {
    Dims *d = t->c.w.b->indices->dims;
    const Dim extent = t->c.w.b->indices->extent[axis];
    if (dim_divides(d, dim_const(d, side), extent)) return;
    const char *test =
        arena_printf(t->k->arena, "%s < %s", axis_of(t, axis), size_text(&t->c.w, extent));
    t->ragged |= (uint32_t)1 << axis;
    t->inside = t->inside ? arena_printf(t->k->arena, "%s && %s", t->inside, test) : test;
}

/* Text that was written with c since this was last asked, after the positions along the rows and
 * the columns that it reads, and the test whether they are inside. */
static const char *with_positions(const Transpose *t, CudaWriter *c, const char *text) {
    const int axis[] = {t->form.across, t->form.lane};
    const char *const start[] = {"row_start + row", "col_start + col"};
    if (t->shifted) { /* the template has both, and the test */
        for (int i = 0; i < 2; i++) c->w.used.axes &= ~((uint32_t)1 << axis[i]);
        return text;
    }
    Text out = text_new(t->k->arena);
    for (int i = 0; i < 2; i++) {
        const uint32_t bit = (uint32_t)1 << axis[i];
        if ((c->w.used.axes | t->ragged) & bit)
            text_printf(&out, "const %s %s = %s;\n", c->index, axis_of(t, axis[i]), start[i]);
        c->w.used.axes &= ~bit;
    }
    if (!t->ragged) return arena_printf(t->k->arena, "%s%s", text_get(&out), text);
    text_printf(&out, "if (%s) {\n", t->inside);
    text_indented(&out, text, 4);
    text_str(&out, "}\n");
    return text_get(&out);
}

/* ---- what crosses ---------------------------------------------------------------------------- */

typedef struct Crossing {
    Text tiles, loads;
    int64_t bytes; /* of shared memory */
} Crossing;

/* A writer of the loads that cross, in packs along the rows. */
static void start_across(Transpose *t) {
    const Piece *crossing = schedule_find(t->c.w.schedule, PIECE_CROSSING, 0);
    t->across = t->c;
    t->across.w.s = piece_along(crossing, t->form.across, t->k->arena);
    t->across.lane = axis_of(t, t->form.across);
}

/* A load goes to a tile of its own, whose elements are what is read. */
static void cross(Transpose *t, int value, Crossing *out) {
    Arena *arena = t->k->arena;
    const bool wide = t->c.wide;
    const Value *v = &t->c.w.b->values.at[value];
    const char *name = fresh(&t->c.w, arena_printf(arena, "%s_tile", value_stem(&t->c.w, value)));
    const char *buffer = buffer_name(&t->across.w, v->attr);
    text_printf(&out->tiles, "auto &%s = *(TransposeTile<%s, tile_n, tile_m, %s> *)", name,
                cuda_storage(v->type), wide ? "VEC" : "1");
    text_printf(&out->tiles, out->bytes ? "(shared + %lld);\n" : "shared;\n",
                (long long)out->bytes);
    if (wide)
        text_printf(&out->loads, "store_pack(&%s.at(col, row), load_pack<VEC>(%s));\n", name,
                    address_text(&t->across.w, v->attr, v->ix));
    else
        text_printf(&out->loads, "%s.at(col, row) = %s[%s];\n", name, buffer,
                    index_text(&t->across.w, v->ix));
    t->c.staged[value] = arena_printf(arena, wide ? "%s.at(col, row, l)" : "%s.at(col, row)", name);
}

/* An index with other names of the positions along the rows and the columns. */
static const char *index_at(Transpose *t, Ix ix, const char *row, const char *col) {
    const char **name = t->c.w.axis_name;
    const char *rows = name[t->form.across], *cols = name[t->form.lane];
    name[t->form.across] = row, name[t->form.lane] = col;
    const char *at = text_inside(t->k->arena, index_text(&t->c.w, ix));
    name[t->form.across] = rows, name[t->form.lane] = cols;
    return at;
}

/* The same for packs that start anywhere in a row. */
static void cross_shifted(Transpose *t, int value, Crossing *out) {
    Arena *arena = t->k->arena;
    const Value *v = &t->c.w.b->values.at[value];
    const char *name = fresh(&t->c.w, arena_printf(arena, "%s_tile", value_stem(&t->c.w, value)));
    const char *type = cuda_storage(v->type);
    Dim distance = 0;
    index_along(t->c.w.b, v->ix, t->form.lane, &distance);
    text_printf(&out->tiles, "const ShiftedTile<%s, VEC> %s = {\n    (%s *)(shared + %lld), ", type,
                name, type, (long long)out->bytes);
    text_printf(&out->tiles, "tile_m + VEC + (unsigned)%s %% VEC, (unsigned)(%s) %% VEC};\n",
                size_factor_text(&t->c.w, distance), index_at(t, v->ix, "row_start", "col_start"));
    text_printf(&out->loads, "%s.load(inside, col, pack, %s, %s, %s);\n", name,
                buffer_name(&t->c.w, v->attr), index_at(t, v->ix, "row_start", t->c.lane),
                size_text(&t->c.w, t->c.w.k->buffers.at[v->attr].elements));
    t->c.staged[value] = arena_printf(arena, "%s.at(col + l, row)", name);
}

static int64_t tile_bytes(const Transpose *t, const Value *v) {
    TransposeForm one = t->form;
    one.staged = (int64_t)dtype_size(v->type);
    return tile_transpose_shared(&one, &t->c.tile);
}

static Crossing cross_all(Transpose *t) {
    Arena *arena = t->k->arena;
    Crossing out = {text_new(arena), text_new(arena), 0};
    start_across(t);
    for (int i = 1; i < t->c.w.b->values.count; i++)
        if (t->across.w.s->value[i].used) {
            (t->shifted ? cross_shifted : cross)(t, i, &out);
            out.bytes += tile_bytes(t, &t->c.w.b->values.at[i]);
        }
    if (t->c.wide) cuda_add_alignments(&t->across, false, &t->c.packs_if);
    return out;
}

/* ---- text ---------------------------------------------------------------------------------- */

/* How many tiles lie along the rows, and along the columns. */
static const char *tiles_m(const Transpose *t, const Names *names) {
    return cuda_blocks(names, t->c.w.b->indices->extent[t->form.across], t->c.tile.m);
}

static const char *tiles_n(const Transpose *t, const Names *names) {
    Dims *d = t->c.w.b->indices->dims;
    Dim extent = t->c.w.b->indices->extent[t->form.lane];
    if (t->shifted) extent = dim_add(d, extent, dim_const(d, t->c.tile.vector - 1));
    return cuda_blocks(names, extent, t->c.tile.n);
}

static const char *block_count(const Transpose *t, const Names *names) {
    Dims *d = t->c.w.b->indices->dims;
    Dim batch = dim_const(d, 1);
    for (int i = 0; i < t->batch; i++) batch = dim_mul(d, batch, t->axes[i].extent);
    const char *tiles = cuda_times(t->k->arena, tiles_m(t, names), tiles_n(t, names));
    return cuda_times(t->k->arena, names_size_factor(names, batch), tiles);
}

static Transpose transpose_new(CudaKernel *k, int body) {
    Transpose t = {.k = k, .c = cuda_writer(k, body)};
    const Tile *tile = &t.c.tile;
    t.form = transpose_form(k->k, t.c.w.b);
    t.shifted = t.c.shifted = tile_is_shifted(&t.form, tile);
    order_axes(&t);
    cuda_writer_ready(&t.c);
    and_inside(&t, t.form.across, tile->m);
    and_inside(&t, t.form.lane, tile->n);
    k->threads = tile->threads;
    return t;
}

/* Sizes of the tile, as constants. */
static const char *sizes(const Transpose *t) {
    const Tile *tile = &t->c.tile;
    const char *each = t->c.wide ? " / VEC" : "";
    if (t->shifted)
        return arena_printf(t->k->arena, "constexpr int tile_m = %d, tile_n = %d;\n", tile->m,
                            tile->n);
    return arena_printf(t->k->arena, "constexpr int tile_m = %d, tile_n = %d, items = %d%s;\n",
                        tile->m, tile->n, tile->m * tile->n / tile->threads, each);
}

/* What only transpose_shifted.cu has. */
static void fill_shifted(Transpose *t, Fills *out) {
    Arena *arena = t->k->arena;
    const Body *b = t->c.w.b;
    const char *row = axis_of(t, t->form.across);
    const Dim rows = b->indices->extent[t->form.across], cols = b->indices->extent[t->form.lane];
    const Fill fills[] = {
        {"COLUMN", t->c.lane},
        {"COLS", size_text(&t->c.w, cols)},
        {"FIRST", index_at(t, b->stores.at[0].ix, row, "col_start")},
        {"row_position", arena_printf(arena, "const %s %s = row_start + row;\n", t->c.index, row)},
        {"INSIDE", arena_printf(arena, "%s < %s && %s < %s", row, size_text(&t->c.w, rows),
                                t->c.lane, size_text(&t->c.w, cols))}};
    FILLS_ADD(arena, out, fills);
}

CudaBody cuda_transpose(CudaKernel *k, int body, const Names *names, const char *block) {
    Transpose t = transpose_new(k, body);
    Arena *arena = k->arena;
    Text scalars = text_new(arena);
    t.c.w.out = &scalars;
    declare_level(&t.c.w, 0, 0);
    Crossing crossing = cross_all(&t);
    Fills own = {0};
    if (t.shifted) fill_shifted(&t, &own);
    const char *loads = with_positions(&t, &t.across, text_get(&crossing.loads));
    const char *loop = with_positions(&t, &t.c, cuda_pointwise_item(&t.c));
    t.c.w.used.axes |= t.across.w.used.axes;
    const char *batch = cuda_positions(&t.c, t.axes, t.batch, "batch");
    text_str(&scalars, text_get(&crossing.tiles));
    const Fill fills[] = {{"sizes", sizes(&t)},
                          {"IDX", t.c.index},
                          {"BLOCK", block ? block : "blockIdx.x"},
                          {"WIDTH", t.c.wide ? "VEC" : "1"},
                          {"THREADS", cuda_number(arena, t.c.tile.threads)},
                          {"TILES_M", tiles_m(&t, t.c.w.names)},
                          {"TILES_N", tiles_n(&t, t.c.w.names)},
                          {"positions", batch},
                          {"scalars", text_get(&scalars)},
                          {"loads", loads},
                          {"loop", loop}};
    CudaBody out = {.c = t.c,
                    .template = t.shifted ? "cuda/transpose_shifted.cu" : "cuda/transpose.cu",
                    .blocks = block_count(&t, names),
                    .fills = own};
    FILLS_ADD(arena, &out.fills, fills);
    out.how =
        arena_printf(arena, "%d threads for each %d x %d elements, transposed in shared memory",
                     t.c.tile.threads, t.c.tile.m, t.c.tile.n);
    cuda_shared_most(k, crossing.bytes, "tiles to transpose");
    return out;
}
