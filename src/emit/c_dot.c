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

/* Along k the lanes of a vector go to different rows of the panel, `width` apart. */
static void pack_along_k(Writer *w, int value, int own, const char *width) {
    const char *i = w->axis_name[own],
               *k = dim_text(w->b->indices->dims, w->b->indices->extent[DOT_K], w->arena);
    write_line(w, "for (idx %s = start; %s < start + rows; %s++) {", i, i, i);
    w->indent++;
    write_line(w, "for (idx i3 = 0; i3 < %s; i3 += VL) {", k);
    w->indent++;
    write_line(w, "%s",
               lanes_line(w, strpbrk(k, " +-") ? arena_printf(w->arena, "(%s)", k) : k, "i3"));
    declare_value(w, value);
    const char *x = value_text(w, value), *name = fresh(w, "row");
    write_line(w, "const %s %s = %s;", reg_suffix(w->b->values.at[value].type), name, x);
    write_line(w, "for (idx l = 0; l < lanes; l++) to[(i3 + l) * %s + %s - start] = %s[l];", width,
               i, name);
}

/* Along the own axis a vector is stored as it is. */
static void pack_along_own(Writer *w, int value, int own, const char *width) {
    const char *i = w->axis_name[own], *reg = reg_suffix(w->b->values.at[value].type);
    const char *k = dim_text(w->b->indices->dims, w->b->indices->extent[DOT_K], w->arena);
    write_line(w, "for (idx i3 = 0; i3 < %s; i3++) {", k);
    w->indent++;
    write_line(w, "for (idx %s = start; %s < start + rows; %s += VL) {", i, i, i);
    w->indent++;
    write_line(w, "%s", lanes_line(w, "start + rows", i));
    declare_value(w, value);
    write_line(w, "st_%s(to + i3 * %s + %s - start, %s, lanes);", reg, width, i,
               value_text(w, value));
}

static const char *pack(Writer *w, int value, int own, const char *width) {
    bool along_own = value_contiguous(w->b, value, own) > value_contiguous(w->b, value, DOT_K);
    Text text = start_piece(w, &value, 1, along_own ? own : DOT_K), *out = w->out;
    w->out = &text;
    if (along_own)
        pack_along_own(w, value, own, width);
    else
        pack_along_k(w, value, own, width);
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
        text_str(&all, pack(w, w->b->accs.at[i].index, DOT_N, "NR"));
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

/* Panels of both operands; those of b once for each contraction. */
const char *c_dot_packed(Writer *w) {
    Dtype element = dtype_compute(w->b->accs.at[0].type);
    return arena_printf(
        w->arena, "%zu * %s * %s * (((%s + MR - 1) / MR) * MR + %d * ((%s + NR - 1) / NR) * NR)",
        dtype_size(element), size(w, DOT_BATCH), size(w, DOT_K), size(w, DOT_M), w->b->accs.count,
        size(w, DOT_N));
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
        {"pack_a", pack(w, first->value, DOT_M, "MR")},
        {"pack_b", pack_right(w)},
        {"finish", finish(w)},
    };
    template_fill("c/dot.c", fills, (int)(sizeof fills / sizeof *fills), body);
}
