/* simplify_map.c: rules of elementwise ops.
 * In: a draft whose sources are simplified. Out: its replacement. Each comment says what is valid
 * for floats; integers wrap, and follow algebra. */
#include "graph/pass/simplify_private.h"

#include <float.h>
#include <math.h>

static const Node *source(const Simplify *s, const Node *n, int i) {
    return &s->to->node[n->src[i]];
}
static bool is_real(const Simplify *s, const Node *n) {
    return dtype_is_float(source(s, n, 0)->type);
}

/* Is every element of source i this number? -0.0 and 0.0 differ. */
static bool is_number(const Simplify *s, const Node *n, int i, double number) {
    Scalar value;
    if (!is_splat(s->to, n->src[i], &value)) return false;
    if (!is_real(s, n)) return (double)value.i == number;
    return value.f == number && !signbit(value.f) == !signbit(number);
}

/* The source other than the first one that is this number, or 0. */
static NodeId other_than(const Simplify *s, const Node *n, double number) {
    for (int i = 0; i < 2; i++)
        if (is_number(s, n, i, number)) return n->src[1 - i];
    return 0;
}

/* x, in the type of the result. */
static NodeId as_result(Simplify *s, const Node *n, NodeId x) {
    if (s->to->node[x].type == n->type) return x;
    return simple_cast(s, x, n->type, n->span);
}

/* The y of a source that is op(y), or 0. */
static NodeId inside(const Simplify *s, NodeId x, Op op) {
    const Node *n = &s->to->node[x];
    return n->op == op ? n->src[0] : 0;
}

/* The y of a source that is -y, if that is exact: i8 and u8 wrap before the op widens them. */
static NodeId negated(const Simplify *s, NodeId x) {
    Dtype type = s->to->node[x].type;
    return dtype_is_float(type) || dtype_compute(type) == type ? inside(s, x, OP_NEG) : 0;
}

/* An integer, or a bool. */
static NodeId whole(Simplify *s, const Node *n, int64_t value) {
    return splat(s, n, (Scalar){.i = value});
}

/* ---- arithmetic --------------------------------------------------------------------------- */

/* x + -0.0 is x, for -0.0 as well; x + 0.0 is not: -0.0 + 0.0 is 0.0. */
NodeId add_zero(Simplify *s, const Node *n) {
    NodeId x = other_than(s, n, is_real(s, n) ? -0.0 : 0.0);
    return x ? as_result(s, n, x) : 0;
}

/* x + -y is x - y. */
NodeId add_negative(Simplify *s, const Node *n) {
    for (int i = 0; i < 2; i++) {
        NodeId y = negated(s, n->src[i]);
        if (y) return simple_map(s, OP_SUB, n->src[1 - i], y, n->span);
    }
    return 0;
}

/* x - 0.0 is x; x - -0.0 is not: -0.0 - -0.0 is 0.0. */
NodeId sub_zero(Simplify *s, const Node *n) {
    return is_number(s, n, 1, 0.0) ? as_result(s, n, n->src[0]) : 0;
}

/* Integers only: Inf - Inf and NaN - NaN are NaN. */
NodeId sub_self(Simplify *s, const Node *n) {
    return n->src[0] == n->src[1] && !is_real(s, n) ? whole(s, n, 0) : 0;
}

/* x - -y is x + y. */
NodeId sub_negative(Simplify *s, const Node *n) {
    NodeId y = negated(s, n->src[1]);
    return y ? simple_map(s, OP_ADD, n->src[0], y, n->span) : 0;
}

/* x * 1 is x, and x * -1 is -x. */
NodeId mul_one(Simplify *s, const Node *n) {
    NodeId x = other_than(s, n, 1.0);
    if (x) return as_result(s, n, x);
    x = other_than(s, n, -1.0);
    return x ? simple_map(s, OP_NEG, as_result(s, n, x), 0, n->span) : 0;
}

/* Integers only: 0 * Inf and 0 * NaN are NaN, and 0 * -1.0 is -0.0. */
NodeId mul_zero(Simplify *s, const Node *n) {
    return !is_real(s, n) && other_than(s, n, 0.0) ? whole(s, n, 0) : 0;
}

/* -x * -y is x * y. */
NodeId mul_negatives(Simplify *s, const Node *n) {
    NodeId x = negated(s, n->src[0]), y = negated(s, n->src[1]);
    return x && y ? simple_map(s, OP_MUL, x, y, n->span) : 0;
}

NodeId div_one(Simplify *s, const Node *n) {
    return is_number(s, n, 1, 1.0) ? as_result(s, n, n->src[0]) : 0;
}

/* x / 8 is x * 0.125: the same real number, rounded once. The inverse must be a normal number, so
 * that flushing denormals makes no difference. */
NodeId div_power_of_two(Simplify *s, const Node *n) {
    Scalar value;
    int exponent;
    Dtype type = source(s, n, 1)->type;
    if (!is_real(s, n) || !is_splat(s->to, n->src[1], &value)) return 0;
    if (!isfinite(value.f) || fabs(frexp(value.f, &exponent)) != 0.5) return 0;
    double inverse = 1 / value.f, least = type == T_F64 ? DBL_MIN : FLT_MIN;
    bool fits =
        isfinite(inverse) && fabs(inverse) >= least && dtype_round(type, inverse) == inverse;
    if (!fits) return 0;
    Node by = *source(s, n, 1);
    return simple_map(s, OP_MUL, n->src[0], splat(s, &by, (Scalar){.f = inverse}), n->span);
}

