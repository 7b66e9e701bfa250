/* scan.c: stages of rows with scans. Threads take a step through a row together: each loads its
 * items, what is scanned is put into registers, combined across the threads, and then read by all
 * else. In: a Row. Out: the text of a step. */
#include "emit/cuda/row.h"

static bool scans_here(const Row *r, int value, int stage) {
    const uint64_t used = r->c.w.s->value[value].used, before = ((uint64_t)1 << stage) - 1;
    if (r->b->values.at[value].kind != V_SCAN || !(used >> stage & 1)) return false;
    return !(used & before && cuda_dialect.keeps(&r->c.w, value));
}

const char *row_carries(Row *r, int stage) {
    Text out = text_new(r->c.w.arena);
    for (int i = 1; i < r->b->values.count; i++) {
        if (!scans_here(r, i, stage)) continue;
        r->carry[i] = fresh(&r->c.w, "carry");
        const Value *v = &r->b->values.at[i];
        text_printf(&out, "%s %s = %s;\n", cuda_register(v->type), r->carry[i],
                    cuda_identity(v->op, v->type));
    }
    return text_get(&out);
}

/* ---- items ----------------------------------------------------------------------------------- */

/* The last whole item of a row. */
static const char *last_item(const Row *r) {
    if (!r->c.wide) return size_text(&r->c.w, dim_sub(r->d, r->b->cols, dim_const(r->d, 1)));
    return arena_printf(r->c.w.arena, "%s - VEC", size_text(&r->c.w, r->b->cols));
}

/* A loop over the items of a thread. Beyond the end of a row it is at the last one, and
 * inactive. */
static void each_item(Row *r, const char *text, Text *out) {
    const char *at = row_item_position(r), *index = r->c.index;
    if (!r->c.tile.items) at = arena_printf(r->c.w.arena, "start + %s", at);
    r->c.reads_flat = false;
    const char *all = row_with_positions(r, text);
    Text body = text_new(r->c.w.arena);
    if (!row_is_whole(r))
        text_printf(&body, "const bool active = %s < %s;\n", at, size_text(&r->c.w, r->b->cols));
    if (r->c.reads_flat && row_is_whole(r)) text_printf(&body, "const %s col = %s;\n", index, at);
    if (r->c.reads_flat && !row_is_whole(r))
        text_printf(&body, "const %s col = active ? %s : %s;\n", index, at, last_item(r));
    text_str(&body, all);
    text_str(out, "#pragma unroll\nfor (int item = 0; item < items; item++) {\n");
    text_indented(out, text_get(&body), 4);
    text_str(out, "}\n");
}

/* Loads of all items are under way before the first is scanned. */
static void load_hoisted(Row *r, int stage, Text *out) {
    CudaWriter *c = &r->c;
    Text fill = text_new(c->w.arena);
    for (int i = 1; i < r->b->values.count; i++) {
        const Place *p = &c->w.s->value[i];
        if (p->level == 2 && p->used >> stage & 1 && !c->hoisted[i] && cuda_may_hoist_load(c, i))
            cuda_hoist_load(c, i, out, &fill);
    }
    if (fill.size) each_item(r, text_get(&fill), out);
}

/* ---- scans ----------------------------------------------------------------------------------- */

static const char *scan_function(const Row *r, Op op) {
    const Tile *t = &r->c.tile;
    const char *of = reduction_of(op)->functions;
    Arena *arena = r->c.w.arena;
    if (r->c.w.s->lane_is_row)
        return arena_printf(arena, "column_scan<%s, %d, %d>", of, r->lanes, t->split);
    const int warps = tile_scan_warps(r->c.w.s, t);
    if (r->open || t->row_threads > 32) return arena_printf(arena, "block_scan<%s, %d>", of, warps);
    return arena_printf(arena, "warp_scan<%s, %d, %d>", of, t->row_threads, warps);
}

static void scan(Row *r, int value, int stage, Text *out) {
    CudaWriter *c = &r->c;
    const Value *v = &r->b->values.at[value];
    const char *items =
        fresh(&c->w, arena_printf(c->w.arena, "%s_items", value_stem(&c->w, value)));
    text_printf(out, "Pack<%s, %s> %s[items];\n", cuda_register(v->type), c->wide ? "VEC" : "1",
                items);
    each_item(r, cuda_scan_item(c, stage, value, items, !row_is_whole(r)), out);
    text_printf(out, "%s(%s, %s);\n", scan_function(r, v->op), items, r->carry[value]);
    c->scanned[value] =
        arena_printf(c->w.arena, c->wide ? "%s[item].at[l]" : "%s[item].at[0]", items);
}

/* Arrays of a step end with it. */
static void forget(Row *r) {
    for (int i = 1; i < r->b->values.count; i++) {
        r->c.scanned[i] = NULL;
        if (!r->c.w.s->value[i].keep) r->c.hoisted[i] = NULL;
    }
}

const char *row_scan(Row *r, int stage) {
    Text out = text_new(r->c.w.arena);
    load_hoisted(r, stage, &out);
    for (int i = 1; i < r->b->values.count; i++)
        if (scans_here(r, i, stage)) scan(r, i, stage, &out);
    each_item(r, cuda_item(&r->c, stage), &out);
    forget(r);
    return text_get(&out);
}
