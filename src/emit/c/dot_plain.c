/* dot_plain.c: a product of two matrices of f32 whose results are its sums, through
 * templates/c/dot_plain.c.
 * In: Kernel of family F_DOT. Out: the function's body. */
#include "emit/c/dot.h"

#include <string.h>

static int operand(const Writer *w, int side) {
    const Accumulator *a = &w->b->accs.at[0];
    return side ? a->index : a->value;
}

/* Sums that a micro-kernel stores as results, of two matrices of f32 that are packed as they are.
 */
bool c_dot_is_plain(Writer *w) {
    Dim across;
    bool is_plain = *c_dot_results(w, &across) && !w->b->added.count &&
                    dim_is(w->b->indices->dims, w->b->indices->extent[DOT_BATCH], 1);
    for (int side = 0; side < 2 && is_plain; side++)
        is_plain = w->b->values.at[operand(w, side)].type == T_F32 && c_dot_is_packed(w, side);
    return is_plain;
}

/* The address of the element at 0 of all axes. */
static const char *start_text(Writer *w, int buffer, Ix ix) {
    const Body *b = w->b;
    Body there = *b;
    Indices *x = indices_new(w->arena, b->indices->dims);
    Ix zero[DOT_AXES];
    for (int axis = 0; axis < DOT_AXES; axis++) zero[axis] = ix_const(x, dim_const(x->dims, 0));
    memcpy(x->extent, b->indices->extent, sizeof x->extent);
    const Ix first = ix_move(x, b->indices, ix, zero, DOT_AXES);
    there.indices = x;
    w->b = &there;
    const char *text = address_text(w, buffer, first);
    w->b = b;
    return text;
}

static void add_operand(Writer *w, int side, Fills *fills) {
    const CPanels panels = {.own = side ? DOT_N : DOT_M, .k = DOT_K, .first = "0", .k_first = "0"};
    const CMatrix m = c_pack_matrix(w, operand(w, side), &panels);
    const int value = schedule_find(w->schedule, PIECE_OPERAND, operand(w, side))->roots[0];
    const Value *v = &w->b->values.at[value];
    const char *stride = size_text(w, m.stride);
    const Fill own[] = {
        {side ? "B_FROM" : "A_FROM", start_text(w, v->attr, v->ix)},
        {side ? "B_NEXT" : "A_NEXT", m.is_along ? stride : "1"},
        {side ? "B_STRIDE" : "A_STRIDE", stride},
        {side ? "B_PACK" : "A_PACK", m.is_along ? "pack_along_f32" : "pack_across_f32"},
    };
    FILLS_ADD(w->arena, fills, own);
}

void c_dot_plain(Writer *w, const char *rest, const char *ends, Text *body) {
    const Store *s = &w->b->stores.at[0];
    Fills fills = {0};
    Dim across = 0;
    c_dot_results(w, &across);
    w->used.packed = true;
    add_operand(w, 0, &fills);
    add_operand(w, 1, &fills);
    const Fill own[] = {
        {"TILE", arena_printf(w->arena, "%s_tile", w->k->name)},
        {"M_SIZE", c_size(w, DOT_M)},
        {"N_SIZE", c_size(w, DOT_N)},
        {"K_SIZE", c_size(w, DOT_K)},
        {"RESULTS_FROM", start_text(w, s->buffer, s->ix)},
        {"RESULTS_ACROSS", size_text(w, across)},
        {"REST", rest},
        {"ENDS", ends},
    };
    FILLS_ADD(w->arena, &fills, own);
    template_fill("c/dot_plain.c", fills.at, fills.count, body);
}
