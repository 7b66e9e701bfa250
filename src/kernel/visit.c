/* visit.c: the sources of a value, and the axes that values and indices run along. */
#include "kernel/kernel.h"

static uint32_t atom_axes(const Body *b, int atom) {
    const IxAtom *t = &b->indices->atom.at[atom];
    if (t->kind == ATOM_VALUE) return b->values.at[t->a].axes;
    return t->kind == ATOM_AXIS ? 1u << t->a : index_axes(b, t->a);
}

/* Axes of an index; a gathered position adds those of its value. */
uint32_t index_axes(const Body *b, Ix ix) {
    const IxNode *n = &b->indices->node.at[ix];
    uint32_t axes = 0;
    for (int i = 0; i < n->count; i++) axes |= atom_axes(b, n->term[i].atom);
    return axes;
}

int index_along(const Body *b, Ix ix, int axis, Dim *scale) {
    const IxNode *n = &b->indices->node.at[ix];
    int how = 0;
    for (int i = 0; i < n->count; i++) {
        if (!(atom_axes(b, n->term[i].atom) >> axis & 1)) continue;
        if (b->indices->atom.at[n->term[i].atom].kind != ATOM_AXIS || how) return 2;
        *scale = n->term[i].scale;
        how = 1;
    }
    return how;
}

int value_sources(const Value *v) {
    switch (v->kind) {
    case V_OP: return op_is_call(v->op) ? v->attr2 : v->op == OP_WHERE ? 3 : v->src[1] ? 2 : 1;
    case V_COMBINE: return 4;
    case V_CAST:
    case V_SCAN:
    case V_CURSOR:
    case V_CLAMP: return 1;
    default: return 0;
    }
}

/* The values that v reads: sources, guard, gathered positions. */
static void index_values(const Body *b, Ix ix, VisitValue *visit, void *context) {
    const IxNode n = b->indices->node.at[ix];
    for (int i = 0; i < n.count; i++) {
        const IxAtom t = b->indices->atom.at[n.term[i].atom];
        if (t.kind == ATOM_VALUE)
            visit(b, t.a, context);
        else if (t.kind != ATOM_AXIS)
            index_values(b, t.a, visit, context);
    }
}

void each_source(const Body *b, int value, VisitValue *visit, void *context) {
    const Value v = b->values.at[value];
    for (int i = 0; i < value_sources(&v); i++) visit(b, v.src[i], context);
    if (v.guard) visit(b, v.guard, context);
    if (v.ix) index_values(b, v.ix, visit, context);
}

/* ---- axes a value depends on --------------------------------------------------------------- */

uint32_t body_col_axes(const Body *b) {
    uint32_t cols = 0;
    for (int i = b->row_count; i < b->axes.count; i++) cols |= 1u << b->axes.at[i].number;
    return cols;
}

int body_group_count(const Body *b) {
    int count = 0;
    for (int i = 0; i < b->axes.count; i++) count += b->group_axes >> b->axes.at[i].number & 1;
    return count;
}

int64_t body_group(const Body *b) {
    int64_t columns = 1, extent;
    if (!b->group_axes) return 0;
    for (int i = b->axes.count - body_group_count(b); i < b->axes.count; i++) {
        if (!dim_is_const(b->indices->dims, b->axes.at[i].extent, &extent)) return 0;
        columns *= extent;
    }
    return columns;
}

static uint32_t all_axes(const Body *b) {
    uint32_t axes = 0;
    for (int i = 0; i < b->axes.count; i++) axes |= 1u << b->axes.at[i].number;
    return axes;
}

static void join_axes(const Body *b, int source, void *axes) {
    *(uint32_t *)axes |= b->values.at[source].axes;
}

/* A finished product runs along all: it is in a tile, and loaded for each element. */
static uint32_t value_axes(const Body *b, int i, uint32_t cols) {
    const Value *v = &b->values.at[i];
    if ((v->kind == V_ACC && v->op == OP_DOT) || v->kind == V_PART) return all_axes(b);
    if (v->kind == V_ACC && b->accs.at[v->attr].of_group)
        return (b->values.at[b->accs.at[v->attr].value].axes | cols) & ~b->group_axes;
    if (v->kind == V_ACC) return b->values.at[b->accs.at[v->attr].value].axes & ~cols;
    uint32_t axes = v->ix ? index_axes(b, v->ix) : 0;
    each_source(b, i, join_axes, &axes);
    return axes;
}

