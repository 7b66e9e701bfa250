/* partial.c: partial sums of columns: the threads of a row go through all rows of a chunk, and each
 * adds up its own columns, in registers or in memory. The loads of the next row may be in flight.
 * In: stores of a Body that add. Out: what comes before, within and after the loop over rows. */
#include "emit/cuda/row.h"

static const char *const element[] = {"[item]", "[item].at[l]"};

void cuda_add_element(CudaWriter *c, int store) {
    Writer *w = &c->w;
    const Store *s = &w->b->stores.at[store];
    const char *x = value_text(w, s->value);
    if (c->added[store])
        write_line(w, "%s%s%s += %s;", c->store_if, c->added[store], element[c->wide], x);
    else
        write_line(w, "%s%s[%s] += %s;", c->store_if, buffer_name(w, s->buffer),
                   index_text(w, s->ix), x);
}

/* "%s" stands for the sum of a column in memory: a statement for each column of a thread. */
static const char *each_column(Row *r, const Store *s, const char *value) {
    CudaWriter *c = &r->c;
    Writer *w = &c->w;
    w->axis_name[w->s->lane] = c->wide ? arena_printf(w->arena, "(%s + l)", c->lane) : c->lane;
    const char *to = arena_printf(w->arena, "%s[%s] = %s;\n", buffer_name(w, s->buffer),
                                  index_text(w, s->ix), value);
    w->axis_name[w->s->lane] = c->lane;
    if (!c->wide) return to;
    return arena_printf(w->arena, "#pragma unroll\nfor (int l = 0; l < VEC; l++) {\n    %s}\n", to);
}

/* For each store that adds: `value` of the column goes to memory. */
static void store_sums(Row *r, bool in_registers, Text *out) {
    CudaWriter *c = &r->c;
    Text columns = text_new(c->w.arena), loop = text_new(c->w.arena);
    for (int i = 0; i < r->b->stores.count; i++) {
        if (!r->b->stores.at[i].adds) continue;
        const char *value =
            in_registers ? arena_printf(c->w.arena, "%s%s", c->added[i], element[c->wide]) : "0";
        text_str(&columns, each_column(r, &r->b->stores.at[i], value));
    }
    row_columns(r, row_with_positions(r, text_get(&columns)), &loop);
    text_printf(out, "if (chunk < %lld) {\n", (long long)r->b->chunks);
    text_indented(out, text_get(&loop), 4);
    text_str(out, "}\n");
}

void row_sums_start(Row *r, const char *items) {
    CudaWriter *c = &r->c;
    text_str(&r->sums, items);
    if (!c->tile.items) {
        store_sums(r, false, &r->sums);
        return;
    }
    for (int i = 0; i < r->b->stores.count; i++) {
        const KernelBuffer *to = &c->w.k->buffers.at[r->b->stores.at[i].buffer];
        if (!r->b->stores.at[i].adds) continue;
        const char *name = fresh(&c->w, arena_printf(c->w.arena, "%s_sums", to->name));
        const char *type = cuda_register(to->type);
        c->added[i] = name;
        text_printf(&r->sums, c->wide ? "Pack<%s, VEC> %s[items] = {};\n" : "%s %s[items] = {};\n",
                    type, name);
    }
}

void row_sums_finish(Row *r) {
    if (r->c.tile.items) store_sums(r, true, &r->after);
}

/* ---- the next row --------------------------------------------------------------------------- */

/* Does the load give other elements in other rows? */
static bool is_of_row(const Row *r, int value) {
    return index_axes(r->b, r->b->values.at[value].ix) >> r->b->axes.at[0].number & 1;
}

/* Is there room in the registers of a thread for the loads of two rows? */
static bool may_prefetch(const Row *r) {
    enum { MOST = 64 }; /* bytes */
    const Tile *t = &r->c.tile;
    int64_t bytes = 0;
    for (int i = 1; i < r->b->values.count; i++)
        if (row_hoists(r, i) && is_of_row(r, i))
            bytes += t->items * t->vector * (int64_t)dtype_size(r->b->values.at[i].type);
    return r->b->row_count == 1 && !row_leaves(r) && bytes && bytes <= MOST;
}

bool row_prefetch(Row *r) {
    if (!may_prefetch(r)) return false;
    CudaWriter *c = &r->c;
    Arena *arena = c->w.arena;
    Text arrays = text_new(arena), once = text_new(arena), next = text_new(arena),
         copies = text_new(arena), copy = text_new(arena);
    const char **row = &c->w.axis_name[r->b->axes.at[0].number], *of_row = *row;
    const char *rows = size_text(&c->w, r->b->rows);
    const char *end = size_text(&c->w, dim_sub(r->d, r->b->rows, dim_const(r->d, 1)));
    for (int i = 1; i < r->b->values.count; i++)
        if (row_hoists(r, i) && !is_of_row(r, i)) cuda_hoist_load(&r->c, i, &arrays, &once);
    *row = "next";
    for (int i = 1; i < r->b->values.count; i++) {
        if (!row_hoists(r, i) || !is_of_row(r, i)) continue;
        const char *type = cuda_storage(r->b->values.at[i].type);
        cuda_hoist_load(&r->c, i, &arrays, &next);
        const char *name = fresh(&c->w, arena_printf(arena, "%s_row", value_stem(&c->w, i)));
        text_printf(&copies, c->wide ? "Pack<%s, VEC> %s[items];\n" : "%s %s[items];\n", type,
                    name);
        text_printf(&copy, "%s[item] = %s[item];\n", name, c->hoisted[i]);
        c->hoisted[i] = name;
    }
    *row = of_row;
    const char *load = row_with_positions(r, text_get(&next));
    text_str(&r->sums, text_get(&arrays));
    text_printf(&r->sums, "%s next = chunk * chunk_rows < %s ? chunk * chunk_rows : %s;\n",
                c->index, rows, end);
    row_columns(r, arena_printf(arena, "%s%s", text_get(&once), load), &r->sums);
    text_str(&r->body, text_get(&copies));
    text_printf(&r->body, "next = first + 1 < %s ? first + 1 : %s;\n", rows, end);
    row_columns(r, arena_printf(arena, "%s%s", text_get(&copy), load), &r->body);
    return true;
}
