/* stage.c: one stage of a body as C: the loops over its columns.
 * In: a stage of a Schedule. Out: loops, with what they compute, and accumulators around them. */
#include "emit/c/c.h"

#include <string.h>

enum { FEW_STEPS = 4 }; /* of a loop that is unrolled */

static bool is_lane(const Writer *w, const Axis *a) { return a->number == w->s->lane; }

/* ---- loops --------------------------------------------------------------------------------- */

bool c_is_whole(const Writer *w, int axis, int side) {
    Dims *d = w->b->indices->dims;
    return dim_divides(d, dim_const(d, side), w->b->indices->extent[axis]);
}

/* The lane axis advances by whole vectors. */
void c_open_axis(Writer *w, const Axis *a) {
    const char *i = w->axis_name[a->number], *n = size_text(w, a->extent);
    bool lane = is_lane(w, a);
    write_line(w,
               lane ? "for (idx %s = 0; %s < %s; %s += VL) {" : "for (idx %s = 0; %s < %s; %s++) {",
               i, i, n, i);
    w->indent++;
}

static bool is_whole_vectors(const Writer *w) { /* for any VL */
    return c_is_whole(w, w->s->lane, 16);
}

/* The number of valid lanes, in the loop of c_open_axis. */
void c_declare_lanes(Writer *w) {
    w->lanes = "VL";
    if (is_whole_vectors(w)) return;
    const char *i = w->axis_name[w->s->lane];
    const char *n = size_text(w, w->b->indices->extent[w->s->lane]);
    if (!strcmp(n, "1")) { /* stores of one element need no number */
        w->lanes = n;
        return;
    }
    bool bare = !strpbrk(n, " /%");
    const char *left = arena_printf(w->arena, bare ? "%s - %s" : "(%s) - %s", n, i);
    write_line(w, "const idx lanes = %s < VL ? %s : VL;", left, left);
    w->lanes = "lanes";
}

void c_open_lanes(Writer *w, const Axis *a) {
    const char *i = w->axis_name[a->number], *n = size_text(w, a->extent);
    w->lanes = is_whole_vectors(w) ? "VL" : "lanes";
    if (w->partial_sums) {
        write_line(w, "EACH_FOUR_VECTORS(%s, u, lanes, %s) {", i, n);
        w->indent++;
    } else if (!is_whole_vectors(w)) {
        write_line(w, "EACH_VECTOR(%s, lanes, %s) {", i, n);
        w->indent++;
    } else {
        c_open_axis(w, a);
    }
}

void c_close_loops(Writer *w, int count) {
    for (int i = 0; i < count; i++) {
        w->indent--;
        write_line(w, "}");
    }
}

/* Does the time of a row depend on data? A segment may be long. */
static bool is_uneven(const Body *b) {
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].kind == V_COMBINE) return true;
    return false;
}

/* Is a kernel's work known to be too little for threads? */
static bool is_little_work(const Writer *w) {
    Dims *d = w->b->indices->dims;
    const Dim work = dim_mul(d, w->b->rows, w->b->cols);
    int64_t size;
    return work && dim_is_const(d, work, &size) && size < w->tile->parallel;
}

bool c_parallel(Writer *w, int loops) {
    Dims *d = w->b->indices->dims;
    Dim work = dim_mul(d, w->b->rows, w->b->cols);
    int64_t size;
    const char *when = "";
    if (is_little_work(w)) return false;
    if (work && !dim_is_const(d, work, &size))
        when = arena_printf(w->arena, " if (%s >= %d)", size_text(w, work), w->tile->parallel);
    const char *collapse = loops > 1 ? arena_printf(w->arena, " collapse(%d)", loops) : "";
    const char *schedule = is_uneven(w->b) ? "dynamic, 64" : "static";
    text_printf(w->out, "#pragma omp parallel for%s schedule(%s)%s\n", collapse, schedule, when);
    return true;
}

static bool is_costly_value(const Value *v) {
    return v->kind == V_SCAN || (v->kind == V_OP && op_info[v->op].costly);
}

/* gcc -O2 unrolls only loops that become no longer. One thread of a Zen 5, sums of 8 rows at a time
 * of f32 [4096, 256] 184 and 61 us. */
void c_unroll(Writer *w, int stage, int64_t steps) {
    enum { MOST_VALUES = 32 }; /* of all steps; more would take long to compile */
    const Body *b = w->b;
    int64_t values = 0;
    if (is_little_work(w)) return;
    for (int i = 1; i < b->values.count; i++) {
        const Place *p = &w->s->value[i];
        if (p->level < 2 || !(p->used >> stage & 1)) continue;
        values += steps;
        if (values > MOST_VALUES || is_costly_value(&b->values.at[i])) return;
    }
    write_line(w, "_Pragma(\"GCC unroll %d\")", (int)steps);
}

/* ---- stages -------------------------------------------------------------------------------- */

/* Four rows that lie apart are four streams, which the processor's own prefetcher follows to the
 * end of a page only. One thread of a Zen 4, sums over two outer axes of f32: [64, 128, 4096] 6.6
 * ms without prefetches, 5.5 with them; [256, 64, 784] 3.2 and 2.3. */
