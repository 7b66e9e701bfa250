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

static IntRange of_op(const Body *b, const Value *v, int steps) {
    const bool is_where = v->op == OP_WHERE, is_quotient = v->op == OP_MOD || v->op == OP_DIV;
    const bool is_sum = (v->op == OP_ADD || v->op == OP_SUB) && v->type == T_I32;
    if (!is_where && !is_quotient && !is_sum) return unknown;
    const IntRange x = range_of(b, v->src[is_where], steps);
    const IntRange y = range_of(b, v->src[is_where + 1], steps);
    if (is_quotient) return of_quotient(v->op, x, y);
    if (!is_known(x) || !is_known(y)) return unknown;
    if (is_where) return (IntRange){smaller(x.least, y.least), larger(x.most, y.most)};
    return v->op == OP_ADD ? (IntRange){x.least + y.least, x.most + y.most}
                           : (IntRange){x.least - y.most, x.most - y.least};
}

static IntRange range_of(const Body *b, int value, int steps) {
    const Value *v = &b->values.at[value];
    if (!steps || dtype_is_float(v->type) || v->type == T_I64 || v->type == T_BOOL) return unknown;
    switch (v->kind) {
    case V_CONST: return (IntRange){const_int(v), const_int(v)};
    case V_LOAD: return of_load(v);
    case V_CAST: return v->type == T_I32 ? range_of(b, v->src[0], steps - 1) : unknown;
    case V_OP: return of_op(b, v, steps - 1);
    default: return unknown;
    }
}

IntRange value_range(const Body *b, int value) { return range_of(b, value, STEPS); }
