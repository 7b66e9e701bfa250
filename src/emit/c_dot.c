/* c_dot.c: a contraction as C: operands evaluated while they are packed, through templates/c/dot.c.
 * In: Kernel of family F_DOT. Out: the function's body. */
#include "emit/c.h"

#include <string.h>

enum { BATCH, M, N, K };

/* How many loads of value v and below are contiguous along the axis. */
static int contiguous(Writer *w, int value, int axis)
{
    const Value *v = &w->b->values.at[value];
    Dim scale = 0;
    int score = 0;
    if (v->kind == V_LOAD)
        score += index_along(w->b, v->ix, axis, &scale) == 1 &&
                 dim_is(w->b->indices->dims, scale, 1);
    for (int i = 0; i < value_sources(v); i++) score += contiguous(w, v->src[i], axis);
    return score;
}

/* Text that evaluates an operand along the lane axis and packs it. */
static const char *pack(Writer *w, int value, int lane, const char *store)
{
    Text text = text_new(w->arena), *out = w->out;
    w->out = &text;
    w->indent = 0;
    w->b->lane = lane;
    w->level = 2;
    w->stage = 0;
    w->lanes = "lanes";
    memset(w->name, 0, sizeof *w->name * (size_t)w->b->values.count);
    for (int i = 1; i < w->b->values.count; i++) {
        w->b->values.at[i].level = 2;
        w->b->values.at[i].used = 1;
    }
    count_uses(w);
    w->uses[value]++;
    declare_value(w, value);
    write_line(w, store, value_text(w, value));
    w->out = out;
    return text_get(&text);
}

void c_dot(Writer *w, Text *body)
{
    const Contraction *c = &w->k->dot;
    const char *reg = reg_suffix(c->type), *element = storage_type(dtype_compute(c->type));
    const char *widen = strcmp(reg, reg_suffix(c->operand)) ? reg : NULL;
    if (widen) BUG("contraction of %s gives %s", dtype_name(c->operand), dtype_name(c->type));
    bool along_n = contiguous(w, c->b, N) > contiguous(w, c->b, K);
    const char *a = pack(w, c->a, K,
                         arena_printf(w->arena, "st_%s(&a_pack[i1 - m0][i3 - k0], %%s, lanes);", reg));
    const char *b;
    if (along_n) {
        b = pack(w, c->b, N,
                 arena_printf(w->arena, "st_%s(&b_pack[i3 - k0][i2 - n0], %%s, lanes);", reg));
    } else {
        b = pack(w, c->b, K,
                 arena_printf(w->arena,
                              "const %s column = %%s;\nfor (idx l = 0; l < lanes; l++) "
                              "b_pack[i3 - k0 + l][i2 - n0] = column[l];",
                              reg));
    }
    w->b->lane = N;
    const char *at = address_text(w, c->c, c->c_at);
    const Dims *d = w->b->indices->dims;
    const Fill fills[] = {
        {"REG", reg},
        {"ELEMENT", element},
        {"SPLAT", arena_printf(w->arena, "splat_%s", reg)},
        {"ADD", arena_printf(w->arena, "add_%s", reg)},
        {"MUL", arena_printf(w->arena, "mul_%s", reg)},
        {"real", reg[0] == 'f' ? reg : ""},
        {"whole", reg[0] == 'f' ? "" : reg},
        {"BATCH", dim_text(d, c->batch, w->arena)},
        {"M_SIZE", arena_printf(w->arena, "(%s)", dim_text(d, c->m, w->arena))},
        {"N_SIZE", arena_printf(w->arena, "(%s)", dim_text(d, c->n, w->arena))},
        {"K_SIZE", arena_printf(w->arena, "(%s)", dim_text(d, c->k, w->arena))},
        {"a", a},
        {"b_along_n", along_n ? b : ""},
        {"b_along_k", along_n ? "" : b},
        {"store", arena_printf(w->arena, "st_%s(%s, result, lanes);\n",
                               dtype_name(w->k->buffers.at[c->c].type), at)},
    };
    template_fill("c/dot.c", fills, (int)(sizeof fills / sizeof *fills), body);
}
