/* parts.c: axes as parts, in each of which the conditions on the position are known, as in the
 * pieces of a concat: a loop over each, or a copy.
 * In: a body, or a stage of it. Out: loops; false: the axis is one part, and rows are no copies. */
#include "emit/c/c.h"

#include <string.h>

static const Axis *lane_axis(const Writer *w) { return &w->b->axes.at[w->b->axes.count - 1]; }

/* ---- copies ---------------------------------------------------------------------------------- */

/* Does a stage only move contiguous elements? */
static bool is_copy(Writer *w) {
    const Value *v = body_moved(w->k, w->b);
    const Store *s = &w->b->stores.at[0];
    if (!v || w->s->store[0].level < 2 || w->s->value[s->value].level < 2) return false;
    w->level = 2;
    return c_lane_step(w, v->ix) == 1 && c_lane_step(w, s->ix) == 1;
}

static void declare_position(const Body *b, int value, void *writer) {
    (void)b;
    declare_value(writer, value);
}

/* Declares the positions in the address of what is copied that are no values of the row: those that
 * are the same for its elements in one part only. */
static void declare_positions(Writer *w, int stage) {
    w->level = 2;
    w->stage = stage;
    count_uses(w);
    each_source(w->b, w->b->stores.at[0].value, declare_position, w);
}

static size_t element_size(const Writer *w) {
    return dtype_size(w->k->buffers.at[w->b->stores.at[0].buffer].type);
}

/* Is a row less than a vector of 4-byte lanes? As a copy it takes no masks; gcc copies from 56
 * bytes on by string instructions. One thread of a Zen 5, f32[300000, N] in reverse order, from
 * memory, us: N = 4 576 and 140, 7 757 and 237, 12 927 and 416; 15 1116 and 3131. */
static bool is_short_row(const Writer *w) {
    enum { MOST = 52 };
    int64_t elements;
    return dim_is_const(w->b->indices->dims, lane_axis(w)->extent, &elements) &&
           elements * (int64_t)element_size(w) <= MOST;
}

/* From one index to another; ahead: what is prefetched meanwhile, or NULL. Short rows are not
 * streamed: they are parts of lines. */
static void write_copy(Writer *w, Ix from, Ix to, const char *ahead, const char *bytes) {
    const Store *s = &w->b->stores.at[0];
    const char *how = is_short_row(w) ? "st" : c_store_way(w, 0);
    w->may_stream |= !strcmp(how, "out");
    w->streams |= !strcmp(how, "stream");
    const bool may_stay = body_untouched(w->k, w->b).are_there;
    const char *when = may_stay ? arena_printf(w->arena, "if (!(%s)) ", in_place_text(w)) : "";
    write_line(w, "%scopy_row%s(%s, %s, %s%s%s, %s);", when, ahead ? "_beside" : "",
               address_text(w, s->buffer, to),
               address_text(w, w->b->values.at[s->value].attr, from), ahead ? ahead : "",
               ahead ? ", " : "", bytes,
               !strcmp(how, "out") ? "stream"
               : strcmp(how, "st") ? "true"
                                   : "false");
}

/* Are rows of so many elements not one behind the other where they are read? The processor fetches
 * ahead what is behind a row. */
static bool jumps(const Writer *w, Dim count) {
    enum { SHORT = 256 }; /* bytes of a row that takes less time than the prefetches */
    const Body *b = w->b;
    const Value *v = &b->values.at[b->stores.at[0].value];
    int64_t elements, by;
    Dim step = 0;
    if (!b->row_count || !dim_is_const(b->indices->dims, count, &elements)) return false;
    if (elements * (int64_t)element_size(w) < SHORT) return false;
    return index_along(b, v->ix, c_inner_row(w), &step) == 1 &&
           dim_is_const(b->indices->dims, step, &by) && by != elements;
}

/* The row that is read a few KiB later. One thread of a Zen 5, rows of 2968 bytes in reverse order,
 * from memory: 30 us instead of 41. */
static const char *row_ahead(Writer *w, Ix from, Dim count) {
    enum { AHEAD = 6144 };
    const int row = c_inner_row(w);
    const char *here = w->axis_name[row];
    int64_t elements = 1;
    dim_is_const(w->b->indices->dims, count, &elements);
    const int64_t bytes = elements * (int64_t)element_size(w);
    const int rows = (int)((AHEAD + bytes - 1) / bytes);
    w->axis_name[row] = arena_printf(w->arena, "(%s + %d)", here, rows);
    const char *text = address_text(w, w->b->values.at[w->b->stores.at[0].value].attr, from);
    w->axis_name[row] = here;
    return text;
}

