/* column.c: sums over outer axes, variances, and other reductions across which memory is
 * contiguous, as C. A thread takes a strip of columns, with accumulators in L1, and reads its rows
 * in order, once for each stage. Few rows, and rows of one vector, are read by loops where there
 * are several stages. In: a body with such a tile. Out: loops. */
#include "emit/c/c.h"

enum {
    LEAST_STRIP = 16,       /* columns: whole vectors of any width */
    STRIP_STEP = 64,        /* strips are multiples of it (fx_strip) */
    WIDE = 1024,            /* whole rows of fewer are close together */
    FEW_ROWS = 16,          /* a vector of columns of so many stays in L1 from stage to stage, */
    NEAR_ROWS = 256,        /* and of so many a strip of .. */
    NEAR_STRIP = 256,       /* .. so many columns in L2; this pays .. */
    NEAR_COLUMNS = 1 << 14, /* .. up to so many, which caches hold, and .. */
    SET_COLUMNS = 1 << 10,  /* .. unless rows are at multiples of these: in the same sets of L1 */
    FEW_VALUES = 8          /* of an element, which is written for each vector of a line */
};

/* The loop over the vectors of a strip, without the position of its columns. */
static NamesOutside open_vectors(Writer *w) {
    const bool whole = c_is_whole(w, w->s->lane, LEAST_STRIP);
    if (whole)
        write_line(w, "for (idx at = 0; at < end - start; at += VL) {");
    else
        write_line(w, "EACH_VECTOR(at, lanes, end - start) {");
    w->lanes = whole ? "VL" : "lanes";
    return writer_enter(w);
}

static void declare_position(Writer *w) {
    write_line(w, "const idx %s = start + at;", w->axis_name[w->s->lane]);
}

static NamesOutside open_strip(Writer *w) {
    const NamesOutside outside = open_vectors(w);
    declare_position(w);
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

/* Are blocks of rows all of one size? */
static bool are_equal_blocks(const Writer *w) {
    return c_is_whole(w, inner_axis(w)->number, w->tile->rows);
}

/* Several rows at a time, and one by one those that are left. */
static void open_row_blocks(Writer *w) {
    const int size = w->tile->rows;
    const char *rows = size_text(w, inner_axis(w)->extent);
    if (are_equal_blocks(w)) {
        write_line(w, "for (idx first = 0; first < %s; first += %d) {", rows, size);
    } else {
        const char *whole = fresh(w, "whole");
        write_line(w, "const idx %s = WHOLE(%s, %d);", whole, rows, size);
        write_line(w, "EACH_ROW_BLOCK(first, block_rows, %d, %s, %s) {", size, whole, rows);
    }
    w->indent++;
}

/* The test before rows are prefetched: those that lie close together are read in order. NULL: they
 * always do. */
static const char *are_apart(Writer *w) {
    const Dim columns = w->b->indices->extent[w->s->lane];
    const char *cols = size_text(w, columns);
    int64_t known;
    const bool equal = are_equal_blocks(w);
    const char *in_block = equal ? "" : "block_rows > 1 && ";
    if (!dim_is_const(w->b->indices->dims, columns, &known))
        return arena_printf(w->arena, "if (%s(strip < %s || %s >= %d)) ", in_block, cols, cols,
                            WIDE);
    if (known <= STRIP_STEP) return NULL;
    if (known >= WIDE) return equal ? "" : "if (block_rows > 1) ";
    return arena_printf(w->arena, "if (%sstrip < %s) ", in_block, cols);
}

/* The rows of one vector, or of one line, with accumulators in registers. */
static void write_block(Writer *w, int stage, int line_bytes) {
    const int axis = inner_axis(w)->number, lane = w->s->lane;
    const char *row = w->axis_name[axis], *col = w->axis_name[lane];
    if (c_is_whole(w, lane, LEAST_STRIP)) c_unroll(w, stage, w->tile->rows);
    const char *rows =
        are_equal_blocks(w) ? arena_printf(w->arena, "%d", w->tile->rows) : "block_rows";
    write_line(w, "for (idx %s = first; %s < first + %s; %s++) {", row, row, rows, row);
    const NamesOutside outside = writer_enter(w);
    w->level = 2;
    w->stage = stage;
    count_uses(w);
    if (line_bytes) w->axis_name[lane] = "(start + at)";
    const char *apart = are_apart(w);
    if (apart) c_prefetch_along(w, axis, w->tile->rows, apart);
    if (!w->in_turns) w->axis_name[lane] = col;
    if (line_bytes) {
        write_line(w, "EACH_PART(u, vectors) {");
        w->indent++;
        if (!w->in_turns) write_line(w, "const idx %s = start + at + u * VL;", col);
    }
    write_element(w, stage);
    w->axis_name[lane] = col;
    if (line_bytes) {
        w->indent--;
        write_line(w, "}");
    }
    writer_leave(w, outside);
    write_line(w, "}");
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* A vector of elements narrower than a lane is a part of a cache line: a block of rows then takes
 * whole lines, each of which is prefetched once. The bytes of an element of the widest load, or 0
 * where lines do not pay: elements of 4 bytes gain nothing. One thread of a Zen 3, sums of columns
 * of bf16 [16384, 4096]: 14.7 and 8.4 ms. */
static int line_bytes_of(const Writer *w, const Needs *n, int stage) {
    const Body *b = w->b;
    int bytes = 0, values = 0;
    for (int i = 0; i < b->accs.count; i++)
        if (b->accs.at[i].op == OP_ARGMAX) return 0;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        Dim scale = 0;
        if (n->needed[i]) return 0; /* it would be computed for each row */
        if (w->s->value[i].level < 2 || !(w->s->value[i].used >> stage & 1)) continue;
        if (++values > FEW_VALUES || (v->kind == V_OP && op_info[v->op].costly)) return 0;
        if (v->kind == V_LOAD && index_along(b, v->ix, w->s->lane, &scale) == 1 &&
            (int)dtype_size(v->type) > bytes)
            bytes = (int)dtype_size(v->type);
    }
    return bytes < 4 ? bytes : 0;
}

/* May the elements of lines of bf16 be accumulated in turns? Nothing else differs from column to
 * column. */
static bool may_take_turns(const Writer *w, int stage) {
    const Body *b = w->b;
    Dim scale = 0;
    for (int i = 0; i < b->accs.count; i++)
        if (w->s->acc[i] == stage && dtype_compute(b->accs.at[i].type) != T_F32) return false;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (w->s->value[i].level < 2 || !(w->s->value[i].used >> stage & 1)) continue;
        if (!(v->axes >> w->s->lane & 1) || v->kind == V_OP || v->kind == V_CAST) continue;
        if (v->kind != V_LOAD || v->type != T_BF16 || v->guard) return false;
        if (index_along(b, v->ix, w->s->lane, &scale) != 1 || !dim_is(b->indices->dims, scale, 1))
            return false;
    }
    return true;
}