bool body_is_of_group(const Body *b, uint32_t axes) {
    return b->group_axes && axes & body_col_axes(b) && !(axes & b->group_axes);
}

void body_find_axes(const Body *b, Value *values) {
    const uint32_t cols = body_col_axes(b);
    for (int i = 1; i < b->values.count; i++) {
        values[i].axes = value_axes(b, i, cols);
        values[i].of_group = body_is_of_group(b, values[i].axes);
    }
}

/* ---- questions ----------------------------------------------------------------------------- */

int value_contiguous(const Body *b, int value, int axis) {
    const Value *v = &b->values.at[value];
    Dim scale = 0;
    int score = v->kind == V_LOAD && index_along(b, v->ix, axis, &scale) == 1 &&
                dim_is(b->indices->dims, scale, 1);
    for (int i = 0; i < value_sources(v); i++) score += value_contiguous(b, v->src[i], axis);
    return score;
}

const Value *body_moved(const Kernel *k, const Body *b) {
    if (b->stores.count != 1 || b->accs.count || b->stores.at[0].adds) return NULL;
    const Value *v = &b->values.at[b->stores.at[0].value];
    if (v->kind != V_LOAD || v->guard) return NULL;
    return k->buffers.at[v->attr].type == k->buffers.at[b->stores.at[0].buffer].type ? v : NULL;
}

bool load_is_within(const Kernel *k, const Body *b, const Value *v) {
    Dims *d = b->indices->dims;
    const IxNode *n = &b->indices->node.at[v->ix];
    const Dim elements = k->buffers.at[v->attr].elements;
    return n->lo && n->hi && elements && dim_le(d, dim_const(d, 0), n->lo) &&
           dim_le(d, dim_add(d, n->hi, dim_const(d, 1)), elements);
}

int value_unrounded(const Body *b, int value, Dtype stored) {
    const Value *v = &b->values.at[value];
    bool same = v->kind == V_CAST && v->type == stored &&
                dtype_compute(v->operand) == dtype_compute(stored) && v->operand != T_BOOL &&
                stored != T_BOOL;
    return same ? v->src[0] : value;
}

/* i < n and i >= n. */
static bool are_opposite(const Body *b, int one, int other) {
    const Value *x = &b->values.at[one], *y = &b->values.at[other];
    if (x->kind != V_INSIDE || y->kind != V_INSIDE || x->ix != y->ix) return false;
    return (!x->attr && !y->attr2 && x->attr2 == y->attr) ||
           (!x->attr2 && !y->attr && x->attr == y->attr2);
}

bool value_is_chosen_by(const Body *b, const Value *v, int source, int condition) {
    if (v->kind != V_OP || v->op != OP_WHERE || !source) return false;
    return source == 1 ? v->src[0] == condition : are_opposite(b, v->src[0], condition);
}

bool value_is_minus_inf(const Value *v) {
    union {
        double f;
        uint64_t u;
    } inf = {.f = -1.0 / 0.0};
    return v->kind == V_CONST && dtype_is_float(v->type) && v->bits == inf.u;
}

int value_mask_side(const Body *b, int value) {
    const Value *v = &b->values.at[value];
    if (v->kind != V_OP || v->op != OP_WHERE) return 0;
    if (value_is_minus_inf(&b->values.at[v->src[2]])) return 1;
    return value_is_minus_inf(&b->values.at[v->src[1]]) ? 2 : 0;
}

static bool is_small(const Body *b, Dim extent) {
    enum { SMALL = 1 << 24 }; /* tiles may reach beyond the end */
    int64_t n;
    return !extent || (dim_is_const(b->indices->dims, extent, &n) && n <= SMALL);
}

bool body_is_32bit(const Body *b) {
    for (int i = 0; i < 2 * RANK_MAX; i++)
        if (!is_small(b, b->indices->extent[i])) return false;
    for (int i = 1; i < b->values.count; i++)
        if (b->values.at[i].ix && !ix_is_32bit(b->indices, b->values.at[i].ix)) return false;
    for (int i = 0; i < b->stores.count; i++)
        if (!ix_is_32bit(b->indices, b->stores.at[i].ix)) return false;
    return true;
}

double const_float(const Value *v) {
    union {
        uint64_t u;
        double f;
    } bits = {.u = v->bits};
    return dtype_is_float(v->type) ? bits.f : (double)(int64_t)v->bits;
}

int64_t const_int(const Value *v) {
    return dtype_is_float(v->type) ? (int64_t)const_float(v) : (int64_t)v->bits;
}
