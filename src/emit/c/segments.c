/* segments.c: the sort of indices for a scatter, as C, or their tally: a loop over the indices
 * computes their rows, and a function of the prelude sorts or counts them.
 * In: a body with one store. Out: the function's body. */
#include "emit/c/c.h"

static const char *count_text(const Writer *w) {
    return size_factor_text(w, w->b->indices->extent[SEGMENTS_COUNT]);
}

const char *c_segments_packed(Writer *w) {
    const Names *names = w->names;
    w->names = w->sizes;
    const char *bytes = arena_printf(w->arena, "4 * %s", count_text(w));
    w->names = names;
    return bytes;
}

void c_segments(Writer *w) {
    const Body *b = w->b;
    const Store *s = &b->stores.at[0];
    const char *i = w->axis_name[b->lane], *row = fresh(w, "row");
    w->used.packed = true;
    write_line(w, "int32_t *const %s = (int32_t *)packed;", row);
    declare_level(w, 0, 0);
    c_parallel(w, 1);
    c_open_axis(w, &b->axes.at[0]);
    c_declare_lanes(w);
    w->level = 2;
    w->stage = 0;
    count_uses(w);
    declare_value(w, s->value);
    write_line(w, "st_i32(%s + %s, %s, %s);", row, i, value_text(w, s->value), w->lanes);
    c_close_loops(w, 1);
    const char *to = buffer_name(w, s->buffer);
    if (b->sort.op == OP_TALLY)
        write_line(w, "tally_rows(%s, %s, %d, %d, %s, %d);", row, count_text(w), b->sort.groups,
                   b->sort.parts, to, w->tile->parallel);
    else
        write_line(w, "sort_segments(%s, %s, %s, %s, %d);", row, count_text(w),
                   size_text(w, b->indices->extent[SEGMENTS_ROWS]), to, w->tile->parallel);
}
