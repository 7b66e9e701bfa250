/* place.c: where in the loops each value is computed: level, stage, and whether an element value is
 * kept from one stage to the next. needs: axes. makes: the placement fields of values, accumulators
 * and stores. */
#include "kernel/kernel.h"

/* ---- axes a value depends on --------------------------------------------------------------- */

static uint32_t col_axes(const Body *b) {
    uint32_t cols = 0;
    for (int i = b->row_count; i < b->axes.count; i++) cols |= 1u << b->axes.at[i].number;
    return cols;
}

static uint32_t all_axes(const Body *b) {
    uint32_t axes = 0;
    for (int i = 0; i < b->axes.count; i++) axes |= 1u << b->axes.at[i].number;
    return axes;
}

static void join_axes(Body *b, int source, void *axes) {
    *(uint32_t *)axes |= b->values.at[source].axes;
}

/* Of a finished product all: it is in a tile, and loaded where an element needs it. */
static uint32_t value_axes(Body *b, int i, uint32_t cols) {
    const Value *v = &b->values.at[i];
    if (v->kind == V_ACC && v->op == OP_DOT) return all_axes(b);
    if (v->kind == V_ACC) return b->values.at[b->accs.at[v->attr].value].axes & ~cols;
    uint32_t axes = v->ix ? index_axes(b, v->ix) : 0;
    each_source(b, i, join_axes, &axes);
    return axes;
}

void body_value_axes(Body *b) {
    uint32_t cols = col_axes(b);
    for (int i = 1; i < b->values.count; i++) b->values.at[i].axes = value_axes(b, i, cols);
}

/* ---- levels and stages --------------------------------------------------------------------- */

static void join(Body *b, int source, void *context) {
    Value *v = context;
    const Value *s = &b->values.at[source];
    if (s->level > v->level) v->level = s->level;
    if (s->stage > v->stage) v->stage = s->stage;
}

static void place_value(Body *b, int i, uint32_t cols) {
    Value v = b->values.at[i];
    v.level = v.stage = 0;
    v.used = 0;
    v.keep = false;
    v.axes = value_axes(b, i, cols);
    if (v.kind == V_ACC && v.op == OP_DOT) {
        v.level = 2;
    } else if (v.kind == V_ACC) {
        v.level = 1;
        v.stage = b->accs.at[v.attr].stage + 1;
    } else {
        each_source(b, i, join, &v);
        if (v.axes && v.level == 0) v.level = 1;
        if ((v.axes & cols) || v.kind == V_SCAN) v.level = 2;
    }
    b->values.at[i] = v;
    if (v.kind == V_ACC) return;
    for (int k = 0; k < b->accs.count; k++) /* sources come before the V_ACC that reads them */
        if (b->accs.at[k].value == i && b->accs.at[k].op != OP_DOT) b->accs.at[k].stage = v.stage;
}

/* ---- online softmax ------------------------------------------------------------------------ */

/* The accumulator whose maximum v is, directly or as where(m == -inf, 0, m); else -1. */
static int guarded_max(const Body *b, int value) {
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

/* sum(exp(x - max(x))) over the same x. */
static void find_online(Body *b, Accumulator *acc) {
    acc->online_max = -1;
    const Value *e = &b->values.at[acc->value];
    if (acc->op != OP_SUM || acc->type != T_F32 || e->kind != V_OP || e->op != OP_EXP) return;
    const Value *d = &b->values.at[e->src[0]];
    if (d->kind != V_OP || d->op != OP_SUB) return;
    int max = guarded_max(b, d->src[1]);
    if (max < 0 || b->accs.at[max].value != d->src[0]) return;
    for (int i = 0; &b->accs.at[i] < acc; i++)
        if (b->accs.at[i].online_max == max) return; /* a maximum moves with one sum only */
    acc->online_max = max;
    acc->online_x = d->src[0];
}

bool body_has_online(const Body *b) {
    for (int i = 0; i < b->accs.count; i++)
        if (b->accs.at[i].online_max >= 0) return true;
    return false;
}

/* ---- what each stage needs ----------------------------------------------------------------- */

static bool is_costly_value(const Value *v) {
    return v->kind == V_SCAN || (v->kind == V_OP && is_costly_op(v->op));
}

typedef struct Mark {
    int stage;
    bool keep;
} Mark;

/* Marks a value as used by a stage. A costly value that an earlier stage has computed is kept, and
 * what it was made from is not needed again. Stages are marked in ascending order. */
static void mark(Body *b, int value, void *context) {
    const Mark *m = context;
    Value *v = &b->values.at[value];
    if (v->level < 2) { /* made before the loop: only whether it is needed at all */
        if (!v->used++) each_source(b, value, mark, context);
        return;
    }
    if (v->used >> m->stage & 1) return;
    bool earlier = v->used != 0;
    v->used |= (uint64_t)1 << m->stage;
    if (earlier && m->keep && (is_costly_value(v) || v->kind == V_LOAD)) v->keep = true;
    if (earlier && v->keep && v->kind != V_LOAD) return;
    each_source(b, value, mark, context);
}

static void mark_stage(Body *b, int stage, bool keep) {
    Mark m = {stage, keep};
    for (int i = 0; i < b->accs.count; i++) {
        const Accumulator *a = &b->accs.at[i];
        if (a->stage != stage) continue;
        mark(b,
             a->online_max >= 0 && b->accs.at[a->online_max].stage == stage ? a->online_x
                                                                            : a->value,
             &m);
        if (a->op == OP_ARGMAX) mark(b, a->index, &m);
    }
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].stage == stage) mark(b, b->stores.at[i].value, &m);
}

/* The sum joins the stage of its maximum; what comes after moves up. Sums of both kinds are placed
 * by place_value again, so only the accumulators' stages need changing, in order. */
static void place_online(Body *b, uint32_t cols) {
    for (int i = 1; i < b->values.count; i++) {
        place_value(b, i, cols);
        for (int k = 0; k < b->accs.count; k++) {
            Accumulator *a = &b->accs.at[k];
            if (a->value == i && a->online_max >= 0) a->stage = b->accs.at[a->online_max].stage;
        }
    }
}

/* A store happens in the first stage that has its value; a row's comes after the rows' values. */
static void place_stores(Body *b) {
    for (int i = 0; i < b->stores.count; i++) {
        Store *s = &b->stores.at[i];
        const Value *v = &b->values.at[s->value];
        bool element = index_axes(b, s->ix) & col_axes(b);
        s->level = element || v->level == 2 ? 2 : 1;
        s->stage = v->stage;
    }
}

static void count_stages(Body *b) {
    b->stage_count = 1;
    for (int i = 0; i < b->accs.count; i++)
        if (b->accs.at[i].stage + 1 > b->stage_count) b->stage_count = b->accs.at[i].stage + 1;
    for (int i = 0; i < b->stores.count; i++)
        if (b->stores.at[i].level == 2 && b->stores.at[i].stage + 1 > b->stage_count)
            b->stage_count = b->stores.at[i].stage + 1;
}

void body_place(Body *b, bool keep, bool online) {
    uint32_t cols = col_axes(b);
    for (int i = 1; i < b->values.count; i++) place_value(b, i, cols);
    for (int i = 0; i < b->accs.count; i++) find_online(b, &b->accs.at[i]);
    if (online) place_online(b, cols);
    place_stores(b);
    count_stages(b);
    for (int s = 0; s <= b->stage_count; s++) mark_stage(b, s, keep);
}