/* `count` elements of a row, from a position on. */
static void copy(Writer *w, int stage, int64_t from, Dim count) {
    const Body *b = w->b;
    const Store *s = &b->stores.at[0];
    const Value *v = &b->values.at[s->value];
    Dims *d = b->indices->dims;
    Body there = *b; /* at that position */
    Indices *x = indices_new(w->arena, d);
    Ix by_axis[2 * RANK_MAX];
    for (int i = 0; i < 2 * RANK_MAX; i++) by_axis[i] = -1;
    by_axis[w->s->lane] = ix_const(x, dim_const(d, from));
    memcpy(x->extent, b->indices->extent, sizeof x->extent);
    const Ix to = ix_move(x, b->indices, s->ix, by_axis, 2 * RANK_MAX);
    const Ix at = ix_move(x, b->indices, v->ix, by_axis, 2 * RANK_MAX);
    const bool ahead = jumps(w, count);
    declare_positions(w, stage);
    there.indices = x;
    w->b = &there;
    write_copy(w, at, to, ahead ? row_ahead(w, at, count) : NULL,
               size_text(w, dim_mul(d, count, dim_const(d, (int64_t)element_size(w)))));
    w->b = b;
}

/* May a stage go through its row in parts? What an element keeps for later stages, or takes from
 * the ones before it, goes through the whole row in one loop. */
static bool may_have_parts(const Writer *w) {
    if (w->b->dots || schedule_has_scan(w->s)) return false;
    for (int i = 1; i < w->b->values.count; i++)
        if (c_keeps(w, i)) return false;
    return true;
}

/* ---- parts ----------------------------------------------------------------------------------- */

bool c_is_pointwise(const Writer *w) {
    return !w->b->accs.count && w->s->stage_count <= 1 && may_have_parts(w);
}

static void open_part(Writer *w, CRange part) {
    const char *i = w->axis_name[lane_axis(w)->number];
    const char *from = arena_printf(w->arena, "%lld", (long long)part.from);
    const long long to = part.to;
    const bool is_whole = (part.to - part.from) % 16 == 0;
    w->lanes = is_whole ? "VL" : "lanes";
    if (w->partial_sums)
        write_line(w, "EACH_FOUR_VECTORS_FROM(%s, u, lanes, %s, %lld) {", i, from, to);
    else if (is_whole)
        write_line(w, "for (idx %s = %s; %s < %lld; %s += VL) {", i, from, i, to, i);
    else
        write_line(w, "EACH_VECTOR_FROM(%s, lanes, %s, %lld) {", i, from, to);
    w->indent++;
}

static void write_part(Writer *w, int stage, CRange part) {
    const Body *all = w->b;
    const Body within = c_body_within(w, lane_axis(w)->number, part, NULL);
    w->b = &within;
    w->is_aligned = part.from % 16 == 0;
    if (is_copy(w)) {
        copy(w, stage, part.from, dim_const(within.indices->dims, part.to - part.from));
    } else {
        open_part(w, part);
        c_elements(w, stage);
        c_close_loops(w, 1);
    }
    w->is_aligned = false;
    w->b = all;
}

static bool has_special_functions(const Body *b) {
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].kind == V_OP && op_info[b->values.at[i].op].costly) return true;
    return false;
}

/* Do loops over parts take less time than one that asks for each element? More vectors than the
 * whole axis has would be as many more special functions. One thread of a Zen 5, us: f32 [20000, 4]
 * beside [20000, 4] 48 and 21, 12 beside 4 62 and 42, bf16 [20000, 9] beside 5 66 and 22. */
static bool are_worth_it(const Writer *w, CRanges parts) {
    enum { LANES = 16 };
    int64_t vectors = 0, all = 0;
    for (int i = 0; i < parts.count; i++) {
        all = parts.at[i].to;
        vectors += (all - parts.at[i].from + LANES - 1) / LANES;
    }
    const bool are_long = all >= parts.count * LANES || vectors <= (all + LANES - 1) / LANES;
    return parts.count > 1 && (are_long || !has_special_functions(w->b));
}

bool c_parts(Writer *w, int stage) {
    const Body *b = w->b;
    const int last = b->axes.count - 1;
    if (w->s->lane < 0 || w->s->lane_is_row || lane_axis(w)->number != w->s->lane) return false;
    const bool is_narrow = is_copy(w) && element_size(w) < sizeof(float);
    const bool is_whole_copy =
        is_narrow || (is_copy(w) && (is_short_row(w) || jumps(w, lane_axis(w)->extent)));
    CRanges parts = {0};
    if (!is_whole_copy && may_have_parts(w)) parts = c_parts_of(w, w->s->lane);
    if (!is_whole_copy && !are_worth_it(w, parts)) return false;
    for (int i = b->row_count; i < last; i++) c_open_axis(w, &b->axes.at[i]);
    if (is_whole_copy) copy(w, stage, 0, lane_axis(w)->extent);
    for (int i = 0; i < parts.count; i++) write_part(w, stage, parts.at[i]);
    c_close_loops(w, last - b->row_count);
    return true;
}

/* ---- parts of the only axis, which threads share --------------------------------------------- */

