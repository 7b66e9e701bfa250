/* segments.c: the sort of indices for a scatter, as C, or their tally: a loop over the indices
 * computes their rows, and a function of the prelude sorts or counts them. Or a loop over elements
 * that are added by their indices: it computes them, and where they go.
 * In: a body whose first store is of rows. Out: the function's body. */
#include "emit/c/c.h"

static const char *count_text(const Writer *w) {
    return size_factor_text(w, w->b->indices->extent[SEGMENTS_COUNT]);
}

const char *c_segments_packed(Writer *w) {
    const Names *names = w->names;
    const SortValues *sort = &w->b->sort;
    const int size = sort->op == OP_BINNED ? (int)dtype_size(sort->type) : 0;
    w->names = w->sizes;
    const char *bytes =
        arena_printf(w->arena, "%d * %s", 4 + (w->b->stores.count - 1) * size, count_text(w));
    w->names = names;
    return bytes;
}

/* What is added: before the rows. */
static const char *added_name(Writer *w, int store) {
    const char *type = w->dialect->storage(w->b->sort.type);
    const char *all = arena_printf(w->arena, "(%s *)packed", type);
    if (store == 1) return all;
    return arena_printf(w->arena, "%s + %d * %s", all, store - 1, count_text(w));
}

static const char *rows_name(Writer *w) {
    if (w->b->sort.op != OP_BINNED) return "packed";
    return arena_printf(w->arena, "(%s)", added_name(w, w->b->stores.count));
}

static void add_parts(Writer *w, const char *row) {
    const Body *b = w->b;
    for (int i = 1; i < b->stores.count; i++)
        write_line(w, "add_rows_%s(%s, %s, %s, %lld, %s, %d, %s, %d);", dtype_name(b->sort.type),
                   row, added_name(w, i), count_text(w), (long long)b->sort.columns,
                   size_text(w, b->indices->extent[SEGMENTS_ROWS]), b->sort.parts,
                   buffer_name(w, b->stores.at[i].buffer), w->tile->parallel);
}

void c_segments(Writer *w) {
    const Body *b = w->b;
    const Store *s = &b->stores.at[0];
    const char *i = w->axis_name[b->lane], *row = fresh(w, "row");
    w->used.packed = true;
    write_line(w, "int32_t *const %s = (int32_t *)%s;", row, rows_name(w));
    declare_level(w, 0, 0);
    c_parallel(w, 1);
    c_open_axis(w, &b->axes.at[0]);
    c_declare_lanes(w);
    w->level = 2;
    w->stage = 0;
    count_uses(w);
    for (int k = 0; k < b->stores.count; k++) declare_value(w, b->stores.at[k].value);
    write_line(w, "st_i32(%s + %s, %s, %s);", row, i, value_text(w, s->value), w->lanes);
    for (int k = 1; k < b->stores.count; k++)
        write_line(w, "st_%s(%s + %s, %s, %s);", dtype_name(b->sort.type), added_name(w, k), i,
                   value_text(w, b->stores.at[k].value), w->lanes);
    c_close_loops(w, 1);
    const char *to = buffer_name(w, s->buffer);
    if (b->sort.op == OP_BINNED)
        add_parts(w, row);
    else if (b->sort.op == OP_TALLY)
        write_line(w, "tally_rows(%s, %s, %d, %d, %s, %d);", row, count_text(w), b->sort.groups,
                   b->sort.parts, to, w->tile->parallel);
    else
        write_line(w, "sort_segments(%s, %s, %s, %s, %d);", row, count_text(w),
                   size_text(w, b->indices->extent[SEGMENTS_ROWS]), to, w->tile->parallel);
}