static NamesOutside open_lines(Writer *w, int bytes) {
    write_line(w, "EACH_LINE(at, vectors, lanes, %d, end - start) {", bytes);
    w->lanes = c_is_whole(w, w->s->lane, LEAST_STRIP) ? "VL" : "lanes";
    return writer_enter(w);
}

static void put_in_order(Writer *w, int stage, int line_bytes) {
    const NamesOutside outside = open_lines(w, line_bytes);
    write_accumulators(w, stage, c_strip_order);
    close_strip(w, outside);
    w->in_turns = false;
}

/* ---- the loops over a strip ------------------------------------------------------------------ */

/* Reads its rows. */
static void accumulate(Writer *w, int stage) {
    const Body *b = w->b;
    Needs n = {w, arena_array(w->arena, bool, b->values.count)};
    for (int i = 0; i < b->accs.count; i++) {
        if (w->s->acc[i] != stage) continue;
        need(b, b->accs.at[i].value, &n);
        if (b->accs.at[i].op == OP_ARGMAX) need(b, b->accs.at[i].index, &n);
    }
    for (int i = 1; i < b->values.count; i++)
        if (w->s->value[i].level == 2 && w->s->value[i].used >> stage & 1)
            each_source(b, i, need, &n);
    const int line = line_bytes_of(w, &n, stage);
    w->in_turns = line == 2 && may_take_turns(w, stage);
    for (int i = b->row_count; i + 1 < b->axes.count; i++) c_open_axis(w, &b->axes.at[i]);
    open_row_blocks(w);
    const NamesOutside outside = line ? open_lines(w, line) : open_strip(w);
    declare_needed(w, &n, 0);
    for (int i = 0; i < b->accs.count; i++)
        if (w->s->acc[i] == stage) c_strip_enter(w, i, line);
    write_block(w, stage, line);
    for (int i = 0; i < b->accs.count; i++)
        if (w->s->acc[i] == stage) c_strip_leave(w, i, line);
    close_strip(w, outside);
    c_close_loops(w, b->axes.count - b->row_count);
    if (w->in_turns) put_in_order(w, stage, line);
    write_accumulators(w, stage, c_strip_finish);
}

/* Values of columns into arrays, those that have one, in a loop over a strip. */
static void fill_arrays(Writer *w, const Needs *n, int stage, const char *const *array) {
    const NamesOutside outside = open_vectors(w);
    Text lines = text_new(w->arena), *out = w->out;
    w->out = &lines;
    axes_taken(w);
    for (int s = 0; s <= stage; s++) declare_needed(w, n, s);
    for (int i = 1; i < w->b->values.count; i++)
        if (array[i]) write_line(w, "%s[at / VL] = %s;", array[i], value_text(w, i));
    w->out = out;
    if (axes_taken(w) >> w->s->lane & 1) declare_position(w);
    text_str(out, text_get(&lines));
    close_strip(w, outside);
}

