/* untouched.c: what a row or a vector does first, where results may be written over inputs: if they
 * are, and it changes nothing, it ends. In: a stage of a pointwise body. Out: statements. */
#include "emit/c/c.h"

static const char *untouched_text(Writer *w, const Touch *touch) {
    const Value *v = &w->b->values.at[touch->value];
    if (v->kind != V_COMBINE) {
        const char *x = value_text(w, touch->value);
        return arena_printf(w->arena, touch->negated ? "!is_any(~%s)" : "!is_any(%s)", x);
    }
    const char *start = value_text(w, v->src[1]), *end = value_text(w, v->src[2]);
    const bool varies = c_is_in_lanes(w) && w->b->values.at[v->src[1]].axes >> w->s->lane & 1;
    return arena_printf(w->arena, varies ? "!is_any(%s < %s)" : "%s[0] >= %s[0]", start, end);
}

/* Where a loop over rows is around it, conditions that have no column are asked once a row. There
 * are none in parts of a row that are the old elements. */
static int level_of(const Writer *w, const Untouched *u) {
    return u->count && w->b->row_count && touch_level(w, u) < 2 ? 1 : 2;
}

/* The condition of all, after what it reads, in a block of its own. */
static const char *conditions(Writer *w, const Untouched *u) {
    Text all = text_new(w->arena);
    for (int i = 0; i < u->count; i++) {
        declare_touch(w, &u->touch[i]);
        text_printf(&all, "%s%s", i ? " && " : "", untouched_text(w, &u->touch[i]));
    }
    return text_get(&all);
}

static uint32_t axes_of(const Writer *w, const Touch *touch) {
    const Value *v = &w->b->values.at[touch->value];
    if (v->kind != V_COMBINE) return v->axes;
    return w->b->values.at[v->src[1]].axes | w->b->values.at[v->src[2]].axes;
}

int c_rows_left(const Writer *w) {
    enum { ENOUGH = 4096 }; /* rows for threads to share, without the loops inside of theirs */
    const Untouched u = body_untouched(w->k, w->b);
    int64_t rows = 1, extent;
    uint32_t axes = 0;
    int order[2 * RANK_MAX];
    if (!u.are_there || w->s->lane_is_row || level_of(w, &u) != 1) return 0;
    for (int i = 0; i < u.count; i++) axes |= axes_of(w, &u.touch[i]);
    tile_row_order(w->k, w->b, w->tile, order);
    for (int i = 0; i + 1 < w->b->row_count; i++) {
        const Axis *axis = &w->b->axes.at[order[i]];
        if (!dim_is_const(w->b->indices->dims, axis->extent, &extent)) break;
        rows *= extent;
        axes &= ~((uint32_t)1 << axis->number);
        if (!axes && rows >= ENOUGH) return i + 1;
    }
    return 0;
}

void c_leave_rows(Writer *w) {
    w->level = 1;
    w->stage = 0;
    count_uses(w);
    c_leave_untouched(w, 1);
}

void c_leave_untouched(Writer *w, int level) {
    const Untouched u = body_untouched(w->k, w->b);
    if (!u.are_there || level_of(w, &u) != level) return;
    Text declared = text_new(w->arena), *out = w->out;
    w->out = &declared;
    const NamesOutside outside = writer_enter(w);
    const char *all = conditions(w, &u);
    writer_leave(w, outside);
    w->out = out;
    const char *both =
        *all ? arena_printf(w->arena, "%s && %s", in_place_text(w), all) : in_place_text(w);
    if (!declared.size) {
        write_line(w, "if (%s) continue;", both);
        return;
    }
    write_line(w, "if (%s) {", in_place_text(w));
    text_str(w->out, text_get(&declared));
    write_line(w, "    if (%s) continue;", all);
    write_line(w, "}");
}
