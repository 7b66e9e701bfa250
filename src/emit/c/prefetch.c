/* prefetch.c: prefetches.
 * In: a stage of a body. Out: __builtin_prefetch statements for one element of it. */
#include "emit/c/c.h"

enum { TO_L2 = 2, TO_L1 = 3 }; /* the last argument of __builtin_prefetch */

/* The address of v at position `at` of an axis. */
static const char *address_at(Writer *w, const Value *v, int axis, const char *at) {
    const char *here = w->axis_name[axis];
    w->axis_name[axis] = at;
    const char *text = address_text(w, v->attr, v->ix);
    w->axis_name[axis] = here;
    return text;
}

static void prefetch(Writer *w, const char *address, int cache) {
    write_line(w, "__builtin_prefetch(%s, 0, %d);", address, cache);
}

bool c_is_in_l2(const Writer *w, int number) {
    const KernelBuffer *buffer = &w->k->buffers.at[number];
    int64_t elements;
    return buffer->elements && dim_is_const(w->b->indices->dims, buffer->elements, &elements) &&
           elements * (int64_t)dtype_size(buffer->type) < w->tile->prefetch_from;
}

/* A single pass prefetches each line twice, unless it stays in a near cache. First far ahead, from
 * memory: the processor's own prefetcher stops at the end of a page. Then a quarter of that
 * distance ahead, from L2: a load that waits there behind stores to memory would stall the
 * arithmetic after it. */
static void prefetch_ahead(Writer *w, const Value *v) {
    int lane = w->s->lane, size = (int)dtype_size(v->type);
    const char *at = w->axis_name[lane];
    const char *near = arena_printf(w->arena, "(%s + %d)", at, w->tile->prefetch / 4 / size);
    const char *far = arena_printf(w->arena, "(%s + %d)", at, w->tile->prefetch / size);
    prefetch(w, address_at(w, v, lane, near), TO_L1);
    prefetch(w, address_at(w, v, lane, far), TO_L2);
}

int c_inner_row(const Writer *w) {
    int order[2 * RANK_MAX];
    tile_row_order(w->k, w->b, w->tile, order);
    return w->b->axes.at[order[w->b->row_count - 1]].number;
}

/* Special functions of an element in a stage; what an earlier stage kept is loaded. */
static int special_functions(const Writer *w, int stage) {
    const Body *b = w->b;
    int count = 0;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        const Place *p = &w->s->value[i];
        const bool is_kept = p->keep && p->used & (((uint64_t)1 << stage) - 1);
        if (p->level == 2 && p->used >> stage & 1 && !is_kept)
            count += v->kind == V_OP && op_info[v->op].costly;
    }
    for (int i = 0; i < b->accs.count; i++)
        if (w->s->acc[i] == stage && schedule_is_online(w->s, i)) count += 2;
    return count;
}

/* The stage with the most of them, during which memory is idle; without any, the last. */
static int longest_stage(const Writer *w) {
    int longest = 0, most = 0;
    for (int stage = 0; stage < w->s->stage_count; stage++) {
        const int count = special_functions(w, stage);
        if (count >= most) longest = stage, most = count;
    }
    return longest;
}

/* One stage prefetches the next row, line by line. One thread of a Zen 4, where shares of the row
 * were prefetched in each stage, and all of it in this one: softmax of f32 [8192, 4096] 16.7 and
 * 10.8 ms, layer_norm and gelu of [8192, 2048] 12.8 and 9.7, rms_norm of [8192, 4096] 14.8 and
 * 12.4 (without prefetches 16.2). */
static void prefetch_row(Writer *w, const Value *v, int stage) {
    Dim step = 0;
    const int row = c_inner_row(w), vectors = 4 / (int)dtype_size(v->type); /* of a line */
    const char *here = w->axis_name[row], *when = "";
    if (stage != longest_stage(w) || index_along(w->b, v->ix, row, &step) != 1) return;
    if (vectors > 1)
        when =
            arena_printf(w->arena, "if (%s / VL %% %d == 0) ", w->axis_name[w->s->lane], vectors);
    w->axis_name[row] = arena_printf(w->arena, "(%s + %d)", here, c_rows_beside(w));
    const char *address = address_text(w, v->attr, v->ix);
    w->axis_name[row] = here;
    write_line(w, "%s__builtin_prefetch(%s, 0, %d);", when, address, TO_L2);
    if (dtype_size(v->type) == 8) /* a vector may be two lines */
        write_line(w, "__builtin_prefetch(%s + 8, 0, %d);", address, TO_L2);
}

static void note(const Body *b, int source, void *seen) {
    (void)b;
    (void)source;
    *(bool *)seen = true;
}

/* Does the first stage read it along the lanes? Not with a guard or gathered positions, which are
 * not computed yet. */
static bool is_prefetched(const Writer *w, int value) {
    const Body *b = w->b;
    const Value *v = &b->values.at[value];
    bool waits = false;
    Dim scale = 0;
    if (v->kind != V_LOAD || w->s->value[value].level < 2 || !(w->s->value[value].used & 1))
        return false;
    each_source(b, value, note, &waits);
    return !waits && index_along(b, v->ix, w->s->lane, &scale) == 1 &&
           dim_is(b->indices->dims, scale, 1);
}