/* Integers only: fmod(Inf, 1) is NaN, and fmod(-1, 1) is -0.0. */
NodeId mod_one(Simplify *s, const Node *n) {
    bool is_unit = is_number(s, n, 1, 1.0) || is_number(s, n, 1, -1.0);
    return is_unit && !is_real(s, n) ? whole(s, n, 0) : 0;
}

/* x ** n for a whole n from 0 to 64: multiplications, as ops.def says. x ** 0 is 1, NaN
 * included. */
NodeId pow_literal(Simplify *s, const Node *n) {
    Scalar value;
    if (!is_splat(s->to, n->src[1], &value)) return 0;
    double power = is_real(s, n) ? value.f : (double)value.i;
    if (!(power >= 0 && power <= 64) || power != floor(power)) return 0;
    Scalar one = is_real(s, n) ? (Scalar){.f = 1} : (Scalar){.i = 1};
    NodeId result = 0, factor = as_result(s, n, n->src[0]);
    if (power == 0) return splat(s, n, one);
    for (int left = (int)power; left; left /= 2) {
        if (left % 2) result = result ? simple_map(s, OP_MUL, result, factor, n->span) : factor;
        if (left > 1) factor = simple_map(s, OP_MUL, factor, factor, n->span);
    }
    return result;
}

/* ---- order, logic ------------------------------------------------------------------------- */

/* max(x, x), x && x: of one type, which is the result's. */
NodeId both_same(Simplify *s, const Node *n) {
    (void)s;
    return n->src[0] == n->src[1] ? n->src[0] : 0;
}

/* x < x is false for NaN too; the others are known only for types without NaN. */
NodeId compare_self(Simplify *s, const Node *n) {
    if (n->src[0] != n->src[1]) return 0;
    if (n->op != OP_LT && is_real(s, n)) return 0;
    return whole(s, n, n->op == OP_LE || n->op == OP_EQ);
}

NodeId logic_const(Simplify *s, const Node *n) {
    bool deciding = n->op == OP_OR; /* true decides an or, false an and */
    if (other_than(s, n, deciding)) return whole(s, n, deciding);
    return other_than(s, n, !deciding);
}

/* ---- one operand -------------------------------------------------------------------------- */

/* - -x, !!x */
NodeId undo_itself(Simplify *s, const Node *n) { return inside(s, n->src[0], n->op); }

static bool gives_whole(Op op) { return op == OP_FLOOR || op == OP_CEIL || op == OP_ROUND; }

/* ||x||, sign(sign(x)), floor(ceil(x)) */
NodeId idempotent(Simplify *s, const Node *n) {
    Op inner = source(s, n, 0)->op;
    return inner == n->op || (gives_whole(inner) && gives_whole(n->op)) ? n->src[0] : 0;
}

NodeId abs_negative(Simplify *s, const Node *n) {
    NodeId x = negated(s, n->src[0]);
    return x ? simple_map(s, OP_ABS, x, 0, n->span) : 0;
}

/* ---- where -------------------------------------------------------------------------------- */

NodeId where_const(Simplify *s, const Node *n) {
    Scalar condition;
    if (!is_splat(s->to, n->src[0], &condition)) return 0;
    return condition.i ? n->src[1] : n->src[2];
}

NodeId where_same(Simplify *s, const Node *n) {
    (void)s;
    return n->src[1] == n->src[2] ? n->src[1] : 0;
}

NodeId where_not(Simplify *s, const Node *n) {
    NodeId condition = inside(s, n->src[0], OP_NOT);
    if (!condition) return 0;
    Node swapped = *n;
    swapped.src[0] = condition;
    swapped.src[1] = n->src[2];
    swapped.src[2] = n->src[1];
    return simple_add(s, &swapped);
}

/* ---- casts -------------------------------------------------------------------------------- */

NodeId cast_same(Simplify *s, const Node *n) {
    const Node *x = source(s, n, 0);
    return x->type == n->type && x->weak == n->weak ? n->src[0] : 0;
}

/* Bits of the largest integer without its sign; of a float's mantissa with the hidden one. */
static int digits_of(Dtype type) {
    switch (type) {
    case T_BOOL: return 1;
    case T_I8: return 7;
    case T_U8: return 8;
    case T_I32: return 31;
    case T_I64: return 63;
    default: return 1 - ilogb(dtype_epsilon(type));
    }
}

/* Is every value of `from` one of `to`? Floats with a wider mantissa also have a wider range,
 * except f8e5m2 to f8e4m3 and bf16 to f16. */
static bool is_exact(Dtype from, Dtype to) {
    if (to == T_BOOL || from == to) return from == to;
    if (from == T_I8 && to == T_U8) return false;
    if (dtype_is_float(from) && !dtype_is_float(to)) return false;
    if ((from == T_BF16 && to == T_F16) || (from == T_F8E5M2 && to == T_F8E4M3)) return false;
    if (!dtype_is_float(from) && dtype_is_narrow(to) && to < T_BF16) return digits_of(from) <= 1;
    return digits_of(from) <= digits_of(to);
}

/* (x as A) as B is x as B if A holds all values of x. A float to integer cast saturates where an
 * integer cast wraps: from integers through a float to an integer, only back to the first type. */
NodeId cast_cast(Simplify *s, const Node *n) {
    NodeId x = inside(s, n->src[0], OP_CAST);
    if (!x || s->to->node[x].weak || n->weak) return 0;
    Dtype from = s->to->node[x].type, by = source(s, n, 0)->type, to = n->type;
    if (!is_exact(from, by)) return 0;
    bool wraps = dtype_is_float(by) && !dtype_is_float(from) && dtype_is_int(to);
    return from == to || !wraps ? simple_cast(s, x, to, n->span) : 0;
}