static void write_elements(Writer *w, int stage, bool four_rows) {
    enum { AHEAD = 512 }; /* elements */
    w->level = 2;
    w->stage = stage;
    count_uses(w);
    c_leave_untouched(w, 2);
    if (four_rows)
        c_prefetch_along(w, w->s->lane, AHEAD, "");
    else if (!w->phase) /* else the elements of the group are read again */
        c_prefetch(w, stage);
    write_element(w, stage);
}

void c_elements(Writer *w, int stage) { write_elements(w, stage, false); }

static void start_scans(Writer *w, int stage) {
    for (int i = 1; i < w->b->values.count; i++) {
        const Value *v = &w->b->values.at[i];
        const Place *p = &w->s->value[i];
        if (v->kind != V_SCAN || !(p->used >> stage & 1)) continue;
        if (p->keep && p->used & (((uint64_t)1 << stage) - 1)) continue;
        const char *reg = reg_suffix(v->type);
        write_line(w, "%s carry%d = splat_%s(%s);", reg, i, reg, c_identity(v->op, reg));
    }
}

/* A short stage is bound by the latency of its additions: four accumulators hide it. */
static bool wants_partial_sums(const Schedule *s, const Tile *t, int stage) {
    const Body *b = s->body;
    int values = 0, accs = 0;
    if (s->lane_is_row) return false;
    for (int i = 1; i < b->values.count; i++) {
        const Place *p = &s->value[i];
        if (p->level < 2 || !(p->used >> stage & 1)) continue;
        if (++values > t->partial || is_costly_value(&b->values.at[i])) return false;
    }
    for (int i = 0; i < b->accs.count; i++) {
        if (s->acc[i] != stage) continue;
        if (++accs > t->partial_sums || !c_has_partial_sums(&b->accs.at[i])) return false;
    }
    return accs > 0;
}

/* Are sums in four parts those of four rows of the reduced block, each along the lanes? */
static bool sums_four_rows(const Writer *w) {
    const Body *b = w->b;
    int64_t rows;
    if (!w->partial_sums || b->axes.count - b->row_count < 2 ||
        !is_lane(w, &b->axes.at[b->axes.count - 1]))
        return false;
    const Dim extent = b->axes.at[b->axes.count - 2].extent;
    return !dim_is_const(b->indices->dims, extent, &rows) || rows >= 4;
}

static void open_four_rows(Writer *w) {
    const Axis *lane = &w->b->axes.at[w->b->axes.count - 1], *row = lane - 1;
    w->lanes = is_whole_vectors(w) ? "VL" : "lanes";
    write_line(w, "EACH_FOUR_ROWS(%s, %s, u, lanes, %s, %s) {", w->axis_name[row->number],
               w->axis_name[lane->number], size_text(w, row->extent), size_text(w, lane->extent));
    w->indent++;
}

/* The loops over all columns, the lanes innermost. */
static void write_loop_nest(Writer *w, int stage, bool shared_out) {
    const Body *b = w->b;
    const bool four_rows = !shared_out && sums_four_rows(w);
    int loops = b->axes.count - b->row_count - four_rows;
    if (shared_out) c_parallel(w, loops);
    for (int i = b->row_count; i < b->axes.count - 2 * four_rows; i++) {
        const Axis *a = &b->axes.at[i];
        int64_t steps;
        if (is_lane(w, a) && !shared_out) {
            c_open_lanes(w, a);
            continue;
        }
        if (i == b->axes.count - 1 && !is_lane(w, a) &&
            dim_is_const(b->indices->dims, a->extent, &steps) && steps <= FEW_STEPS)
            c_unroll(w, stage, steps);
        c_open_axis(w, a);
    }
    if (four_rows) open_four_rows(w);
    if (shared_out) c_declare_lanes(w);
    w->is_aligned = !w->s->lane_is_row;
    write_elements(w, stage, four_rows);
    w->is_aligned = false;
    c_close_loops(w, loops);
}

static void write_loops(Writer *w, int stage, bool shared_out) {
    if (schedule_phases(w->s, stage)) {
        c_row_groups(w, stage);
        return;
    }
    if (w->tile->kind == TILE_C_LOOPS && w->tile->vectors > 1) {
        c_flight(w, stage, shared_out);
        return;
    }
    if (shared_out ? c_shared_parts(w, stage) : c_interleave(w, stage)) return;
    w->level = 2;
    w->partial_sums = w->tile->unroll > 1 && wants_partial_sums(w->s, w->tile, stage);
    write_accumulators(w, stage, c_accumulator_start);
    start_scans(w, stage);
    if (shared_out || !c_parts(w, stage)) write_loop_nest(w, stage, shared_out);
    write_accumulators(w, stage, c_accumulator_finish);
    w->partial_sums = false;
}

void c_stage(Writer *w, int stage) {
    if (!c_rows_left(w)) c_leave_untouched(w, 1);
    c_prefetch_gathered(w, stage);
    write_loops(w, stage, false);
}

void c_stage_shared(Writer *w, int stage) { write_loops(w, stage, true); }
