/* online.c: softmax in one pass over a row: a sum of exp(x - max(x)) over the same x is computed
 * together with the maximum, and rescaled when that grows (Milakov & Gimelshein, "Online normalizer
 * calculation for softmax", 2018).
 * In: a Draft. Out: which of its accumulators may do so. */
#include "kernel/build/build.h"

/* The accumulator of the maximum v, directly or as where(m == -inf, 0, m); else -1. */
static int guarded_max(const Draft *b, int value) {
    const Value *v = &b->values.at[value];
    if (v->kind == V_OP && v->op == OP_WHERE) {
        const Value *eq = &b->values.at[v->src[0]];
        if (eq->kind != V_OP || eq->op != OP_EQ) return -1;
        bool inf = value_is_minus_inf(&b->values.at[eq->src[0]]) ||
                   value_is_minus_inf(&b->values.at[eq->src[1]]);
        bool same = eq->src[0] == v->src[2] || eq->src[1] == v->src[2];
        if (!inf || !same) return -1;
        v = &b->values.at[v->src[2]];
    }
    return v->kind == V_ACC && v->op == OP_RMAX ? v->attr : -1;
}

static void find_online(Draft *b, Accumulator *acc) {
    acc->online_max = -1;
    if (acc->of_group) return;
    const Value *e = &b->values.at[acc->value];
    if (acc->op != OP_SUM || acc->type != T_F32 || e->kind != V_OP || e->op != OP_EXP) return;
    const Value *d = &b->values.at[e->src[0]];
    if (d->kind != V_OP || d->op != OP_SUB) return;
    int max = guarded_max(b, d->src[1]);
    if (max < 0 || b->accs.at[max].of_group || b->accs.at[max].value != d->src[0]) return;
    for (int i = 0; &b->accs.at[i] < acc; i++)
        if (b->accs.at[i].online_max == max) return; /* a maximum goes with one sum only */
    acc->online_max = max;
    acc->online_x = d->src[0];
}

void draft_find_online(Draft *b) {
    for (int i = 0; i < b->accs.count; i++) find_online(b, &b->accs.at[i]);
}

bool body_has_online(const Body *b) {
    for (int i = 0; i < b->accs.count; i++)
        if (b->accs.at[i].online_max >= 0) return true;
    return false;
}
