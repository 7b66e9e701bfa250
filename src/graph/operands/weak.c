/* weak.c: numbers without a type: literals, dims, and values computed from them. Integers are exact
 * and stay sizes (a CONST or a DIM of i64), so that `x[:, :D/2]` works through any name; floats are
 * f64. Both get a type when they meet a typed operand: promote.c. */
#include "graph/operands/operands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool is_weak(const Graph *g, NodeId id) { return g->node[id].weak && g->node[id].type != T_BOOL; }

Dim dim_of_node(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    if (!id || !is_weak(g, id) || n->type != T_I64) return 0;
    if (n->op == OP_CONST) return dim_const(g->dims, (int64_t)n->bits);
    return n->op == OP_DIM ? n->attr[0] : 0;
}

NodeId node_of_dim(Graph *g, Dim dim, Span span) {
    int64_t value;
    if (!dim) return 0;
    if (dim_is_const(g->dims, dim, &value))
        return graph_literal(g, true, (double)value, value, span);
    return graph_dim(g, dim, span);
}

NodeId weak_float(Graph *g, NodeId weak, Span span) {
    Node n = g->node[weak];
    if (n.type == T_F64) return weak;
    if (n.op == OP_CONST) return graph_literal(g, false, (double)(int64_t)n.bits, 0, span);
    return graph_add(g, &(Node){.op = OP_CAST,
                                .type = T_F64,
                                .weak = true,
                                .src_count = 1,
                                .src = {weak},
                                .span = span});
}

bool literal_fits(const Node *n, Dtype type) {
    double value;
    if (!node_is_const(n, &value)) return false;
    if (dtype_is_float(type)) return isnan(value) || dtype_round(type, value) == value;
    int64_t integer = (int64_t)n->bits;
    return n->type == T_I64 && dtype_convert(T_I64, type, (Scalar){.i = integer}).i == integer;
}

/* ---- integers ----------------------------------------------------------------------------- */

/* A size as an operand of * and /. */
static const char *factor_text(Graph *g, Dim dim) {
    const char *text = dim_text(g->dims, dim, g->arena);
    return strchr(text, ' ') ? arena_printf(g->arena, "(%s)", text) : text;
}

static Dim report_division(Graph *g, Dim a, Dim b, Span span) {
    const char *over = factor_text(g, a), *under = factor_text(g, b);
    int64_t value;
    if (dim_is(g->dims, b, 0)) {
        diag_error(g->diag, span, "division of %s by zero", over);
        return 0;
    }
    const char *real =
        arena_printf(g->arena, dim_is_const(g->dims, a, &value) ? "%s.0" : "1.0 * %s", over);
    diag_error(g->diag, span,
               "%s / %s is not a whole number: integers and dims divide exactly, '%s / %s' is a "
               "fraction",
               over, under, real, under);
    return 0;
}

/* 1 / D would be whole for a D of 1 only, and B / (B - 1) for a B of 2: they are taken for the
 * mistakes that they are. */
static bool never_whole(Graph *g, Dim a, Dim b) {
    int64_t over, under, rest;
    bool over_const = dim_is_const(g->dims, a, &over),
         under_const = dim_is_const(g->dims, b, &under);
    if (under_const && under == 0) return true;
    if (over_const && under_const) return under != -1 && over % under;
    if (over_const) return over == 1;
    return dim_leaves(g->dims, a, b, &rest) && (rest == 1 || rest == -1);
}

/* B / (B - 2), which is whole for a B of 3 or 4. 64 / D is meant. */
static void warn_rarely_whole(Graph *g, Dim a, Dim b, Span span) {
    int64_t value, rest;
    if (dim_is_const(g->dims, a, &value) || !dim_leaves(g->dims, a, b, &rest)) return;
    const char *over = factor_text(g, a), *under = factor_text(g, b);
    diag_warning(g->diag, span,
                 "%s / %s is a whole number only where %s divides %lld: integers and dims divide "
                 "exactly, '1.0 * %s / %s' is a fraction",
                 over, under, dim_text(g->dims, b, g->arena), (long long)llabs(rest), over, under);
}

static Dim weak_division(Graph *g, Dim a, Dim b, Span span) {
    if (never_whole(g, a, b)) return report_division(g, a, b, span);
    Dim quotient = dim_div(g->dims, a, b, span), rest = quotient ? 0 : dim_mod(g->dims, a, b);
    bool wrong =
        rest && !dim_assume(g->dims, DIM_EQ, rest, dim_const(g->dims, 0), span, "division");
    if (wrong) return report_division(g, a, b, span);
    warn_rarely_whole(g, a, b, span);
    return quotient;
}