void c_prefetch_along(Writer *w, int axis, int distance, const char *when) {
    const char *further = arena_printf(w->arena, "(%s + %d)", w->axis_name[axis], distance);
    for (int i = 1; i < w->b->values.count; i++) {
        const Value *v = &w->b->values.at[i];
        Dim scale = 0;
        if (is_prefetched(w, i) && !c_is_in_l2(w, v->attr) &&
            index_along(w->b, v->ix, axis, &scale) == 1)
            write_line(w, "%s__builtin_prefetch(%s, 0, %d);", when, address_at(w, v, axis, further),
                       TO_L2);
    }
}

void c_prefetch(Writer *w, int stage) {
    const Body *b = w->b;
    if (!w->tile->prefetch || w->s->lane < 0 || w->s->lane_is_row) return;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (!is_prefetched(w, i) || c_is_in_l2(w, v->attr)) continue;
        if (w->s->stage_count == 1)
            prefetch_ahead(w, v);
        else if (b->row_count > 0)
            prefetch_row(w, v, stage);
    }
}

/* ---- gathered rows --------------------------------------------------------------------------- */

typedef struct Sources {
    int count, last;
} Sources;

static void count_source(const Body *b, int source, void *sources) {
    Sources *all = sources;
    (void)b;
    all->count++;
    all->last = source;
}

/* Rows that take less time than the prefetches: 8192 of 8 f32 49 us without them and 60 with them.
 */
static bool is_short(const Writer *w, const Value *v) {
    enum { ROW_BYTES = 256 };
    int64_t elements;
    return dim_is_const(w->b->indices->dims, w->b->indices->extent[w->s->lane], &elements) &&
           elements * (int64_t)dtype_size(v->type) < ROW_BYTES;
}

/* The position, clamped, at which a row of a large array is read, and which is itself an element
 * that the row axis numbers; 0: none. */
static int position_of(const Writer *w, int value) {
    const Body *b = w->b;
    const Value *v = &b->values.at[value];
    Sources sources = {0};
    Dim step = 0;
    if (b->axes.count - b->row_count != 1 || is_short(w, v)) return 0;
    if (v->kind != V_LOAD || v->guard || w->s->value[value].level < 2 || c_is_in_l2(w, v->attr))
        return 0;
    if (index_along(b, v->ix, w->s->lane, &step) != 1 || !dim_is(b->indices->dims, step, 1))
        return 0;
    each_source(b, value, count_source, &sources);
    const Value *at = &b->values.at[sources.last];
    if (sources.count != 1 || at->kind != V_CLAMP || w->s->value[sources.last].level > 1) return 0;
    const Value *from = &b->values.at[at->src[0]];
    if (from->kind != V_LOAD || from->guard || b->indices->node.at[from->ix].dynamic) return 0;
    return index_along(b, from->ix, c_inner_row(w), &step) == 1 ? sources.last : 0;
}

/* The row that is read so many rows later: the processor cannot guess where it is. 8192 of 50000
 * rows of f32, one thread of a Zen 5: rows of 64 64 and 56 us, of 256 375 and 231, of 1024 1564 and
 * 1272; softmax of rows of 256 1658 and 507. */
static void prefetch_gathered(Writer *w, const Value *v, int position) {
    enum { ROWS = 8, LINE = 64 };
    const Value *clamp = &w->b->values.at[position], *from = &w->b->values.at[clamp->src[0]];
    const int row = c_inner_row(w), lane = w->s->lane;
    const char *here = w->axis_name[row], *index = w->index_name[position];
    const char *last = size_text(w, w->b->indices->extent[row]);
    const char *size = size_text(w, w->b->indices->extent[lane]), *i = w->axis_name[lane];
    w->axis_name[row] = arena_printf(w->arena, "fx_least(%s + %d, %s - 1)", here, ROWS, last);
    write_line(w, "{");
    w->indent++;
    write_line(w, "const idx ahead%d = fx_least(fx_most(%s[%s], 0), %s - 1);", position,
               buffer_name(w, from->attr), index_text(w, from->ix), size_text(w, clamp->attr));
    w->index_name[position] = arena_printf(w->arena, "ahead%d", position);
    write_line(w, "for (idx %s = 0; %s < %s; %s += %d)", i, i, size, i,
               LINE / (int)dtype_size(v->type));
    w->indent++;
    prefetch(w, address_text(w, v->attr, v->ix), TO_L1);
    w->indent -= 2;
    write_line(w, "}");
    w->axis_name[row] = here, w->index_name[position] = index;
}

void c_prefetch_gathered(Writer *w, int stage) {
    const Body *b = w->b;
    if (w->s->lane < 0 || w->s->lane_is_row || !b->row_count || stage) return;
    for (int i = 1; i < b->values.count; i++) {
        const int position = position_of(w, i);
        if (position) prefetch_gathered(w, &b->values.at[i], position);
    }
}