static void write_shared_part(Writer *w, int stage, CRange part) {
    enum { BLOCK = 4096 }; /* elements that are copied at a time */
    const Body *all = w->b;
    const int lane = lane_axis(w)->number;
    const char *i = w->axis_name[lane];
    const Body within = c_body_within(w, lane, part, NULL);
    const long long from = part.from, to = part.to;
    w->b = &within;
    c_parallel(w, 1);
    if (is_copy(w)) {
        const Store *s = &within.stores.at[0];
        const char *bytes = arena_printf(w->arena, "fx_least(%lld - %s, %d) * %d", to, i, BLOCK,
                                         (int)element_size(w));
        write_line(w, "for (idx %s = %lld; %s < %lld; %s += %d) {", i, from, i, to, i, BLOCK);
        w->indent++;
        declare_positions(w, stage);
        write_copy(w, within.values.at[s->value].ix, s->ix, NULL, bytes);
        c_close_loops(w, 1);
    } else {
        const bool is_whole = (to - from) % 16 == 0;
        w->lanes = is_whole ? "VL" : "lanes";
        w->is_aligned = from % 16 == 0;
        write_line(w, "for (idx %s = %lld; %s < %lld; %s += VL) {", i, from, i, to, i);
        w->indent++;
        if (!is_whole) write_line(w, "const idx lanes = fx_least(%lld - %s, VL);", to, i);
        c_elements(w, stage);
        c_close_loops(w, 1);
        w->is_aligned = false;
    }
    w->b = all;
}

bool c_shared_parts(Writer *w, int stage) {
    if (w->b->axes.count > 1 || w->s->lane != lane_axis(w)->number || !c_is_pointwise(w))
        return false;
    const CRanges parts = c_parts_of(w, w->s->lane);
    if (!are_worth_it(w, parts)) return false;
    for (int i = 0; i < parts.count; i++) write_shared_part(w, stage, parts.at[i]);
    return true;
}

/* ---- parts of rows --------------------------------------------------------------------------- */

static void write_rows(Writer *w, const int *order, CRange part) {
    const Body *all = w->b;
    const Axis *outer = &all->axes.at[order[0]];
    const char *i = w->axis_name[outer->number];
    const Body within = c_body_within(w, outer->number, part, NULL);
    w->b = &within;
    const bool is_shared = c_parallel(w, all->row_count);
    write_line(w, "for (idx %s = %lld; %s < %lld; %s++) {", i, (long long)part.from, i,
               (long long)part.to, i);
    const NamesOutside outside = writer_enter(w);
    for (int a = 1; a < all->row_count; a++) c_open_axis(w, &all->axes.at[order[a]]);
    if (c_rows_left(w)) c_leave_rows(w);
    c_row(w, is_shared);
    c_close_loops(w, all->row_count - 1);
    writer_leave(w, outside);
    write_line(w, "}");
    w->b = all;
}

bool c_row_parts(Writer *w) {
    const Body *b = w->b;
    int order[2 * RANK_MAX];
    if (!b->row_count || w->s->lane_is_row || c_rows_beside(w) > 1 || !c_is_pointwise(w))
        return false;
    tile_row_order(w->k, b, w->tile, order);
    if (order[0] != 0) return false; /* else results would be written in another order */
    const CRanges parts = c_parts_of(w, b->axes.at[0].number);
    for (int i = 0; i < parts.count && parts.count > 1; i++) write_rows(w, order, parts.at[i]);
    return parts.count > 1;
}

/* ---- parts of rows that are lanes ------------------------------------------------------------ */

static void write_lanes(Writer *w, CRange part) {
    const Body *all = w->b;
    const char *i = w->axis_name[w->s->lane];
    const Body within = c_body_within(w, w->s->lane, part, NULL);
    w->b = &within;
    if (all->row_count == 1) c_parallel(w, 1);
    write_line(w, "for (idx %s = %lld; %s < %lld; %s += VL) {", i, (long long)part.from, i,
               (long long)part.to, i);
    const NamesOutside outside = writer_enter(w);
    const bool is_whole = (part.to - part.from) % 16 == 0;
    w->lanes = is_whole ? "VL" : "lanes";
    if (!is_whole)
        write_line(w, "const idx lanes = fx_least(%lld - %s, VL);", (long long)part.to, i);
    declare_level(w, 0, 0);
    write_stages(w, c_stage);
    writer_leave(w, outside);
    write_line(w, "}");
    w->b = all;
}

bool c_lane_parts(Writer *w) {
    const Body *b = w->b;
    const int last = b->row_count - 1;
    int order[2 * RANK_MAX];
    if (!w->s->lane_is_row || !c_is_pointwise(w)) return false;
    tile_row_order(w->k, b, w->tile, order);
    if (b->axes.at[order[last]].number != w->s->lane) return false;
    const CRanges parts = c_parts_of(w, w->s->lane);
    if (!are_worth_it(w, parts)) return false;
    if (last) c_parallel(w, last);
    for (int i = 0; i < last; i++) c_open_axis(w, &b->axes.at[order[i]]);
    for (int i = 0; i < parts.count; i++) write_lanes(w, parts.at[i]);
    c_close_loops(w, last);
    return true;
}
