/* small.c: integers of a few bits, such as quantised weights, as floats: instructions that convert
 * have a quarter of the rate of others.
 * In: values of operands of contractions. Out: what computes them, exactly. */
#include "emit/cuda/cuda.h"

#include <math.h>

enum { MOST = 1 << 20 }; /* the largest such number */

static bool is_small(const Body *b, int value) {
    const IntRange r = value_range(b, value);
    return r.least >= -MOST && r.most <= MOST;
}

bool cuda_is_small_float(const Writer *w, const Value *v) {
    return w->k->family == F_DOT && v->kind == V_CAST && v->type == T_F32 &&
           is_small(w->b, v->src[0]);
}

/* Is it a literal, or such a number, that is whole? */
static bool is_small_whole(const Writer *w, int value) {
    const Value *v = &w->b->values.at[value];
    if (v->kind != V_CONST) return cuda_is_small_float(w, v);
    const double x = const_float(v);
    return fabs(x) <= MOST && x == trunc(x);
}

const char *cuda_small_difference(Writer *w, const Value *v) {
    if (v->op != OP_SUB || v->operand != T_F32) return NULL;
    const Value *x = &w->b->values.at[v->src[0]];
    if (!cuda_is_small_float(w, x) || !is_small_whole(w, v->src[1])) return NULL;
    return arena_printf(w->arena, "small_difference(%s, $b)", value_text(w, x->src[0]));
}
