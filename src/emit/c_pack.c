/* c_pack.c: what contractions and attentions share as C: pieces of text that compute a part of a
 * body, and loops that pack an operand into panels while it is evaluated. */
#include "emit/c.h"

#include <string.h>

const char *c_size(const Writer *w, int axis) {
    const char *text = dim_text(w->b->indices->dims, w->b->indices->extent[axis], w->arena);
    return strpbrk(text, " +-*/%") ? arena_printf(w->arena, "(%s)", text) : text;
}

/* Steps in k that stay in the caches: all of a short one, whole vectors. */
int64_t c_k_steps(const Writer *w) {
    enum { MOST = 256, WHOLE = 16 };
    int64_t k;
    if (!dim_is_const(w->b->indices->dims, w->b->indices->extent[DOT_K], &k) || k > MOST)
        return MOST;
    return (k + WHOLE - 1) / WHOLE * WHOLE;
}

/* Starts a piece of text that computes `roots` along a lane axis. */
Text c_piece(Writer *w, const int *roots, int count, int lane) {
    w->b->lane = lane;
    w->indent = 0;
    w->level = 2;
    w->stage = 0;
    w->lanes = "lanes";
    memset(w->name, 0, sizeof *w->name * (size_t)w->b->values.count);
    body_focus(w->b, roots, count);
    count_uses(w);
    return text_new(w->arena);
}

static const char *lanes_line(const Writer *w, const char *end, const char *at) {
    return arena_printf(w->arena, "const idx lanes = %s - %s < VL ? %s - %s : VL;", end, at, end,
                        at);
}

/* Where element (own, k) of a panel is, its own axis moved by `l`. */
static const char *panel_address(Writer *w, CPanel p, const char *l, const char *k) {
    const char *i = w->axis_name[p.own];
    if (p.is_right) return arena_printf(w->arena, "%s * NR + %s - start%s", k, i, l);
    return arena_printf(w->arena,
                        "%s / K_BLOCK * (MR * K_BLOCK) + (%s - start%s) * K_BLOCK + %s %% K_BLOCK",
                        k, i, l, k);
}

static void open_loop(Writer *w, const char *i, const char *from, const char *to,
                      const char *step) {
    write_line(w, "for (idx %s = %s; %s < %s; %s%s) {", i, from, i, to, i, step);
    w->indent++;
}

/* Vectors along k are rows of a; those of b go to different columns. */
static void pack_along_k(Writer *w, int value, CPanel p) {
    const char *k = w->axis_name[p.k], *end = c_size(w, p.k);
    open_loop(w, w->axis_name[p.own], "start", "start + rows", "++");
    open_loop(w, k, "0", end, " += VL");
    write_line(w, "%s", lanes_line(w, end, k));
    declare_value(w, value);
    const char *x = value_text(w, value), *reg = reg_suffix(w->b->values.at[value].type);
    if (!p.is_right) {
        write_line(w, "st_%s(to + %s, %s, lanes);", reg, panel_address(w, p, "", k), x);
        return;
    }
    const char *name = fresh(w, "column");
    write_line(w, "const %s %s = %s;", reg, name, x);
    write_line(w, "for (idx l = 0; l < lanes; l++) to[%s] = %s[l];",
               panel_address(w, p, "", arena_printf(w->arena, "(%s + l)", k)), name);
}

/* Vectors along the own axis are columns of b; those of a go to different rows. */
static void pack_along_own(Writer *w, int value, CPanel p) {
    const char *i = w->axis_name[p.own], *reg = reg_suffix(w->b->values.at[value].type);
    const char *k = w->axis_name[p.k];
    open_loop(w, k, "0", c_size(w, p.k), "++");
    open_loop(w, i, "start", "start + rows", " += VL");
    write_line(w, "%s", lanes_line(w, "start + rows", i));
    declare_value(w, value);
    const char *x = value_text(w, value);
    if (p.is_right) {
        write_line(w, "st_%s(to + %s, %s, lanes);", reg, panel_address(w, p, "", k), x);
        return;
    }
    const char *name = fresh(w, "row");
    write_line(w, "const %s %s = %s;", reg, name, x);
    write_line(w, "for (idx l = 0; l < lanes; l++) to[%s] = %s[l];", panel_address(w, p, " + l", k),
               name);
}

const char *c_pack(Writer *w, int value, CPanel p) {
    bool along_own = value_contiguous(w->b, value, p.own) > value_contiguous(w->b, value, p.k);
    Text text = c_piece(w, &value, 1, along_own ? p.own : p.k), *out = w->out;
    w->out = &text;
    if (along_own)
        pack_along_own(w, value, p);
    else
        pack_along_k(w, value, p);
    w->indent = 1;
    write_line(w, "}");
    w->indent = 0;
    write_line(w, "}");
    w->out = out;
    return text_get(&text);
}
