/* interleave.c: rows of two elements, as the two parts of a complex number, whose lanes are rows:
 * each column is computed as if it were alone, so that it is known which piece of a concat it is,
 * and a vector of each is stored as two of elements in turn. In: a stage of a body. Out: what its
 * loop over rows contains; false: rows are others. */
#include "emit/c/c.h"

#include <string.h>

static const Axis *column_axis(const Writer *w) { return &w->b->axes.at[w->b->row_count]; }

static bool has_step(const Writer *w, Ix ix, int axis, int step) {
    Dim scale = 0;
    return index_along(w->b, ix, axis, &scale) == 1 && dim_is(w->b->indices->dims, scale, step);
}

/* Is it stored for each element, those of a lane side by side? */
static bool is_stored_in_turn(const Writer *w, int store) {
    const Store *s = &w->b->stores.at[store];
    return w->s->store[store].level == 2 && !s->adds && !s->limit &&
           has_step(w, s->ix, column_axis(w)->number, 1) && has_step(w, s->ix, w->s->lane, 2);
}

static bool is_interleaved(const Writer *w) {
    const Body *b = w->b;
    if (!w->s->lane_is_row || !c_is_pointwise(w) || b->axes.count != b->row_count + 1) return false;
    if (!dim_is(b->indices->dims, b->cols, 2) || body_untouched(w->k, b).are_there) return false;
    for (int i = 0; i < b->stores.count; i++)
        if (!is_stored_in_turn(w, i)) return false;
    return true;
}

/* The body with what it has in one column. */
static Body body_of_column(const Writer *w, int64_t column) {
    const int axis = column_axis(w)->number;
    Body b = c_body_within(w, axis, (CRange){column, column + 1}, NULL);
    Indices *const x = indices_new(w->arena, b.indices->dims);
    Ix by_axis[2 * RANK_MAX];
    for (int i = 0; i < 2 * RANK_MAX; i++) by_axis[i] = -1;
    memcpy(x->extent, b.indices->extent, sizeof x->extent);
    by_axis[axis] = ix_const(x, dim_const(x->dims, column));
    Value *values = arena_array(w->arena, Value, b.values.count + 1);
    for (int i = 1; i < b.values.count; i++) {
        values[i] = b.values.at[i];
        if (values[i].ix) values[i].ix = ix_move(x, b.indices, values[i].ix, by_axis, 2 * RANK_MAX);
    }
    Store *stores = arena_array(w->arena, Store, b.stores.count + 1);
    for (int i = 0; i < b.stores.count; i++) {
        stores[i] = b.stores.at[i];
        stores[i].ix = ix_move(x, b.indices, stores[i].ix, by_axis, 2 * RANK_MAX);
    }
    b.values.at = values;
    b.stores.at = stores;
    b.indices = x;
    return b;
}

/* Declares what is stored; returns its variable. */
static const char *declare_stored(Writer *w, int value) {
    declare_value(w, value);
    if (w->name[value]) return w->name[value];
    const char *name = fresh(w, "column");
    write_line(w, "const %s %s = %s;", reg_suffix(w->b->values.at[value].type), name,
               value_text(w, value));
    return name;
}

bool c_interleave(Writer *w, int stage) {
    if (!is_interleaved(w)) return false;
    const Body *all = w->b;
    const char **odd = arena_array(w->arena, const char *, all->stores.count + 1);
    w->level = 2;
    w->stage = stage;
    for (int column = 1; column >= 0; column--) {
        const Body one = body_of_column(w, column);
        w->b = &one;
        count_uses(w);
        for (int i = 0; i < one.stores.count; i++) {
            const char *x = declare_stored(w, one.stores.at[i].value);
            if (column)
                odd[i] = x;
            else
                c_store_in_turn(w, i, x, odd[i]);
        }
        w->b = all;
    }
    return true;
}