/* Computes, once for each column, what elements of later stages read: arrays, as accumulators. */
static void prepare(Writer *w, int stage) {
    const Body *b = w->b;
    const char **array = arena_array(w->arena, const char *, b->values.count);
    Needs n = {w, arena_array(w->arena, bool, b->values.count)};
    bool any = false;
    for (int i = 1; i < b->values.count; i++) {
        if (w->s->value[i].stage != stage || !schedule_is_of_elements(w->s, i)) continue;
        const char *type = w->dialect->type(b->values.at[i].type);
        array[i] = fresh(w, arena_printf(w->arena, "%s_of", value_stem(w, i)));
        write_line(w, "%s %s[%d / VL];", type, array[i], w->tile->n);
        need(b, i, &n);
        any = true;
    }
    if (!any) return;
    fill_arrays(w, &n, stage, array);
    for (int i = 1; i < b->values.count; i++)
        if (array[i]) w->name[i] = arena_printf(w->arena, "%s[at / VL]", array[i]);
}

/* Stores the results. */
static void finish(Writer *w) {
    const Body *b = w->b;
    Needs n = {w, arena_array(w->arena, bool, b->values.count)};
    for (int i = 0; i < b->stores.count; i++) need(b, b->stores.at[i].value, &n);
    const NamesOutside outside = open_strip(w);
    for (int stage = 0; stage <= w->s->stage_count; stage++) {
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

/* Columns of a strip, at most, as text: of an open number of rows that may be few, where a shorter
 * strip is in a near cache when the next stage reads it. One thread of a Zen 3, variances of f32
 * [40, 10000] by strips of 1024 and of 256 columns: 84 and 63 us, of [256, 5000] 253 and 183; but
 * of [128, 8192] 271 and 286, of [16384, 1024] 12 and 19 ms. */
static const char *most_columns(const Writer *w, const char *cols) {
    const int n = w->tile->n;
    const Dim rows = w->b->cols;
    int64_t size;
    if (w->s->stage_count == 1 || n <= NEAR_STRIP || dim_is_const(w->b->indices->dims, rows, &size))
        return arena_printf(w->arena, "%d", n);
    return arena_printf(w->arena, "%s <= %d && %s <= %d && %s %% %d ? %d : %d", size_text(w, rows),
                        NEAR_ROWS, cols, NEAR_COLUMNS,
                        size_factor_text(w, w->b->indices->extent[w->s->lane]), SET_COLUMNS,
                        NEAR_STRIP, n);
}

static void write_strips(Writer *w) {
    const Body *b = w->b;
    const char *cols = size_text(w, b->indices->extent[w->s->lane]);
    write_line(w, "const idx strip = fx_strip(%s, %s, %s);", cols, rows_beside(w),
               most_columns(w, cols));
    c_parallel(w, b->row_count);
    for (int i = 0; i + 1 < b->row_count; i++) c_open_axis(w, &b->axes.at[i]);
    write_line(w, "for (idx start = 0; start < %s; start += strip) {", cols);
    w->indent++;
    write_line(w, "const idx end = fx_least(start + strip, %s);", cols);
    for (int stage = 0; stage < w->s->stage_count; stage++) {
        if (stage) prepare(w, stage);
        write_accumulators(w, stage, c_strip_start);
        accumulate(w, stage);
    }
    finish(w);
    c_close_loops(w, b->row_count);
}

/* A test of sizes that are not known here: "M <= 16 || N <= VL", "": none. */
static const char *is_small(const Writer *w) {
    const Body *b = w->b;
    const Dim rows = b->cols, cols = b->indices->extent[w->s->lane]; /* columns are its rows */
    int64_t size;
    const char *few = "", *narrow = "";
    if (!dim_is_const(b->indices->dims, rows, &size))
        few = arena_printf(w->arena, "%s <= %d", size_text(w, rows), FEW_ROWS);
    if (!dim_is_const(b->indices->dims, cols, &size))
        narrow = arena_printf(w->arena, "%s%s <= VL", *few ? " || " : "", size_text(w, cols));
    return arena_printf(w->arena, "%s%s", few, narrow);
}

void c_column(Writer *w) {
    declare_level(w, 0, 0);
    const char *small = w->s->stage_count > 1 ? is_small(w) : "";
    if (!*small) {
        write_strips(w);
        return;
    }
    write_line(w, "if (%s) {", small);
    const NamesOutside outside = writer_enter(w);
    c_rows(w);
    writer_leave(w, outside);
    write_line(w, "} else {");
    const NamesOutside beside = writer_enter(w);
    write_strips(w);
    writer_leave(w, beside);
    write_line(w, "}");
}