static Dim weak_modulo(Graph *g, Dim a, Dim b, Span span) {
    if (!dim_is(g->dims, b, 0)) return dim_mod(g->dims, a, b);
    diag_error(g->diag, span, "remainder of %s divided by zero", dim_text(g->dims, a, g->arena));
    return 0;
}

enum { POWER_MAX = 64 };

static Dim weak_power(Graph *g, Dim a, Dim b, Span span) {
    int64_t power;
    if (!dim_is_const(g->dims, b, &power) || power < 0) {
        diag_error(g->diag, span,
                   "the power of an integer or dim needs a literal exponent of at least 0: write "
                   "'1.0 * ..' for a float");
        return 0;
    }
    Dim product = dim_const(g->dims, 1);
    for (int64_t i = 0; product && i < power; i++)
        product = i < POWER_MAX ? dim_mul(g->dims, product, a) : 0;
    return product;
}

static Dim weak_extreme(Graph *g, Op op, Dim a, Dim b) {
    if (dim_le(g->dims, a, b)) return op == OP_MIN ? a : b;
    if (dim_le(g->dims, b, a)) return op == OP_MIN ? b : a;
    return 0;
}

static Dim dims_op(Graph *g, Op op, Dim a, Dim b, Span span) {
    Dims *d = g->dims;
    switch (op) {
    case OP_ADD: return dim_add(d, a, b);
    case OP_SUB: return dim_sub(d, a, b);
    case OP_MUL: return dim_mul(d, a, b);
    case OP_NEG: return dim_sub(d, dim_const(d, 0), a);
    case OP_DIV: return weak_division(g, a, b, span);
    case OP_MOD: return weak_modulo(g, a, b, span);
    case OP_POW: return weak_power(g, a, b, span);
    default: return 0;
    }
}

static bool is_dims_op(Op op) {
    return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_NEG || op == OP_DIV ||
           op == OP_MOD || op == OP_POW;
}

static NodeId weak_integer(Graph *g, Op op, const NodeId *src, Span span) {
    Dim a = dim_of_node(g, src[0]), b = src[1] ? dim_of_node(g, src[1]) : 0;
    bool are_dims = a && (b || !src[1]);
    if (are_dims && is_dims_op(op)) {
        int errors = g->diag->errors;
        Dim result = dims_op(g, op, a, b, span);
        if (!result && errors == g->diag->errors)
            diag_error(g->diag, span,
                       "the value overflows 64 bits, or has more than %lld terms "
                       "('--limit dim_terms=N' changes this)",
                       (long long)g->limits->dim_terms);
        return node_of_dim(g, result, span);
    }
    if (are_dims && (op == OP_MIN || op == OP_MAX)) {
        Dim result = weak_extreme(g, op, a, b);
        if (result) return node_of_dim(g, result, span);
    }
    return graph_map(g, op, src[0], src[1], src[2], span);
}

/* ---- floats ------------------------------------------------------------------------------- */

/* Folds only what IEEE 754 defines to the last bit, so that `-inf` and `1.0 / 8` are literals. */
static bool fold(Op op, double a, double b, double *result) {
    switch (op) {
    case OP_NEG: *result = -a; return true;
    case OP_ADD: *result = a + b; return true;
    case OP_SUB: *result = a - b; return true;
    case OP_MUL: *result = a * b; return true;
    case OP_DIV: *result = a / b; return true;
    default: return false;
    }
}

static NodeId weak_real(Graph *g, Op op, const NodeId *src, Span span) {
    NodeId to[SRC_MAX] = {0};
    double value[SRC_MAX] = {0}, result;
    bool constant = true;
    for (int i = 0; i < SRC_MAX && src[i]; i++) {
        bool keep = g->node[src[i]].type == T_BOOL; /* the condition of a where */
        to[i] = keep ? src[i] : weak_float(g, src[i], span);
        if (!to[i]) return 0;
        if (!node_is_const(&g->node[to[i]], &value[i])) constant = false;
    }
    if (constant && fold(op, value[0], value[1], &result))
        return graph_literal(g, false, result, 0, span);
    return graph_map(g, op, to[0], to[1], to[2], span);
}

NodeId weak_op(Graph *g, Op op, const NodeId *src, Span span) {
    bool integers = true;
    for (int i = 0; i < SRC_MAX && src[i]; i++)
        if (g->node[src[i]].type == T_F64) integers = false;
    TypeRule rule = op_info[op].rule;
    if (rule == R_FLOAT || rule == R_FLOAT_EXACT || rule == R_ISNAN) integers = false;
    return integers ? weak_integer(g, op, src, span) : weak_real(g, op, src, span);
}
