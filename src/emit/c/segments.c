/* segments.c: the sort of indices for a scatter, as C, or their tally: a loop over the indices
 * computes their rows, and a function of the prelude sorts or counts them, of a tally piece by
 * piece. Or a loop over elements that are added by their indices: it computes them, and where they
 * go. In: a body whose first store is of rows. Out: the function's body. */
#include "emit/c/c.h"

enum { PIECE = 512, AHEAD = 4096 }; /* positions that are counted together, and fetched ahead */

static const char *count_text(const Writer *w) {
    return size_factor_text(w, w->b->indices->extent[SEGMENTS_COUNT]);
}

const char *c_segments_packed(Writer *w) {
    const Names *names = w->names;
    const SortValues *sort = &w->b->sort;
    if (sort->op == OP_TALLY) return "0";
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

/* The loop over the positions from `first` to `end`, whose rows are stored. While these are
 * counted, the processor would fetch nothing ahead by itself. */
static void write_rows(Writer *w, const char *row, const char *first, const char *end) {
    const char *i = w->axis_name[w->b->lane];
    const int value = w->b->stores.at[0].value;
    write_line(w, "for (idx %s = %s; %s < %s; %s += VL) {", i, first, i, end, i);
    w->indent++;
    c_declare_lanes(w);
    w->level = 2;
    w->stage = 0;
    count_uses(w);
    c_prefetch_along(w, w->b->lane, AHEAD, "");
    declare_value(w, value);
    write_line(w, "st_i32(%s + %s - %s, %s, %s);", row, i, first, value_text(w, value), w->lanes);
    c_close_loops(w, 1);
}

/* Of a part of the positions, from `start` to `stop`, in pieces whose rows stay in L1. */
static void write_pieces(Writer *w, const char *start, const char *stop, const char *to,
                         const char *apart) {
    const char *row = fresh(w, "row"), *first = fresh(w, "first"), *end = fresh(w, "end");
    write_line(w, "for (idx %s = %s; %s < %s; %s += %d) {", first, start, first, stop, first,
               PIECE);
    w->indent++;
    write_line(w, "int32_t %s[%d];", row, PIECE);
    write_line(w, "const idx %s = fx_least(%s + %d, %s);", end, first, PIECE, stop);
    write_rows(w, row, first, end);
    write_line(w, "tally_rows(%s, %s - %s, %s, %s);", row, end, first, to, apart);
    c_close_loops(w, 1);
}

/* Each part has a tally of its own; where there are few rows, four, which are added up. */
static void write_tally(Writer *w) {
    enum { FEW = 1024 };
    const SortValues *sort = &w->b->sort;
    const char *count = count_text(w), *size = fresh(w, "size"), *part = fresh(w, "part");
    const char *own = fresh(w, "own"), *start = fresh(w, "start"), *stop = fresh(w, "stop");
    const char *four = sort->groups <= FEW ? fresh(w, "four") : NULL;
    declare_level(w, 0, 0);
    write_line(w, "const idx %s = part_of_vectors(%s, %d);", size, count, sort->parts);
    c_parallel(w, 1);
    write_line(w, "for (idx %s = 0; %s < %d; %s++) {", part, part, sort->parts, part);
    w->indent++;
    write_line(w, "const idx %s = %s * %s, %s = fx_least(%s + %s, %s);", start, part, size, stop,
               start, size, count);
    write_line(w, "int32_t *const %s = %s + %s * %d;", own,
               buffer_name(w, w->b->stores.at[0].buffer), part, sort->groups);
    if (four)
        write_line(w, "int32_t %s[4 * %d] = {0};", four, sort->groups);
    else
        write_line(w, "memset(%s, 0, sizeof *%s * %d);", own, own, sort->groups);
    write_pieces(w, start, stop, four ? four : own, four ? int_text(w->arena, sort->groups) : "0");
    if (four) write_line(w, "add_tallies(%s, %d, %s);", four, sort->groups, own);
    c_close_loops(w, 1);
}

void c_segments(Writer *w) {
    const Body *b = w->b;
    if (b->sort.op == OP_TALLY) {
        write_tally(w);
        return;
    }
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
    else
        write_line(w, "sort_segments(%s, %s, %s, %s, %d);", row, count_text(w),
                   size_text(w, b->indices->extent[SEGMENTS_ROWS]), to, w->tile->parallel);
}
