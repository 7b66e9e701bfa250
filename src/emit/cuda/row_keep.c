/* row_keep.c: what a row keeps from stage to stage: in registers, in shared memory, or in that of
 * the blocks of a cluster.
 * In: a Row with a Tile. Out: declarations and loads before the first stage. */
#include "emit/cuda/row.h"

bool row_hoists(const Row *r, int value) {
    const Place *p = &r->c.w.s->value[value];
    return p->keep && p->level == 2 && cuda_may_hoist_load(&r->c, value);
}

/* Loads that are kept in registers are all issued before the first stage. */
static void write_hoisted(Row *r) {
    Text arrays = text_new(r->c.w.arena), loads = text_new(r->c.w.arena);
    if (r->b->chunks && row_prefetch(r)) return;
    for (int i = 1; i < r->b->values.count; i++)
        if (row_hoists(r, i)) cuda_hoist_load(&r->c, i, &arrays, &loads);
    if (!arrays.size) return;
    text_str(&r->body, text_get(&arrays));
    row_columns(r, row_with_positions(r, text_get(&loads)), &r->body);
    if (r->c.shifted_row) row_load_edges(r);
}

static const char *kept_type(const Value *v) {
    return v->kind == V_LOAD ? cuda_storage(v->type) : cuda_register(v->type);
}

/* In the shared memory of the block, behind so many bytes. */
static const char *place_text(const Row *r, int64_t bytes) {
    return bytes ? arena_printf(r->c.w.arena, "(shared + %lld)", (long long)bytes) : "shared";
}

/* Other kept values: arrays of items, or arrays in shared memory at multiples of 16 bytes.
 * Returns the bytes of shared memory. */
static int64_t declare_kept(Row *r) {
    CudaWriter *c = &r->c;
    int64_t bytes = 0, cols = 0;
    dim_is_const(r->d, r->b->cols, &cols);
    for (int i = 1; i < r->b->values.count; i++) {
        const Value *v = &r->b->values.at[i];
        if (!c->w.s->value[i].keep || c->hoisted[i]) continue;
        const char *type = kept_type(v);
        c->kept[i] = fresh(&c->w, arena_printf(c->w.arena, "%s_kept", value_stem(&c->w, i)));
        if (c->tile.keep == KEEP_SHARED) {
            text_printf(&r->body, "%s *const %s = (%s *)%s;\n", type, c->kept[i], type,
                        place_text(r, bytes));
            size_t size = dtype_size(
                v->kind == V_LOAD || v->type == T_BOOL ? v->type : dtype_compute(v->type));
            bytes += (cols * (int64_t)size + 15) / 16 * 16;
        } else {
            text_printf(&r->body, c->wide ? "Pack<%s, VEC> %s[items];\n" : "%s %s[items];\n", type,
                        c->kept[i]);
            if (c->shifted_row) text_printf(&r->body, "%s %s_edge;\n", type, c->kept[i]);
        }
    }
    return bytes;
}

/* ---- in a cluster ---------------------------------------------------------------------------- */

int64_t row_part(const Row *r) {
    int64_t cols = 0;
    dim_is_const(r->d, r->b->cols, &cols);
    return tile_cluster_part(&r->c.tile, cols);
}

/* The last blocks have less, where the columns do not divide. */
const char *row_part_text(const Row *r) {
    Arena *arena = r->c.w.arena;
    const long long part = (long long)row_part(r);
    const bool shifted = r->c.shifted_row;
    if (!shifted && dim_is(r->d, r->b->cols, part * r->c.tile.cluster))
        return cuda_number(arena, part);
    const char *end = shifted ? "whole" : size_text(&r->c.w, r->b->cols);
    return arena_printf(arena, "start + %lld <= %s ? %lld : (int)(%s - start)", part, end, part,
                        end);
}

/* "cp_async_pack(x_kept + item, x + row * 4096 + col);" */
static void copy_item(Row *r, int value, const char *name, Text *out) {
    CudaWriter *c = &r->c;
    Writer *w = &c->w;
    const Value *v = &w->b->values.at[value];
    w->axis_name[w->s->lane] = c->lane;
    if (c->wide)
        text_printf(out, "cp_async_pack(%s + item, %s);\n", name, address_text(w, v->attr, v->ix));
    else
        text_printf(out, "%s[item] = %s[%s];\n", name, buffer_name(w, v->attr),
                    index_text(w, v->ix));
}

/* Loads that several stages read are copied to the shared memory of the blocks. Each thread reads
 * only what it copied. Returns the bytes of a block. */
static int64_t keep_in_cluster(Row *r) {
    CudaWriter *c = &r->c;
    Text copies = text_new(c->w.arena);
    int64_t bytes = 0;
    text_str(&r->body, "cluster_arrive(); /* this block has started */\n");
    for (int i = 1; i < r->b->values.count && c->tile.keep == KEEP_SHARED; i++) {
        const Value *v = &r->b->values.at[i];
        const Dtype type = v->type;
        if (!tile_keeps_load(c->w.s, i) || (c->wide && !cuda_is_packed(c, v))) continue;
        const char *name = fresh(&c->w, arena_printf(c->w.arena, "%s_kept", value_stem(&c->w, i)));
        const char *element =
            arena_printf(c->w.arena, c->wide ? "Pack<%s, VEC>" : "%s", cuda_storage(type));
        text_printf(&r->body, "%s *const %s = (%s *)%s;\n", element, name, element,
                    place_text(r, bytes));
        copy_item(r, i, name, &copies);
        c->hoisted[i] = name;
        bytes += (row_part(r) * (int64_t)dtype_size(type) + 15) / 16 * 16;
    }
    if (copies.size) row_columns(r, row_with_positions(r, text_get(&copies)), &r->body);
    if (copies.size && c->shifted_row) row_load_edges(r);
    if (copies.size && c->wide) text_str(&r->body, "cp_async_commit();\n");
    if (copies.size && c->wide) text_str(&r->body, "cp_async_wait<0>();\n");
    return bytes;
}

int64_t row_keep(Row *r) {
    if (tile_has_cluster(&r->c.tile)) return keep_in_cluster(r);
    if (r->c.tile.keep == KEEP_REGISTERS) write_hoisted(r);
    return r->c.tile.keep == KEEP_NOTHING ? 0 : declare_kept(r);
}
