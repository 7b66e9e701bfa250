/* focus.c: a contraction's body is written in pieces, the operands where they are read and the rest
 * where results are stored; each piece takes only what it needs. */
#include "kernel/kernel.h"

static void need(Body *b, int value, void *context) {
    Value *v = &b->values.at[value];
    if (v->used) return;
    v->used = 1;
    v->level = 2;
    v->stage = 0;
    v->keep = false;
    each_source(b, value, need, context);
}

void body_focus(Body *b, const int *roots, int count) {
    for (int i = 1; i < b->values.count; i++) b->values.at[i].used = 0;
    for (int i = 0; i < count; i++) need(b, roots[i], NULL);
}

int value_contiguous(const Body *b, int value, int axis) {
    const Value *v = &b->values.at[value];
    Dim scale = 0;
    int score = v->kind == V_LOAD && index_along(b, v->ix, axis, &scale) == 1 &&
                dim_is(b->indices->dims, scale, 1);
    for (int i = 0; i < value_sources(v); i++) score += value_contiguous(b, v->src[i], axis);
    return score;
}

int value_unrounded(const Body *b, int value, Dtype stored) {
    const Value *v = &b->values.at[value];
    bool same = v->kind == V_CAST && v->type == stored &&
                dtype_compute(v->operand) == dtype_compute(stored) && v->operand != T_BOOL &&
                stored != T_BOOL;
    return same ? v->src[0] : value;
}
