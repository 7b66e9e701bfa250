/* promote.c: the type in which the operands of an op meet, and conversions to it.
 *     two floats        the same, or f64, or f32      two integers    the same, or i64, or i32
 *     a weak number     the type of what it meets     anything else   only through `as`
 * Where the op computes, narrow floats widen to f32 and i8 u8 to i32; where it only selects, they
 * stay, unless a literal beside them would have to be rounded. */
#include "graph/operands/operands.h"

#include <string.h>

const char *node_text(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    double value;
    if (is_weak(g, id) && n->op == OP_DIM)
        return arena_printf(g->arena, "the dim %s", dim_text(g->dims, n->attr[0], g->arena));
    if (is_weak(g, id) && node_is_const(n, &value)) {
        if (n->type == T_I64) return arena_printf(g->arena, "the number %lld", (long long)n->bits);
        const char *digits = arena_printf(g->arena, "%g", value);
        bool plain = !strpbrk(digits, ".en"); /* a float shows a point or exponent */
        return arena_printf(g->arena, "the number %s%s", digits, plain ? ".0" : "");
    }
    if (is_weak(g, id)) return n->type == T_I64 ? "an integer of dims" : "a number of dims";
    Text text = text_new(g->arena);
    shape_print(g->dims, n->type, n->rank, n->shape, &text);
    return text_get(&text);
}

/* ---- conversions -------------------------------------------------------------------------- */

NodeId convert(Graph *g, NodeId x, Dtype type, Span span) {
    if (!x || type == T_NONE) return 0;
    Node n = g->node[x];
    double value;
    if (!is_weak(g, x)) return graph_cast(g, x, type, span);
    if (!node_is_const(&n, &value))
        return graph_add(
            g, &(Node){.op = OP_CAST, .type = type, .src_count = 1, .src = {x}, .span = span});
    Scalar from = n.type == T_I64 ? (Scalar){.i = (int64_t)n.bits} : (Scalar){.f = value};
    Scalar to = dtype_convert(n.type, type, from);
    return dtype_is_float(type) ? graph_const(g, type, to.f, span)
                                : graph_const_int(g, type, to.i, span);
}

NodeId strengthen(Graph *g, NodeId x, Span span) {
    if (!x || !is_weak(g, x)) return x;
    if (g->node[x].type == T_F64) return convert(g, x, T_F32, span);
    return convert(g, x, literal_fits(&g->node[x], T_I32) ? T_I32 : T_I64, span);
}

/* ---- storing ------------------------------------------------------------------------------ */

/* Does `to` hold every value of `from` exactly? Floats are not compared. */
static bool is_kept(Dtype from, Dtype to) {
    if (from == to || (dtype_is_float(from) && dtype_is_float(to))) return true;
    if (!dtype_is_int(from) || !dtype_is_int(to)) return false;
    return dtype_size(to) > dtype_size(from);
}

static bool may_store(const Graph *g, NodeId x, Dtype type) {
    const Node *n = &g->node[x];
    if (!is_weak(g, x)) return is_kept(n->type, type);
    if (n->type == T_F64) return dtype_is_float(type);
    if (n->op != OP_CONST) return dtype_is_float(type) || dtype_is_int(type);
    return dtype_is_float(type) || (dtype_is_int(type) && literal_fits(n, type));
}

NodeId store_as(Graph *g, NodeId x, Dtype type, Span span, const char *what) {
    if (!x) return 0;
    if (may_store(g, x, type)) return convert(g, x, type, span);
    diag_error(g->diag, span, "%s has the type %s, and the value is %s: write 'as %s'", what,
               dtype_name(type), node_text(g, x), dtype_name(type));
    return 0;
}

/* ---- meeting ------------------------------------------------------------------------------ */

static void note_operand(Graph *g, const Operands *o, int i, const char *advice) {
    diag_note(g->diag, o->at[i], "this is %s%s", node_text(g, o->src[i]), advice);
}

static Dtype join(Dtype a, Dtype b) {
    if (a == T_NONE || a == b) return b;
    if (dtype_is_float(a)) return a == T_F64 || b == T_F64 ? T_F64 : T_F32;
    return a == T_I64 || b == T_I64 ? T_I64 : T_I32;
}

static Dtype mixed_kinds(Graph *g, const Operands *o, int i, int j) {
    int integer = dtype_is_int(g->node[o->src[i]].type) ? i : j;
    diag_error(g->diag, o->span, "%s and %s do not mix: convert one with 'as'",
               node_text(g, o->src[i]), node_text(g, o->src[j]));
    note_operand(g, o, integer, ": write 'as f32' after it for a float");
    note_operand(g, o, i + j - integer, "");
    return T_NONE;
}

static Dtype mixed_bool(Graph *g, const Operands *o, int i) {
    diag_error(g->diag, o->at[i], "%s is not a number: write 'as i32' or 'as f32', or use 'where'",
               node_text(g, o->src[i]));
    return T_NONE;
}

