/* column.c: sums over outer axes, and other reductions of one stage across which memory is
 * contiguous, as C. A thread takes a strip of columns, with accumulators in L1, and reads its rows
 * in order. In: a body with such a tile. Out: loops. */
#include "emit/c/c.h"

enum {
    LEAST_STRIP = 16, /* columns: whole vectors of any width */
    WIDE = 1024       /* whole rows of fewer are read one by one, in order */
};

/* The loop over the vectors of a strip. */
static NamesOutside open_strip(Writer *w) {
    const bool whole = c_is_whole(w, w->s->lane, LEAST_STRIP);
    if (whole)
        write_line(w, "for (idx at = 0; at < end - start; at += VL) {");
    else
        write_line(w, "EACH_VECTOR(at, lanes, end - start) {");
    const NamesOutside outside = writer_enter(w);
    write_line(w, "const idx %s = start + at;", w->axis_name[w->s->lane]);
    w->lanes = whole ? "VL" : "lanes";
    return outside;
}

static void close_strip(Writer *w, NamesOutside outside) {
    writer_leave(w, outside);
    write_line(w, "}");
}

/* ---- values of columns ----------------------------------------------------------------------- */

typedef struct Needs {
    const Writer *w;
    bool *needed; /* value -> is it a column's, and needed in the loop? */
} Needs;

static void need(const Body *b, int value, void *context) {
    const Needs *n = context;
    if (n->w->s->value[value].level != 1 || n->needed[value]) return;
    n->needed[value] = true;
    each_source(b, value, need, context);
}

/* Those of a stage, in the loop over a strip: no variable outlives it. */
static void declare_needed(Writer *w, const Needs *n, int stage) {
    w->level = 1;
    w->stage = stage;
    count_uses(w);
    for (int i = 1; i < w->b->values.count; i++)
        if (n->needed[i] && w->s->value[i].stage == stage) declare_value(w, i);
}

/* ---- blocks of rows -------------------------------------------------------------------------- */

static const Axis *inner_axis(const Writer *w) { return &w->b->axes.at[w->b->axes.count - 1]; }

/* Several rows at a time, and one by one those that are left, or all where they are short. */
static void open_row_blocks(Writer *w) {
    const char *rows = size_text(w, inner_axis(w)->extent);
    const char *cols = size_text(w, w->b->indices->extent[w->s->lane]);
    write_line(w, "const idx whole = strip < %s || %s >= %d ? WHOLE(%s, %d) : 0;", cols, cols, WIDE,
               rows, w->tile->rows);
    write_line(w, "EACH_ROW_BLOCK(first, count, %d, whole, %s) {", w->tile->rows, rows);
    w->indent++;
}

/* The rows of one vector, with accumulators in registers. */
static void write_block(Writer *w) {
    const int axis = inner_axis(w)->number;
    const char *row = w->axis_name[axis];
    write_line(w, "for (idx %s = first; %s < first + count; %s++) {", row, row, row);
    const NamesOutside outside = writer_enter(w);
    w->level = 2;
    w->stage = 0;
    count_uses(w);
    c_prefetch_along(w, axis, w->tile->rows, "if (count > 1) ");
    write_element(w, 0);
    writer_leave(w, outside);
    write_line(w, "}");
}

/* ---- the two loops over a strip -------------------------------------------------------------- */

/* Reads its rows. */
static void accumulate(Writer *w) {
    const Body *b = w->b;
    Needs n = {w, arena_array(w->arena, bool, b->values.count)};
    for (int i = 0; i < b->accs.count; i++) {
        need(b, b->accs.at[i].value, &n);
        if (b->accs.at[i].op == OP_ARGMAX) need(b, b->accs.at[i].index, &n);
    }
    for (int i = 1; i < b->values.count; i++)
        if (w->s->value[i].level == 2 && w->s->value[i].used) each_source(b, i, need, &n);
    for (int i = b->row_count; i + 1 < b->axes.count; i++) c_open_axis(w, &b->axes.at[i]);
    open_row_blocks(w);
    const NamesOutside outside = open_strip(w);
    declare_needed(w, &n, 0);
    for (int i = 0; i < b->accs.count; i++) c_strip_enter(w, i);
    write_block(w);
    for (int i = 0; i < b->accs.count; i++) c_strip_leave(w, i);
    close_strip(w, outside);
    c_close_loops(w, b->axes.count - b->row_count);
}

/* Stores the results. */
static void finish(Writer *w) {
    const Body *b = w->b;
    Needs n = {w, arena_array(w->arena, bool, b->values.count)};
    for (int i = 0; i < b->stores.count; i++) need(b, b->stores.at[i].value, &n);
    const NamesOutside outside = open_strip(w);
    write_accumulators(w, 0, c_strip_finish);
    for (int stage = 0; stage < 2; stage++) {
        declare_needed(w, &n, stage);
        for (int i = 0; i < b->stores.count; i++)
            if (w->s->store[i].stage == stage) w->dialect->store_row(w, i);
    }
    close_strip(w, outside);
}

/* ---- the body -------------------------------------------------------------------------------- */

/* The product of the other axes of the result, as text. */
static const char *rows_beside(const Writer *w) {
    Dims *d = w->b->indices->dims;
    Dim rows = dim_const(d, 1);
    for (int i = 0; i + 1 < w->b->row_count; i++) rows = dim_mul(d, rows, w->b->axes.at[i].extent);
    return rows ? size_text(w, rows) : "1";
}

void c_column(Writer *w) {
    const Body *b = w->b;
    const int n = w->tile->n;
    const char *cols = size_text(w, b->indices->extent[w->s->lane]);
    declare_level(w, 0, 0);
    write_line(w, "const idx strip = fx_strip(%s, %s, %d);", cols, rows_beside(w), n);
    c_parallel(w, b->row_count);
    for (int i = 0; i + 1 < b->row_count; i++) c_open_axis(w, &b->axes.at[i]);
    write_line(w, "for (idx start = 0; start < %s; start += strip) {", cols);
    w->indent++;
    write_line(w, "const idx end = fx_least(start + strip, %s);", cols);
    write_accumulators(w, 0, c_strip_start);
    accumulate(w);
    finish(w);
    c_close_loops(w, b->row_count);
}
