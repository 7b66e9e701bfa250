/* c_dot.c: contractions as C: operands evaluated while they are packed, what reads the results
 * while they are still in a tile, through templates/c/dot.c. In: Kernel of family F_DOT. Out: the
 * function's body, and the bytes of packed operands. */
#include "emit/c.h"

/* The right operands of one panel lie one after another. */
static const char *pack_right(Writer *w) {
    Text all = text_new(w->arena);
    for (int i = 0; i < w->b->accs.count; i++) {
        if (i) text_str(&all, "to += b_panel;\n");
        text_str(&all, c_pack(w, w->b->accs.at[i].index, (CPanel){DOT_N, DOT_K, true}));
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
    Text text = c_piece(w, roots, b->stores.count, DOT_N), *out = w->out;
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

/* Panels of both operands; those of b once for each contraction. */
const char *c_dot_packed(Writer *w) {
    Dtype element = dtype_compute(w->b->accs.at[0].type);
    const char *k = c_size(w, DOT_K);
    return arena_printf(w->arena,
                        "%zu * %s * ((%s + MR - 1) / MR * MR * FX_ROUND(%s, %lld) + %d * ((%s + NR "
                        "- 1) / NR * NR) * %s)",
                        dtype_size(element), c_size(w, DOT_BATCH), c_size(w, DOT_M), k,
                        (long long)c_k_steps(w), w->b->accs.count, c_size(w, DOT_N), k);
}

void c_dot(Writer *w, Text *body) {
    const Accumulator *first = &w->b->accs.at[0];
    const char *reg = reg_suffix(first->type);
    const char *count = arena_printf(w->arena, "%d", w->b->accs.count);
    const Fill fills[] = {
        {"ELEMENT", storage_type(dtype_compute(first->type))},
        {"TILE_SUMS_OF", arena_printf(w->arena, "tile_sums_%s", reg)},
        {"BATCH", c_size(w, DOT_BATCH)},
        {"M_SIZE", c_size(w, DOT_M)},
        {"N_SIZE", c_size(w, DOT_N)},
        {"K_SIZE", c_size(w, DOT_K)},
        {"COUNT", count},
        {"K_STEPS", arena_printf(w->arena, "%lld", (long long)c_k_steps(w))},
        {"pack_a", c_pack(w, first->value, (CPanel){DOT_M, DOT_K, false})},
        {"pack_b", pack_right(w)},
        {"finish", finish(w)},
    };
    template_fill("c/dot.c", fills, (int)(sizeof fills / sizeof *fills), body);
}
