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

/* A single pass prefetches each line twice, unless it stays in a near cache. First far ahead, from
 * memory: the processor's own prefetcher stops at the end of a page. Then a quarter of that
 * distance ahead, from L2: a load that waits there behind stores to memory would stall the
 * arithmetic after it. */
static void prefetch_ahead(Writer *w, const Value *v) {
    const KernelBuffer *buffer = &w->k->buffers.at[v->attr];
    int lane = w->s->lane, size = (int)dtype_size(buffer->type);
    int64_t elements;
    if (buffer->elements && dim_is_const(w->b->indices->dims, buffer->elements, &elements) &&
        elements * size < w->tile->prefetch_from)
        return;
    const char *at = w->axis_name[lane];
    const char *near = arena_printf(w->arena, "(%s + %d)", at, w->tile->prefetch / 4 / size);
    const char *far = arena_printf(w->arena, "(%s + %d)", at, w->tile->prefetch / size);
    prefetch(w, address_at(w, v, lane, near), TO_L1);
    prefetch(w, address_at(w, v, lane, far), TO_L2);
}

/* The axis of the innermost loop over rows. */
static int inner_row(const Writer *w) {
    int order[2 * RANK_MAX];
    tile_row_order(w->k, w->b, w->tile, order);
    return w->b->axes.at[order[w->b->row_count - 1]].number;
}

/* Memory is idle while a row is processed several times: each stage prefetches its share of the
 * next row, a half or a quarter, line by line. The last of three stages, which stores, takes half.
 * If rows are contiguous, fetch_ahead chooses the lines. */
static void prefetch_row(Writer *w, const Value *v, int stage) {
    const Body *b = w->b;
    Dims *dims = b->indices->dims;
    Dim length = b->indices->extent[w->s->lane], step = 0;
    int row = inner_row(w), stages = w->s->stage_count;
    bool rest = stages == 3 && stage == 2;
    int shares = stages == 2 || rest ? 2 : 4, before = rest ? 1 : stage;
    int vectors = shares * 4 / (int)dtype_size(v->type); /* the share advances by a line in these */
    const char *here = w->axis_name[row], *at = w->axis_name[w->s->lane], *when = "";
    const char *n = size_text(w, length);
    if (stage >= shares + rest || index_along(b, v->ix, row, &step) != 1) return;
    if (vectors > 1) when = arena_printf(w->arena, "if (%s / VL %% %d == 0) ", at, vectors);
    const char *sum = before == 0   ? at
                      : before == 1 ? arena_printf(w->arena, "(%s + %s)", n, at)
                                    : arena_printf(w->arena, "(%d * (%s) + %s)", before, n, at);
    w->axis_name[row] = arena_printf(w->arena, "(%s + 1)", here);
    const char *address =
        address_at(w, v, w->s->lane, arena_printf(w->arena, "%s / %d", sum, shares));
    w->axis_name[row] = here;
    if (dim_equal(dims, step, length))
        write_line(w, "%sfetch_ahead(%s);", when, address);
    else
        write_line(w, "%s__builtin_prefetch(%s, 0, %d);", when, address, TO_L2);
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
        if (is_prefetched(w, i) && index_along(w->b, v->ix, axis, &scale) == 1)
            write_line(w, "%s__builtin_prefetch(%s, 0, %d);", when, address_at(w, v, axis, further),
                       TO_L2);
    }
}

void c_prefetch(Writer *w, int stage) {
    const Body *b = w->b;
    if (!w->tile->prefetch || w->s->lane < 0 || w->s->lane_is_row) return;
    for (int i = 1; i < b->values.count; i++) {
        const Value *v = &b->values.at[i];
        if (!is_prefetched(w, i)) continue;
        if (w->s->stage_count == 1)
            prefetch_ahead(w, v);
        else if (b->row_count > 0)
            prefetch_row(w, v, stage);
    }
}