static Dtype report_logic(Graph *g, const Operands *o, int i) {
    const char *name = op_info[o->op].class == MAP
                           ? "'&&', '||' and '!' need"
                           : arena_printf(g->arena, "'%s' needs", op_info[o->op].name);
    diag_error(g->diag, o->at[i], "%s bool, and this is %s: compare it, as in 'x != 0'", name,
               node_text(g, o->src[i]));
    return T_NONE;
}

/* A fraction, or a number that is too large, with an integer tensor. */
static Dtype mixed_literal(Graph *g, const Operands *o, int literal, int tensor) {
    diag_error(g->diag, o->at[literal], "%s does not fit %s", node_text(g, o->src[literal]),
               node_text(g, o->src[tensor]));
    note_operand(g, o, tensor,
                 g->node[o->src[literal]].type == T_F64 ? ": write 'as f32' after it for a float"
                                                        : ": write 'as i64' after it");
    return T_NONE;
}

/* The common type of the typed operands from number `first` on; *which is one of them. */
static Dtype join_strong(Graph *g, const Operands *o, int first, int *which) {
    Dtype type = T_NONE;
    *which = first;
    for (int i = first; i < o->count; i++) {
        if (is_weak(g, o->src[i])) continue;
        Dtype next = g->node[o->src[i]].type;
        if (type != T_NONE && type != next) {
            bool logic = op_info[o->op].rule == R_LOGIC;
            if (logic) return report_logic(g, o, type == T_BOOL ? i : *which);
            if (next == T_BOOL) return mixed_bool(g, o, i);
            if (type == T_BOOL) return mixed_bool(g, o, *which);
            if (dtype_is_float(type) != dtype_is_float(next)) return mixed_kinds(g, o, *which, i);
        }
        type = join(type, next);
        *which = i;
    }
    return type;
}

/* Does the op select or compare values without computing, so that narrow types stay? */
static bool keeps_type(Op op) {
    TypeRule rule = op_info[op].rule;
    if (op == OP_NEG || op == OP_ABS) return false;
    return rule == R_SAME || rule == R_EXACT || rule == R_FLOAT_EXACT || rule == R_COMPARE ||
           rule == R_WHERE || rule == R_ISNAN || rule == R_ARGMAX || rule == R_GIVEN ||
           rule == R_DOT;
}

/* -x and |x| are exact for floats; -128 and unsigned bytes need the wider type. */
static Dtype widened(Op op, Dtype type) {
    bool exact = keeps_type(op) || (op_info[op].rule == R_EXACT && dtype_is_float(type));
    if (type == T_BOOL) return op_info[op].rule == R_SUM ? T_I32 : T_BOOL;
    return exact ? type : dtype_compute(type);
}

static Dtype fit_literals(Graph *g, const Operands *o, int first, int typed, Dtype type) {
    for (int i = first; i < o->count; i++)
        if (is_weak(g, o->src[i]) && !literal_fits(&g->node[o->src[i]], type))
            type = dtype_compute(type);
    for (int i = first; i < o->count; i++) {
        const Node *n = &g->node[o->src[i]];
        if (!is_weak(g, o->src[i])) continue;
        if (op_info[o->op].rule == R_LOGIC) return report_logic(g, o, i);
        if (type == T_BOOL) return mixed_bool(g, o, typed);
        bool lost = n->type == T_F64 || (n->op == OP_CONST && !literal_fits(n, type));
        if (dtype_is_int(type) && lost) return mixed_literal(g, o, i, typed);
    }
    return type;
}

/* The rules that need one kind of type. */
static bool rule_allows(Graph *g, const Operands *o, int typed, Dtype type) {
    TypeRule rule = op_info[o->op].rule;
    const char *name = op_info[o->op].name, *text = node_text(g, o->src[typed]);
    bool logic = rule == R_LOGIC, any = rule == R_WHERE || rule == R_COMPARE || rule == R_SUM ||
                                        rule == R_SAME || rule == R_GIVEN;
    bool floats = rule == R_FLOAT || rule == R_FLOAT_EXACT || rule == R_MEAN || rule == R_ISNAN ||
                  rule == R_CROSS;
    if (logic && type != T_BOOL)
        report_logic(g, o, typed);
    else if (type == T_BOOL && !logic && !any)
        mixed_bool(g, o, typed);
    else if (floats && !dtype_is_float(type))
        diag_error(g->diag, o->at[typed],
                   "'%s' needs floats, and this is %s: write 'as f32' after it", name, text);
    else
        return true;
    return false;
}

Dtype promote(Graph *g, const Operands *o) {
    int first = o->op == OP_WHERE ? 1 : 0, typed;
    Dtype type = join_strong(g, o, first, &typed);
    if (type == T_NONE) return T_NONE;
    if (!rule_allows(g, o, typed, type)) return T_NONE;
    return fit_literals(g, o, first, typed, widened(o->op, type));
}
