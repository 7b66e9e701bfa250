/* draft.c: a body under construction, and the parts that are computed at its end.
 * In: a Draft. Out: a Body; the axes that each value runs along. */
#include "kernel/build/build.h"

Body draft_body(const Draft *b) {
    return (Body){.axes = list_of(b->axes),
                  .row_count = b->row_count,
                  .lane = b->lane,
                  .lane_is_row = b->lane_is_row,
                  .group_axes = b->group_axes,
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

void draft_value_axes(Draft *b) {
    const Body body = draft_body(b);
    body_find_axes(&body, b->values.at);
}

void draft_find_groups(Draft *b) {
    const Body body = draft_body(b);
    for (int i = 0; i < b->stores.count; i++)
        b->stores.at[i].of_group = body_is_of_group(&body, index_axes(&body, b->stores.at[i].ix));
}
