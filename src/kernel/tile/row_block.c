/* row_block.c: short rows whose packs are single elements: those of a block are neighbours in
 * memory, and so go to and from shared memory in whole packs. Threads of a row would else touch a
 * few bytes of a sector at a time. In: a Tile of a row kernel. Out: which rows.
 *
 * On an H200 a log_softmax of 928366 rows of 33 bf16 takes 53 us so, and 93 without; rows of 67
 * 8.7 and 10.2. Not rows of 3, 9 or 23 f32, which take 1.1 to 1.3 times as long so, nor those of
 * 3 bf16, or of 151, which 16 threads have. */
#include "kernel/tile/tile_private.h"

enum {
    LEAST_THREADS = 4, /* of a row, */
    MOST_THREADS = 8,
    MOST_ELEMENT = 2,      /* and bytes of an element */
    MOST_BYTES = 16 << 10, /* of all rows of a block: several blocks fit a multiprocessor */
    PACK_BYTES = 16,
    LEAST_ELEMENTS = 1 << 16 /* of all rows: fewer are bound by launches */
};

/* Rows one after the other, and nothing between them. */
static bool is_of_rows(const Body *b, const Schedule *s, Ix ix) {
    const IxNode *n = &b->indices->node.at[ix];
    Dims *d = b->indices->dims;
    Dim col = 0, row = 0;
    return !n->dynamic && n->count == 2 && dim_is(d, n->offset, 0) &&
           index_along(b, ix, s->lane, &col) == 1 && dim_is(d, col, 1) &&
           index_along(b, ix, b->axes.at[0].number, &row) == 1 && row == b->cols;
}

static bool is_kept_load(const Schedule *s, const Value *v, int i, Ix ix) {
    const Place *p = &s->value[i];
    return v->kind == V_LOAD && v->ix == ix && !v->guard && p->used && p->keep && p->level == 2;
}

bool tile_has_block_rows(const Kernel *k, const Schedule *s, const Tile *t, Ix ix, int buffer) {
    const Body *b = s->body;
    const int64_t rows = t->threads / t->row_threads, cols = cost_size(b->indices->dims, b->cols);
    const int64_t bytes = rows * cols * (int64_t)dtype_size(k->buffers.at[buffer].type);
    bool is_moved = false;
    for (int i = 1; i < b->values.count; i++)
        is_moved |= b->values.at[i].attr == buffer && is_kept_load(s, &b->values.at[i], i, ix);
    for (int i = 0; i < b->stores.count; i++)
        is_moved |=
            b->stores.at[i].buffer == buffer && b->stores.at[i].ix == ix && s->store[i].level == 2;
    return is_moved && bytes % PACK_BYTES == 0 &&
           dtype_size(k->buffers.at[buffer].type) <= MOST_ELEMENT;
}

int64_t tile_block_rows_shared(const Kernel *k, const Schedule *s, const Tile *t, Ix ix) {
    const int64_t rows = t->threads / t->row_threads,
                  cols = cost_size(s->body->indices->dims, s->body->cols);
    int64_t bytes = 0;
    for (int i = 0; i < k->buffers.count; i++)
        if (tile_has_block_rows(k, s, t, ix, i))
            bytes += rows * cols * (int64_t)dtype_size(k->buffers.at[i].type);
    return bytes;
}

Ix tile_block_rows(const Kernel *k, const Schedule *s, const Tile *t) {
    const Body *b = s->body;
    int64_t rows, cols;
    if (t->kind != TILE_ROW || t->keep != KEEP_REGISTERS || t->vector > 1 || t->cluster > 1 ||
        t->row_threads < LEAST_THREADS || t->row_threads > MOST_THREADS || s->lane_is_row ||
        b->chunks || b->row_count != 1 || b->axes.count != 2 || schedule_has_scan(s))
        return 0;
    if (!dim_is_const(b->indices->dims, b->rows, &rows) ||
        !dim_is_const(b->indices->dims, b->cols, &cols) || rows * cols < LEAST_ELEMENTS)
        return 0;
    for (int i = 0; i < b->stores.count; i++) {
        const Store *to = &b->stores.at[i];
        if (to->adds || s->store[i].level != 2 || !is_of_rows(b, s, to->ix)) continue;
        const bool is_moved = tile_has_block_rows(k, s, t, to->ix, to->buffer);
        if (is_moved && tile_block_rows_shared(k, s, t, to->ix) <= MOST_BYTES) return to->ix;
    }
    return 0;
}
