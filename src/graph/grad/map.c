/* map.c: derivatives of elementwise ops.
 * x, a, b: sources; y: the value; dy: its cotangent, all in the compute type. docs/gradients.md
 * states what holds where an op has no derivative. */
#include "graph/grad/grad_private.h"

#include <math.h>

static NodeId num(const Rule *r, double value) { return step_number(&r->s, value); }
static NodeId mul(const Rule *r, NodeId x, NodeId y) { return step_mul(&r->s, x, y); }
static NodeId scaled(const Rule *r, NodeId x, double by) { return mul(r, x, num(r, by)); }
static NodeId square(const Rule *r, NodeId x) { return mul(r, x, x); }
static NodeId of1(const Rule *r, Op op, NodeId x) { return step1(&r->s, op, x); }
static NodeId plus(const Rule *r, NodeId x, NodeId y) { return step_add(&r->s, x, y); }
static NodeId minus(const Rule *r, NodeId x, NodeId y) { return step_sub(&r->s, x, y); }
static NodeId over(const Rule *r, NodeId x, NodeId y) { return step_div(&r->s, x, y); }
static NodeId negative(const Rule *r, NodeId x) { return of1(r, OP_NEG, x); }

static NodeId pick(const Rule *r, NodeId condition, NodeId yes, NodeId no) {
    return step(&r->s, OP_WHERE, condition, yes, no);
}

/* ---- one operand --------------------------------------------------------------------------- */

/* (1 - x) (1 + x), without cancellation at 1 and -1. */
static NodeId one_minus_square(const Rule *r, NodeId x) {
    return mul(r, minus(r, num(r, 1), x), plus(r, num(r, 1), x));
}

/* dy times the slope, of functions whose slope is best told by their value. */
static NodeId by_value(const Rule *r, NodeId y) {
    const double ln2 = 0.69314718055994530942;
    const NodeId dy = r->dy;
    switch (r->n->op) {
    case OP_SQRT: return over(r, scaled(r, dy, 0.5), y);
    case OP_RSQRT: return mul(r, scaled(r, dy, -0.5), mul(r, square(r, y), y));
    case OP_CBRT: return over(r, dy, scaled(r, square(r, y), 3));
    case OP_EXP: return mul(r, dy, y);
    case OP_EXP2: return mul(r, scaled(r, dy, ln2), y);
    case OP_EXPM1: return mul(r, dy, plus(r, y, num(r, 1)));
    case OP_TAN: return mul(r, dy, plus(r, num(r, 1), square(r, y)));
    case OP_TANH: return mul(r, dy, one_minus_square(r, y));
    default: return 0;
    }
}

static NodeId by_logarithm(const Rule *r, NodeId x) {
    const double log2_e = 1.44269504088896340736, log10_e = 0.43429448190325182765;
    switch (r->n->op) {
    case OP_LOG: return over(r, r->dy, x);
    case OP_LOG2: return over(r, scaled(r, r->dy, log2_e), x);
    case OP_LOG10: return over(r, scaled(r, r->dy, log10_e), x);
    case OP_LOG1P: return over(r, r->dy, plus(r, num(r, 1), x));
    default: return 0;
    }
}

static NodeId by_operand(const Rule *r, NodeId x) {
    const double two_over_root_pi = 1.12837916709551257390;
    const NodeId dy = r->dy;
    switch (r->n->op) {
    case OP_NEG: return negative(r, dy);
    case OP_ABS: return mul(r, dy, of1(r, OP_SIGN, x));
    case OP_SIN: return mul(r, dy, of1(r, OP_COS, x));
    case OP_COS: return negative(r, mul(r, dy, of1(r, OP_SIN, x)));
    case OP_ASIN: return over(r, dy, of1(r, OP_SQRT, one_minus_square(r, x)));
    case OP_ACOS: return negative(r, over(r, dy, of1(r, OP_SQRT, one_minus_square(r, x))));
    case OP_ATAN: return over(r, dy, plus(r, num(r, 1), square(r, x)));
    case OP_SINH: return mul(r, dy, of1(r, OP_COSH, x));
    case OP_COSH: return mul(r, dy, of1(r, OP_SINH, x));
    case OP_ERF:
        return mul(r, scaled(r, dy, two_over_root_pi), of1(r, OP_EXP, negative(r, square(r, x))));
    default: return by_logarithm(r, x);
    }
}

static bool one_operand(const Rule *r) {
    NodeId dx = by_value(r, rule_value(r));
    if (!dx) dx = by_operand(r, rule_source(r, 0));
    if (!dx && !r->s.g->diag->errors) BUG("no derivative of %s", op_info[r->n->op].name);
    return rule_give(r, 0, dx);
}

/* ---- two operands -------------------------------------------------------------------------- */

static bool two(const Rule *r, NodeId da, NodeId db) {
    return rule_give(r, 0, da) && rule_give(r, 1, db);
}

