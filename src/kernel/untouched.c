/* untouched.c: which elements a pointwise body leaves as they are, if a call has it write its
 * results over the inputs that they may be: rows of a scatter that no index names, what a `where`
 * takes of the old. In: a Body. Out: conditions of which one holds where an element changes. */
#include "kernel/kernel.h"

int kernel_may_be(const Kernel *k, int buffer) {
    const int may_be = k->buffers.at[buffer].may_be;
    for (int i = 0; may_be >= 0 && i < k->buffers.count; i++)
        if (k->buffers.at[i].plan_buffer == may_be) return i;
    return -1;
}

bool kernel_may_cross(const Kernel *k) {
    for (int i = 0; i < k->buffers.count; i++)
        if (k->buffers.at[i].is_shared) return false;
    return true;
}

typedef struct Finder {
    const Kernel *k;
    const Body *b;
    const Store *store;
    int old; /* buffer */
    Untouched *found;
} Finder;

/* Do all numbers of a type survive a conversion? */
static bool is_exact(Dtype from, Dtype to) {
    const bool is_widened = dtype_is_narrow(from) && to == T_F32;
    return from == to || is_widened || (to == T_F64 && (dtype_is_narrow(from) || from == T_F32));
}

static bool is_same(const Finder *f, const Touch *a, const Touch *b) {
    const Value *v = &f->b->values.at[a->value], *w = &f->b->values.at[b->value];
    if (a->value == b->value) return a->negated == b->negated;
    return v->kind == V_COMBINE && w->kind == V_COMBINE && v->src[1] == w->src[1] &&
           v->src[2] == w->src[2];
}

static bool add_touch(const Finder *f, Touch touch) {
    Untouched *u = f->found;
    for (int i = 0; i < u->count; i++)
        if (is_same(f, &u->touch[i], &touch)) return true;
    if (u->count == TOUCHES_MOST) return false;
    u->touch[u->count++] = touch;
    return true;
}

/* Has the value the old element, as it is, wherever no condition holds? */
static bool has_old(const Finder *f, int value) {
    const Value *v = &f->b->values.at[value];
    const Dtype type = f->k->buffers.at[f->old].type;
    const int count = f->found->count;
    if (v->kind == V_LOAD) return v->attr == f->old && v->ix == f->store->ix && !v->guard;
    if (v->kind == V_CAST) return is_exact(type, v->type) && has_old(f, v->src[0]);
    if (v->kind == V_COMBINE) return has_old(f, v->src[0]) && add_touch(f, (Touch){value, false});
    if (v->kind != V_OP || v->op != OP_WHERE || !is_exact(type, v->type)) return false;
    for (int side = 2; side > 0; side--) {
        if (has_old(f, v->src[side])) return add_touch(f, (Touch){v->src[0], side == 1});
        f->found->count = count;
    }
    return false;
}

Untouched body_untouched(const Kernel *k, const Body *b) {
    Untouched found = {.are_there = k->family == F_POINTWISE && b->stores.count};
    for (int i = 0; i < b->stores.count && found.are_there; i++) {
        const Store *s = &b->stores.at[i];
        const Finder f = {k, b, s, kernel_may_be(k, s->buffer), &found};
        found.are_there = f.old >= 0 && !s->limit && has_old(&f, s->value);
    }
    return found;
}
