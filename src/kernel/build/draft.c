/* draft.c: a body under construction, and the parts that are computed at its end.
 * In: a Draft. Out: a Body; the axes that each value runs along. */
#include "kernel/build/build.h"

Body draft_body(const Draft *b) {
    return (Body){.axes = list_of(b->axes),
                  .row_count = b->row_count,
                  .lane = b->lane,
                  .lane_is_row = b->lane_is_row,
                  .indices = b->indices,
                  .values = list_of(b->values),
                  .accs = list_of(b->accs),
                  .added = list_of(b->added),
                  .stores = list_of(b->stores),
                  .dots = b->dots,
                  .chunks = b->chunks,
                  .rows = b->rows,
                  .cols = b->cols,
                  .attention = b->attention,
                  .chain = b->chain,
                  .blocks = b->blocks,
                  .sort = b->sort};
}

static uint32_t all_axes(const Body *b) {
    uint32_t axes = 0;
    for (int i = 0; i < b->axes.count; i++) axes |= 1u << b->axes.at[i].number;
    return axes;
}

static void join_axes(const Body *b, int source, void *axes) {
    *(uint32_t *)axes |= b->values.at[source].axes;
}

/* A finished product runs along all: it is in a tile, and loaded for each element. */
static uint32_t value_axes(const Body *b, int i, uint32_t cols) {
    const Value *v = &b->values.at[i];
    if ((v->kind == V_ACC && v->op == OP_DOT) || v->kind == V_PART) return all_axes(b);
    if (v->kind == V_ACC) return b->values.at[b->accs.at[v->attr].value].axes & ~cols;
    uint32_t axes = v->ix ? index_axes(b, v->ix) : 0;
    each_source(b, i, join_axes, &axes);
    return axes;
}

void draft_value_axes(Draft *b) {
    const Body body = draft_body(b);
    uint32_t cols = body_col_axes(&body);
    for (int i = 1; i < b->values.count; i++) b->values.at[i].axes = value_axes(&body, i, cols);
}
