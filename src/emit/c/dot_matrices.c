/* dot_matrices.c: products of matrices of f32 that functions pack, over all of k at once, through
 * templates/c/dot_matrices.c; where results are sums, through templates/c/dot_plain.c.
 * In: Kernel of family F_DOT. Out: the blocks of a product, or the function's body. */
#include "emit/c/dot.h"

#include <string.h>

bool c_dot_has_matrices(Writer *w) {
    const Summand s = body_summand(w->b, 0);
    const Indices *x = w->b->indices;
    bool all = !w->b->added.count && !c_dot_left_rows(w) &&
               dim_is(x->dims, x->extent[DOT_BATCH], 1) && c_dot_is_packed(w, 0) &&
               c_dot_is_packed(w, 1) && w->b->values.at[s.left].type == T_F32;
    for (int i = 0; i < w->b->dots && all; i++) all = w->b->values.at[s.right[i]].type == T_F32;
    return all;
}

bool c_dot_is_plain(Writer *w) {
    Dim across;
    return *c_dot_results(w, &across) && c_dot_has_matrices(w);
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

/* An fx_matrix as an initialiser. `own`: the axis of its rows, or columns. */
static const char *matrix_text(Writer *w, int operand, int own) {
    const CPanels panels = {.own = own, .k = DOT_K, .first = "0", .k_first = "0"};
    const CMatrix m = c_pack_matrix(w, operand, &panels);
    const int value = schedule_find(w->schedule, PIECE_OPERAND, operand)->roots[0];
    const Value *v = &w->b->values.at[value];
    const char *stride = size_text(w, m.stride);
    return arena_printf(w->arena, "{%s, %s, %s, pack_%s_f32}", start_text(w, v->attr, v->ix),
                        m.is_along ? stride : "1", stride, m.is_along ? "along" : "across");
}

static void add_matrices(Writer *w, Fills *fills) {
    const Summand s = body_summand(w->b, 0);
    Text right = text_new(w->arena);
    w->used.packed = true;
    for (int i = 0; i < w->b->dots; i++)
        text_printf(&right, "%s%s", i ? ",\n" : "", matrix_text(w, s.right[i], DOT_N));
    const Fill own[] = {
        {"TILE", arena_printf(w->arena, "%s_tile", w->k->name)},
        {"M_SIZE", c_size(w, DOT_M)},
        {"N_SIZE", c_size(w, DOT_N)},
        {"K_SIZE", c_size(w, DOT_K)},
        {"LEFT", matrix_text(w, s.left, DOT_M)},
        {"RIGHT", text_get(&right)},
    };
    FILLS_ADD(w->arena, fills, own);
}

const char *c_dot_matrices(Writer *w, const char *columns) {
    Text text = text_new(w->arena);
    Fills fills = {0};
    add_matrices(w, &fills);
    const Fill own[] = {{"COLUMNS", columns}};
    FILLS_ADD(w->arena, &fills, own);
    template_fill("c/dot_matrices.c", fills.at, fills.count, &text);
    return text_get(&text);
}

void c_dot_plain(Writer *w, const char *rest, const char *ends, Text *body) {
    const Store *s = &w->b->stores.at[0];
    Fills fills = {0};
    Dim across = 0;
    c_dot_results(w, &across);
    add_matrices(w, &fills);
    const Fill own[] = {
        {"RESULTS_FROM", start_text(w, s->buffer, s->ix)},
        {"RESULTS_ACROSS", size_text(w, across)},
        {"REST", rest},
        {"ENDS", ends},
    };
    FILLS_ADD(w->arena, &fills, own);
    template_fill("c/dot_plain.c", fills.at, fills.count, body);
}
