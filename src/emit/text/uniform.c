/* uniform.c: scalars of literals and dims as C expressions for the host launcher: valid in C and
 * C++ with <math.h>, in double and int64_t as the language computes them. In: Graph. Out: text. */
#include "emit/text/writer.h"

#include <string.h>

/* Texts over A B C; double has its own where the operator differs. NULL: same as integers. */
static const char *host_text(Op op, bool real) {
    switch (op) {
    case OP_NEG: return "-A";
    case OP_ABS: return real ? "fabs(A)" : "(A < 0 ? -A : A)";
    case OP_SIGN: return real ? "(A > 0 ? 1.0 : A < 0 ? -1.0 : A)" : "((A > 0) - (A < 0))";
    case OP_FLOOR: return "floor(A)";
    case OP_CEIL: return "ceil(A)";
    case OP_ROUND: return "rint(A)";
    case OP_SQRT: return "sqrt(A)";
    case OP_RSQRT: return "1.0 / sqrt(A)";
    case OP_EXP: return "exp(A)";
    case OP_EXP2: return "exp2(A)";
    case OP_EXPM1: return "expm1(A)";
    case OP_LOG: return "log(A)";
    case OP_LOG2: return "log2(A)";
    case OP_LOG1P: return "log1p(A)";
    case OP_SIN: return "sin(A)";
    case OP_COS: return "cos(A)";
    case OP_TANH: return "tanh(A)";
    case OP_ERF: return "erf(A)";
    case OP_ADD: return "A + B";
    case OP_SUB: return "A - B";
    case OP_MUL: return "A * B";
    case OP_DIV: return real ? "A / B" : "(B ? A / B : 0)";
    case OP_MOD: return real ? "fmod(A, B)" : "(B ? A % B : 0)";
    case OP_POW: return real ? "pow(A, B)" : "(int64_t)pow((double)A, (double)B)";
    case OP_MIN: return real ? "(A < B || A != A ? A : B)" : "(A < B ? A : B)";
    case OP_MAX: return real ? "(A > B || A != A ? A : B)" : "(A > B ? A : B)";
    case OP_LT: return "A < B";
    case OP_LE: return "A <= B";
    case OP_EQ: return "A == B";
    case OP_NE: return "A != B";
    case OP_AND: return "A && B";
    case OP_OR: return "A || B";
    case OP_NOT: return "!A";
    case OP_ISNAN: return "A != A";
    case OP_WHERE: return "A ? B : C";
    default: BUG("uniform: op %s", op_info[op].name);
    }
}

static const char *host_cast(const Node *n, Dtype from, const char *x, Arena *arena) {
    static const char *const name[T_COUNT] = {
        [T_BOOL] = "",         [T_U8] = "(uint8_t)", [T_I8] = "(int8_t)", [T_I32] = "(int32_t)",
        [T_I64] = "(int64_t)", [T_F32] = "(float)",  [T_F64] = "(double)"};
    (void)from;
    if (n->type == T_BOOL) return arena_printf(arena, "(%s != 0)", x);
    return arena_printf(arena, "%s%s", TABLE_ROW(name, n->type, dtype_name(n->type)), x);
}

static const char *literal(const Node *n, Arena *arena) {
    Value v = {.type = n->type, .bits = n->bits};
    if (dtype_is_float(n->type)) return float_text(arena, const_float(&v), n->type != T_F64);
    return int_text(arena, const_int(&v));
}

/* A subexpression: in parentheses unless it is one word or a call. */
static const char *operand(const Graph *g, NodeId id, Arena *arena) {
    const char *text = uniform_text(g, id, arena);
    if (!strpbrk(text, "+-*/%( ")) return text;
    return arena_printf(arena, "(%s)", text);
}

const char *uniform_text(const Graph *g, NodeId id, Arena *arena) {
    const Node *n = &g->node[id];
    double ignored;
    if (node_is_const(n, &ignored)) return literal(n, arena);
    if (n->op == OP_DIM) return dim_text(g->dims, n->attr[0], arena);
    const char *src[SRC_MAX] = {0};
    for (int i = 0; i < n->src_count; i++) src[i] = operand(g, n->src[i], arena);
    if (n->op == OP_CAST) return host_cast(n, g->node[n->src[0]].type, src[0], arena);
    Text out = text_new(arena);
    bool real = dtype_is_float(g->node[n->src[n->op == OP_WHERE]].type);
    for (const char *p = host_text(n->op, real); *p; p++) {
        bool word = (p[1] < 'A' || p[1] > 'z') && *p >= 'A' && *p <= 'C';
        if (word)
            text_str(&out, src[*p - 'A']);
        else
            text_char(&out, *p);
    }
    return n->type == T_F32 ? arena_printf(arena, "(float)(%s)", text_get(&out)) : text_get(&out);
}
