/* transpose.c: pointwise bodies with loads that cross the order of the stores, as C. A thread takes
 * blocks of rows, along which such loads are contiguous, and columns, along which stores are; the
 * loads are transposed in registers, a square of vectors at a time, into a tile in L1.
 * In: a body with such a tile. Out: loops. */
#include "emit/c/c.h"

typedef struct Transpose {
    Writer *w;
    TransposeForm form;
    const char *row, *col; /* the names of the two axes */
    bool whole;            /* blocks are known to be whole */
    int batch;             /* axes besides the two */
} Transpose;

static Transpose transpose_new(Writer *w) {
    Transpose t = {.w = w, .form = transpose_form(w->k, w->b), .batch = w->b->axes.count - 2};
    t.row = w->axis_name[t.form.across], t.col = w->axis_name[t.form.lane];
    t.whole = c_is_whole(w, t.form.across, w->tile->m) && c_is_whole(w, t.form.lane, w->tile->n);
    return t;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void open_loop(Writer *w, const char *i, const char *end, int step) {
    if (step > 1)
        write_line(w, "for (idx %s = 0; %s < %s; %s += %d) {", i, i, end, i, step);
    else
        write_line(w, "for (idx %s = 0; %s < %s; %s++) {", i, i, end, i);
    w->indent++;
}

/* Along the rows within columns: memory is read in order. */
static void open_blocks(const Transpose *t) {
    Writer *w = t->w;
    const Body *b = w->b;
    const Dim *extent = b->indices->extent;
    const char *rows = size_text(w, extent[t->form.across]);
    const char *cols = size_text(w, extent[t->form.lane]);
    c_parallel(w, t->batch + 2);
    for (int i = 0; i < b->axes.count; i++) {
        const Axis *a = &b->axes.at[i];
        if (a->number == t->form.across || a->number == t->form.lane) continue;
        open_loop(w, w->axis_name[a->number], size_text(w, a->extent), 1);
    }
    open_loop(w, "col_start", cols, w->tile->n);
    open_loop(w, "row_start", rows, w->tile->m);
    if (t->whole) return;
    write_line(w, "const idx rows = fx_least(%s - row_start, %d);",
               size_factor_text(w, extent[t->form.across]), w->tile->m);
    write_line(w, "const idx cols = fx_least(%s - col_start, %d);",
               size_factor_text(w, extent[t->form.lane]), w->tile->n);
}

/* The loop over the vectors of a block's rows or columns, with `lanes` of them valid. */
static void open_vectors(const Transpose *t, const char *i, const char *lanes, const char *end,
                         int side) {
    Writer *w = t->w;
    if (t->whole)
        write_line(w, "for (idx %s = 0; %s < %d; %s += VL) {", i, i, side, i);
    else
        write_line(w, "EACH_VECTOR(%s, %s, %s) {", i, lanes, end);
    w->indent++;
}

/* ---- what crosses ---------------------------------------------------------------------------- */

/* Unrolled, with -O2 too: the square is in registers. */
#define EACH_LANE "_Pragma(\"GCC unroll 16\") "

static int bits_of(Dtype type) { return 8 * (int)dtype_size(type); }

/* Of the same columns in the next block, or where there is none of the same rows. */
static void prefetch_next(const Transpose *t, int value) {
    Writer *w = t->w;
    const Value *v = &w->b->values.at[value];
    const KernelBuffer *buffer = &w->k->buffers.at[v->attr];
    const int size = (int)dtype_size(buffer->type);
    const bool is_last = t->form.rows && t->form.rows <= w->tile->m;
    int64_t elements;
    if (buffer->elements && dim_is_const(w->b->indices->dims, buffer->elements, &elements) &&
        elements * size < w->tile->prefetch_from)
        return;
    const int axis = is_last ? t->form.lane : t->form.across;
    const char *here = w->axis_name[axis];
    w->axis_name[axis] =
        arena_printf(w->arena, "(%s + %d)", here, is_last ? w->tile->n : w->tile->m);
    write_line(w, "FETCH_VECTOR(u%d, %s);", bits_of(v->type), address_text(w, v->attr, v->ix));
    w->axis_name[axis] = here;
}

/* VL columns, of VL rows each. Columns beyond the last are the last again. */
static void load_square(const Transpose *t, int value) {
    Writer *w = t->w;
    const Value *v = &w->b->values.at[value];
    const int bits = bits_of(v->type);
    write_line(w, "const idx %s = row_start + row;", t->row);
    write_line(w, "u%d square[VL];", bits);
    write_line(w, EACH_LANE "for (idx l = 0; l < VL; l++) {");
    w->indent++;
    if (t->whole)
        write_line(w, "const idx %s = col_start + col + l;", t->col);
    else
        write_line(w, "const idx %s = col_start + fx_least(col + l, cols - 1);", t->col);
    write_line(w, "square[l] = ld_%d(%s, %s);", bits, address_text(w, v->attr, v->ix),
               t->whole ? "VL" : "down");
    prefetch_next(t, value);
    c_close_loops(w, 1);
    write_line(w, "transpose_%d(square);", bits);
}

/* Fills the tile of a load. */
static void cross(const Transpose *t, int value) {
    Writer *w = t->w;
    const Tile *tile = w->tile;
    const Value *v = &w->b->values.at[value];
    const char *name = fresh(w, arena_printf(w->arena, "%s_tile", value_stem(w, value)));
    write_line(w, "%s %s[%d * %d] __attribute__((aligned(64)));", storage_type(v->type), name,
               tile->m, tile->n);
    const char *cols = t->whole ? arena_printf(w->arena, "%d", tile->n) : "cols";
    write_line(w, "for (idx col = 0; col < %s; col += VL) {", cols);
    w->indent++;
    open_vectors(t, "row", "down", "rows", tile->m);
    load_square(t, value);
    write_line(w, EACH_LANE "for (idx l = 0; l < VL; l++)");
    write_line(w, "    st_%d(%s + (row + l) * %d + col, square[l], VL);", bits_of(v->type), name,
               tile->n);
    c_close_loops(w, 2);
    w->tiles[value] = arena_printf(w->arena, "%s + row * %d + col", name, tile->n);
}

static void cross_all(const Transpose *t) {
    Writer *w = t->w;
    const Piece *crossing = schedule_find(w->schedule, PIECE_CROSSING, 0);
    w->tiles = arena_array(w->arena, const char *, w->b->values.count);
    for (int i = 0; i < crossing->count; i++) cross(t, crossing->roots[i]);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void write_columns(Writer *w, int stage) {
    const Transpose t = transpose_new(w);
    w->level = 2;
    w->stage = stage;
    count_uses(w);
    open_vectors(&t, "col", "lanes", "cols", w->tile->n);
    w->lanes = t.whole ? "VL" : "lanes";
    write_line(w, "const idx %s = col_start + col;", t.col);
    write_element(w, stage);
    c_close_loops(w, 1);
}

void c_transpose(Writer *w) {
    const Transpose t = transpose_new(w);
    const char *rows = t.whole ? arena_printf(w->arena, "%d", w->tile->m) : "rows";
    declare_level(w, 0, 0);
    open_blocks(&t);
    cross_all(&t);
    open_loop(w, "row", rows, 1);
    write_line(w, "const idx %s = row_start + row;", t.row);
    write_stages(w, write_columns);
    c_close_loops(w, t.batch + 3);
}
