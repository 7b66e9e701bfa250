/* c_dot.c: contractions as C: operands evaluated while they are packed, what reads the results
 * while they are still in a tile, through templates/c/dot.c. In: Kernel of family F_DOT. Out: the
 * function's body, and the bytes of packed operands. */
#include "emit/c.h"

#include <string.h>

/* Starts a piece of text that computes `roots` along a lane axis. */
static Text start_piece(Writer *w, const int *roots, int count, int lane) {
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

/* Where element (own, k) of a panel is, its own axis `i` moved by `l`: a has rows of K_BLOCK, b
 * columns of NR side by side. */
static const char *panel_address(Writer *w, int own, const char *l, const char *k) {
    const char *i = w->axis_name[own];
    if (own == DOT_N) return arena_printf(w->arena, "%s * NR + %s - start%s", k, i, l);
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
static void pack_along_k(Writer *w, int value, int own) {
    const char *k = dim_text(w->b->indices->dims, w->b->indices->extent[DOT_K], w->arena);
    open_loop(w, w->axis_name[own], "start", "start + rows", "++");
    open_loop(w, "i3", "0", k, " += VL");
    write_line(w, "%s",
               lanes_line(w, strpbrk(k, " +-") ? arena_printf(w->arena, "(%s)", k) : k, "i3"));
    declare_value(w, value);
    const char *x = value_text(w, value), *reg = reg_suffix(w->b->values.at[value].type);
    if (own == DOT_M) {
        write_line(w, "st_%s(to + %s, %s, lanes);", reg, panel_address(w, own, "", "i3"), x);
        return;
    }
    const char *name = fresh(w, "column");
    write_line(w, "const %s %s = %s;", reg, name, x);
    write_line(w, "for (idx l = 0; l < lanes; l++) to[%s] = %s[l];",
               panel_address(w, own, "", "(i3 + l)"), name);
}

/* Vectors along the own axis are columns of b; those of a go to different rows. */
static void pack_along_own(Writer *w, int value, int own) {
    const char *i = w->axis_name[own], *reg = reg_suffix(w->b->values.at[value].type);
    const char *k = dim_text(w->b->indices->dims, w->b->indices->extent[DOT_K], w->arena);
    open_loop(w, "i3", "0", k, "++");
    open_loop(w, i, "start", "start + rows", " += VL");
    write_line(w, "%s", lanes_line(w, "start + rows", i));
    declare_value(w, value);
    const char *x = value_text(w, value);
    if (own == DOT_N) {
        write_line(w, "st_%s(to + %s, %s, lanes);", reg, panel_address(w, own, "", "i3"), x);
        return;
    }
    const char *name = fresh(w, "row");
    write_line(w, "const %s %s = %s;", reg, name, x);
    write_line(w, "for (idx l = 0; l < lanes; l++) to[%s] = %s[l];",
               panel_address(w, own, " + l", "i3"), name);
}

static const char *pack(Writer *w, int value, int own) {
    bool along_own = value_contiguous(w->b, value, own) > value_contiguous(w->b, value, DOT_K);
    Text text = start_piece(w, &value, 1, along_own ? own : DOT_K), *out = w->out;
    w->out = &text;
    if (along_own)
        pack_along_own(w, value, own);
    else
        pack_along_k(w, value, own);
    w->indent = 1;
    write_line(w, "}");
    w->indent = 0;
    write_line(w, "}");
    w->out = out;
    return text_get(&text);
}

/* The right operands of one panel lie one after another. */
static const char *pack_right(Writer *w) {
    Text all = text_new(w->arena);
    for (int i = 0; i < w->b->accs.count; i++) {
        if (i) text_str(&all, "to += b_panel;\n");
        text_str(&all, pack(w, w->b->accs.at[i].index, DOT_N));
    }
    return text_get(&all);
}

static const char *finish(Writer *w) {
    Body *b = w->b;
    int *roots = arena_array(w->arena, int, b->stores.count);
    for (int i = 0; i < b->stores.count; i++) {
        roots[i] = b->stores.at[i].value;
        b->stores.at[i].level = 2;
        b->stores.at[i].stage = 0;
    }
    Text text = start_piece(w, roots, b->stores.count, DOT_N), *out = w->out;
    w->out = &text;
    for (int i = 0; i < b->accs.count; i++) {
        const Accumulator *a = &b->accs.at[i];
        const char *name = fresh(w, "matmul"), *reg = reg_suffix(a->type);
        write_line(w, "const %s %s = ld_%s(&sums[%d][i1 - m_start][i2 - n_start], VL);", reg, name,
                   reg, i);
        w->name[a->result] = name;
    }
    for (int i = 0; i < b->stores.count; i++) declare_value(w, b->stores.at[i].value);
    for (int i = 0; i < b->stores.count; i++) c_store(w, &b->stores.at[i], "st");
    w->out = out;
    return text_get(&text);
}

static const char *size(const Writer *w, enum DotAxis axis) {
    const char *text = dim_text(w->b->indices->dims, w->b->indices->extent[axis], w->arena);
    return strpbrk(text, " +-*/%") ? arena_printf(w->arena, "(%s)", text) : text;
}

/* Steps in k that stay in the caches: all of a short one, whole vectors. */
static int64_t k_steps(const Writer *w) {
    enum { MOST = 256, WHOLE = 16 };
    int64_t k;
    if (!dim_is_const(w->b->indices->dims, w->b->indices->extent[DOT_K], &k) || k > MOST)
        return MOST;
    return (k + WHOLE - 1) / WHOLE * WHOLE;
}

/* Panels of both operands; those of b once for each contraction. */
const char *c_dot_packed(Writer *w) {
    Dtype element = dtype_compute(w->b->accs.at[0].type);
    const char *k = size(w, DOT_K);
    return arena_printf(w->arena,
                        "%zu * %s * ((%s + MR - 1) / MR * MR * FX_ROUND(%s, %lld) + %d * ((%s + NR "
                        "- 1) / NR * NR) * %s)",
                        dtype_size(element), size(w, DOT_BATCH), size(w, DOT_M), k,
                        (long long)k_steps(w), w->b->accs.count, size(w, DOT_N), k);
}

void c_dot(Writer *w, Text *body) {
    const Accumulator *first = &w->b->accs.at[0];
    const char *reg = reg_suffix(first->type);
    const char *count = arena_printf(w->arena, "%d", w->b->accs.count);
    const Fill fills[] = {
        {"ELEMENT", storage_type(dtype_compute(first->type))},
        {"TILE_SUMS_OF", arena_printf(w->arena, "tile_sums_%s", reg)},
        {"BATCH", size(w, DOT_BATCH)},
        {"M_SIZE", size(w, DOT_M)},
        {"N_SIZE", size(w, DOT_N)},
        {"K_SIZE", size(w, DOT_K)},
        {"COUNT", count},
        {"K_STEPS", arena_printf(w->arena, "%lld", (long long)k_steps(w))},
        {"pack_a", pack(w, first->value, DOT_M)},
        {"pack_b", pack_right(w)},
        {"finish", finish(w)},
    };
    template_fill("c/dot.c", fills, (int)(sizeof fills / sizeof *fills), body);
}