static bool quotient_rule(const Rule *r, NodeId b) {
    const NodeId da = over(r, r->dy, b);
    return two(r, da, negative(r, mul(r, da, rule_value(r))));
}

/* fmod(a, b) is a - n b, with a whole number n that is constant between its jumps. */
static bool mod_rule(const Rule *r, NodeId a, NodeId b) {
    const NodeId whole = of1(r, OP_ROUND, over(r, minus(r, a, rule_value(r)), b));
    return two(r, r->dy, negative(r, mul(r, r->dy, whole)));
}

/* x ** n by multiplication; x ** 0 is 1. */
static bool literal_power_rule(const Rule *r, NodeId a, int n) {
    if (n == 0) return rule_give(r, 0, mul(r, r->dy, num(r, 0)));
    const NodeId less = n == 1 ? num(r, 1) : n == 2 ? a : step2(&r->s, OP_POW, a, num(r, n - 1));
    return rule_give(r, 0, mul(r, scaled(r, r->dy, n), less));
}

/* b a ** (b - 1), and 0 for a b of 0; y log(a), and 0 for 0 ** b with a b of at least 0. */
static bool power_rule(const Rule *r, NodeId a, NodeId b) {
    const int literal = node_literal_power(r->sweep->f, r->n);
    if (literal >= 0) return literal_power_rule(r, a, literal);
    const NodeId zero = num(r, 0), y = rule_value(r);
    const NodeId less = step2(&r->s, OP_POW, a, minus(r, b, num(r, 1)));
    const NodeId da = mul(r, r->dy, mul(r, b, less));
    const NodeId db = mul(r, r->dy, mul(r, y, of1(r, OP_LOG, a)));
    const NodeId at_zero =
        step2(&r->s, OP_AND, step2(&r->s, OP_EQ, a, zero), step2(&r->s, OP_LE, zero, b));
    return two(r, pick(r, step2(&r->s, OP_EQ, b, zero), zero, da), pick(r, at_zero, zero, db));
}

static bool atan2_rule(const Rule *r, NodeId a, NodeId b) {
    const NodeId slope = over(r, r->dy, plus(r, square(r, a), square(r, b)));
    return two(r, mul(r, slope, b), negative(r, mul(r, slope, a)));
}

/* The operand that is chosen gets all, each of two equal ones half, both all if one is NaN. */
static bool extreme_rule(const Rule *r, NodeId a, NodeId b) {
    const Op loses = OP_LT;
    const NodeId low = r->n->op == OP_MAX ? a : b, high = r->n->op == OP_MAX ? b : a;
    const NodeId zero = num(r, 0), half = scaled(r, r->dy, 0.5);
    const NodeId even = pick(r, step2(&r->s, OP_EQ, a, b), half, r->dy);
    return two(r, pick(r, step2(&r->s, loses, low, high), zero, even),
               pick(r, step2(&r->s, loses, high, low), zero, even));
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool where_rule(const Rule *r) {
    const NodeId condition = backward_value(r->sweep, r->n->src[0]), zero = num(r, 0);
    return rule_give(r, 1, pick(r, condition, r->dy, zero)) &&
           rule_give(r, 2, pick(r, condition, zero, r->dy));
}

static bool call_rule(const Rule *r) {
    const ImportFunction *f = node_function(r->sweep->f, r->n);
    diag_error(r->s.g->diag, r->n->span,
               "'%s' is imported, and its derivative is not known: call it in a function with "
               "'@vjp(..)', which says the derivative",
               f->name);
    diag_note(r->s.g->diag, f->span, "it is defined here");
    return false;
}

static bool two_operands(const Rule *r) {
    const NodeId a = rule_source(r, 0), b = rule_source(r, 1), dy = r->dy;
    switch (r->n->op) {
    case OP_ADD: return two(r, dy, dy);
    case OP_SUB: return two(r, dy, negative(r, dy));
    case OP_MUL: return two(r, mul(r, dy, b), mul(r, dy, a));
    case OP_DIV: return quotient_rule(r, b);
    case OP_MOD: return mod_rule(r, a, b);
    case OP_POW: return power_rule(r, a, b);
    case OP_ATAN2: return atan2_rule(r, a, b);
    case OP_MIN:
    case OP_MAX: return extreme_rule(r, a, b);
    default: BUG("no derivative of %s", op_info[r->n->op].name);
    }
}

bool map_rule(const Rule *r) {
    switch (r->n->op) {
    case OP_SIGN:
    case OP_FLOOR:
    case OP_CEIL:
    case OP_ROUND: return rule_zero(r);
    case OP_CAST: return rule_give(r, 0, r->dy);
    case OP_WHERE: return where_rule(r);
    case OP_CALL:
    case OP_CALL_COSTLY: return call_rule(r);
    default: return r->n->src_count == 1 ? one_operand(r) : two_operands(r);
    }
}
