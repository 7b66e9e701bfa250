/* range.c: the least and the largest value of integers: of bytes, literals, and what is computed of
 * them in a few steps.
 * In: a Body. Out: bounds. */
#include "kernel/kernel.h"

enum { STEPS = 8 }; /* of which a range is made, at most */

static const IntRange unknown = {INT64_MIN, INT64_MAX};

static IntRange range_of(const Body *b, int value, int steps);

static bool is_known(IntRange r) { return r.least != INT64_MIN && r.most != INT64_MAX; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static IntRange of_load(const Value *v) {
    if (v->type == T_U8) return (IntRange){0, 255};
    return v->type == T_I8 ? (IntRange){-128, 127} : unknown;
}

/* By one number, from 1 on. */
static IntRange of_quotient(Op op, IntRange a, IntRange by) {
    if (!is_known(a) || by.least < 1 || by.least != by.most) return unknown;
    if (op == OP_DIV) return (IntRange){a.least / by.least, a.most / by.least};
    const int64_t rest = by.least - 1; /* with the sign of a */
    return (IntRange){larger(smaller(a.least, 0), -rest), smaller(larger(a.most, 0), rest)};
}

/* Integers of 32 bits wrap: beyond that any number may come out. */
static IntRange wrapped(IntRange r) {
    const bool fits = r.least >= INT32_MIN && r.most <= INT32_MAX;
    return fits ? r : (IntRange){INT32_MIN, INT32_MAX};
}

static IntRange of_product(IntRange x, IntRange y) {
    const int64_t all[] = {x.least * y.least, x.least * y.most, x.most * y.least, x.most * y.most};
    IntRange r = {all[0], all[0]};
    for (int i = 1; i < 4; i++) r.least = smaller(r.least, all[i]), r.most = larger(r.most, all[i]);
    return r;
}

static IntRange of_i32(Op op, IntRange x, IntRange y) {
    switch (op) {
    case OP_ADD: return wrapped((IntRange){x.least + y.least, x.most + y.most});
    case OP_SUB: return wrapped((IntRange){x.least - y.most, x.most - y.least});
    case OP_MUL: return wrapped(of_product(x, y));
    default: return unknown;
    }
}

static IntRange of_op(const Body *b, const Value *v, int steps) {
    const bool is_where = v->op == OP_WHERE;
    if (op_is_call(v->op) || !v->src[1]) return unknown;
    const IntRange x = range_of(b, v->src[is_where], steps);
    const IntRange y = range_of(b, v->src[is_where + 1], steps);
    if (v->op == OP_MOD || v->op == OP_DIV) return of_quotient(v->op, x, y);
    if (!is_known(x) || !is_known(y)) return unknown;
    switch (v->op) {
    case OP_WHERE: return (IntRange){smaller(x.least, y.least), larger(x.most, y.most)};
    case OP_MIN: return (IntRange){smaller(x.least, y.least), smaller(x.most, y.most)};
    case OP_MAX: return (IntRange){larger(x.least, y.least), larger(x.most, y.most)};
    default: return v->type == T_I32 ? of_i32(v->op, x, y) : unknown;
    }
}

static IntRange of_index(const Body *b, const Value *v) {
    const IxNode *n = &b->indices->node.at[v->ix];
    IntRange lo, hi;
    if (!n->lo || !n->hi) return unknown;
    dim_range(b->indices->dims, n->lo, &lo.least, &lo.most);
    dim_range(b->indices->dims, n->hi, &hi.least, &hi.most);
    return wrapped((IntRange){lo.least, hi.most});
}

static IntRange of_value(const Body *b, const Value *v, int steps) {
    switch (v->kind) {
    case V_CONST: return (IntRange){const_int(v), const_int(v)};
    case V_LOAD: return of_load(v);
    case V_INDEX: return of_index(b, v);
    case V_CAST: return v->type == T_I32 ? range_of(b, v->src[0], steps - 1) : unknown;
    case V_OP: return of_op(b, v, steps - 1);
    default: return unknown;
    }
}

/* Of 32 bits it is never quite unknown. */
static IntRange range_of(const Body *b, int value, int steps) {
    const Value *v = &b->values.at[value];
    if (dtype_is_float(v->type) || v->type == T_I64 || v->type == T_BOOL) return unknown;
    const IntRange r = steps ? of_value(b, v, steps) : unknown;
    return v->type == T_I32 && !is_known(r) ? (IntRange){INT32_MIN, INT32_MAX} : r;
}

IntRange value_range(const Body *b, int value) { return range_of(b, value, STEPS); }
