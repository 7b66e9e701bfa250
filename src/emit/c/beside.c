/* beside.c: rows side by side, short ones, or those in pieces. One reduction of a row waits for the
 * one before it, and the row has too few elements to fill the time; those of other rows do. Each
 * column is computed for all of them, and what a row computes once is in arrays with an element for
 * each row. In: a body whose tile has several rows. Out: loops. */
#include "emit/c/c.h"

int c_rows_beside(const Writer *w) { return w->tile->kind == TILE_C_LOOPS ? w->tile->rows : 1; }

/* The last rows may be fewer: then the very last is computed several times. */
void c_open_rows(Writer *w, const Axis *a) {
    const char *i = w->axis_name[a->number], *n = size_text(w, a->extent);
    const int rows = c_rows_beside(w);
    write_line(w, "for (idx first = 0; first < %s; first += %d) {", n, rows);
    w->indent++;
    write_line(w, "idx %s[%d];", i, rows);
    if (c_is_whole(w, a->number, rows))
        write_line(w, "EACH_OF_ROWS(u, %d) %s[u] = first + u;", rows, i);
    else
        write_line(w, "EACH_OF_ROWS(u, %d) %s[u] = fx_least(first + u, %s - 1);", rows, i, n);
    w->axis_name[a->number] = arena_printf(w->arena, "%s[u]", i);
}

static NamesOutside open_beside(Writer *w) {
    write_line(w, "EACH_OF_ROWS(u, %d) {", c_rows_beside(w));
    return writer_enter(w);
}

static void close_beside(Writer *w, NamesOutside outside) {
    writer_leave(w, outside);
    write_line(w, "}");
}

/* ---- between the loops over columns ---------------------------------------------------------- */

static void mark(const Body *b, int source, void *context) {
    bool *read = context;
    (void)b;
    read[source] = true;
}

/* Values that are read by elements, by later stages, or by their stores. */
static const bool *read_after(const Writer *w, int stage) {
    const Body *b = w->b;
    bool *read = arena_array(w->arena, bool, b->values.count + 1);
    for (int i = 1; i < b->values.count; i++) {
        const Place *p = &w->s->value[i];
        if (p->used && (p->level == 2 || (p->level == 1 && p->stage > stage)))
            each_source(b, i, mark, read);
    }
    for (int i = 0; i < b->accs.count; i++) read[b->accs.at[i].value] = true;
    for (int i = 0; i < b->stores.count; i++)
        if (w->s->store[i].level == 2 || w->s->store[i].stage > stage)
            read[b->stores.at[i].value] = true;
    return read;
}

static bool is_of_row(const Writer *w, int value, int stage) {
    const Place *p = &w->s->value[value];
    return p->level == 1 && p->used && p->stage == stage;
}

/* Declares arrays of what is read after the loop over rows; value -> element, NULL: none. */
static const char *const *declare_arrays(Writer *w, int stage) {
    const Body *b = w->b;
    const bool *read = read_after(w, stage);
    const char **element = arena_array(w->arena, const char *, b->values.count + 1);
    for (int i = 1; i < b->values.count; i++) {
        if (!is_of_row(w, i, stage) || w->name[i] || !read[i]) continue;
        const char *name = fresh(w, value_stem(w, i));
        write_line(w, "%s %s[%d];", w->dialect->type(b->values.at[i].type), name, c_rows_beside(w));
        element[i] = arena_printf(w->arena, "%s[u]", name);
    }
    return element;
}

static void name_elements(Writer *w, const char *const *element) {
    for (int i = 1; i < w->b->values.count; i++) {
        if (!element[i]) continue;
        w->name[i] = element[i];
        if (w->b->values.at[i].kind == V_CLAMP) w->index_name[i] = c_position(w, i, "0");
    }
}

/* What a row computes before a stage: results of the one before, values, stores. */
static void write_values(Writer *w, int stage, const char *const *element) {
    if (stage) write_accumulators(w, stage - 1, c_accumulator_finish);
    w->level = 1;
    w->stage = stage;
    count_uses(w);
    for (int i = 1; i < w->b->values.count; i++) {
        if (!is_of_row(w, i, stage)) continue;
        if (element[i])
            assign_value(w, i, element[i]);
        else
            declare_value(w, i);
    }
    write_row_stores(w, stage);
    write_accumulators(w, stage, c_beside_start);
}

static void write_before(Writer *w, int stage) {
    const char *const *element = declare_arrays(w, stage);
    write_accumulators(w, stage, c_beside_declare);
    Text lines = text_new(w->arena), *out = w->out;
    w->out = &lines;
    const NamesOutside outside = open_beside(w);
    const size_t head = lines.size;
    write_values(w, stage, element);
    const bool is_empty = lines.size == head;
    close_beside(w, outside);
    w->out = out;
    if (!is_empty) text_str(out, text_get(&lines));
    name_elements(w, element);
}

/* ---- loops over columns ---------------------------------------------------------------------- */

/* Loads that are the same for all rows. */
static void declare_shared(Writer *w, int stage, int row) {
    for (int i = 1; i < w->b->values.count; i++) {
        const Value *v = &w->b->values.at[i];
        const Place *p = &w->s->value[i];
        if (v->kind == V_LOAD && p->level == 2 && p->used >> stage & 1 && !(v->axes >> row & 1))
            declare_value(w, i);
    }
}

/* Rows in pieces are neighbours in memory: what is prefetched of the next ones is here already. */
static void write_columns(Writer *w, int stage, int row) {
    const int last = w->b->axes.count - 1, outer = last - w->b->row_count;
    for (int i = last - outer; i < last; i++) c_open_axis(w, &w->b->axes.at[i]);
    c_open_lanes(w, &w->b->axes.at[last]);
    w->level = 2;
    w->stage = stage;
    w->is_aligned = true;
    count_uses(w);
    declare_shared(w, stage, row);
    const NamesOutside outside = open_beside(w);
    if (!outer) c_prefetch(w, stage);
    write_element(w, stage);
    close_beside(w, outside);
    w->is_aligned = false;
    c_close_loops(w, outer + 1);
}

void c_stages_beside(Writer *w) {
    int order[2 * RANK_MAX];
    tile_row_order(w->k, w->b, w->tile, order);
    const int row = w->b->axes.at[order[w->b->row_count - 1]].number;
    for (int stage = 0; stage <= w->s->stage_count; stage++) {
        write_before(w, stage);
        if (stage < w->s->stage_count && schedule_has_work(w->s, stage))
            write_columns(w, stage, row);
    }
}
