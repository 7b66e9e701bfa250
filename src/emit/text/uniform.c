/* uniform.c: scalars of literals and dims as C expressions for the host launcher: valid in C and
 * C++ with <math.h>, computed in double and int64_t as the language says.
 * In: Graph. Out: text. */
#include "emit/text/writer.h"

#include <ctype.h>
#include <string.h>

static const char *host_cast(const Node *n, const char *x, Arena *arena) {
    static const char *const name[T_COUNT] = {
        [T_BOOL] = "",         [T_U8] = "(uint8_t)", [T_I8] = "(int8_t)", [T_I32] = "(int32_t)",
        [T_I64] = "(int64_t)", [T_F32] = "(float)",  [T_F64] = "(double)"};
    if (n->type == T_BOOL) return arena_printf(arena, "(%s != 0)", x);
    return arena_printf(arena, "%s%s", TABLE_ROW(name, n->type, dtype_name(n->type)), x);
}

static const char *literal(const Node *n, Arena *arena) {
    Value v = {.type = n->type, .bits = n->bits};
    if (dtype_is_float(n->type)) return float_text(arena, const_float(&v), n->type != T_F64);
    return int_text(arena, const_int(&v));
}

/* Behind a cast, if there is one. */
static const char *skip_cast(const char *text) {
    static const char *const casts[] = {"(float)", "(double)", "(int32_t)", "(int64_t)"};
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        if (!strncmp(text, casts[i], strlen(casts[i]))) return text + strlen(casts[i]);
    return text;
}

/* Does it bind more than any infix operator: a word, a call or what is in parentheses, or a cast of
 * these? */
static bool is_operand(const char *text) {
    const char *at = skip_cast(text);
    while (isalnum((unsigned char)*at) || *at == '_' || *at == '.') at++;
    if (*at != '(') return !*at;
    for (int depth = 0; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (!depth) return !at[1];
    }
    return false;
}

/* A subexpression, in parentheses if it needs some. */
static const char *operand(const Names *names, NodeId id) {
    const char *text = uniform_text(names, id);
    return is_operand(text) ? text : arena_printf(names->arena, "(%s)", text);
}

/* Is a number of dims known to be positive? That of a product of two of these is not: it may
 * overflow. */
static bool is_positive(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    double value;
    if (node_is_const(n, &value)) return value > 0;
    const bool first = n->src_count && is_positive(g, n->src[0]);
    const bool second = n->src_count > 1 && is_positive(g, n->src[1]);
    switch (n->op) {
    case OP_DIM: return dim_le(g->dims, dim_const(g->dims, 1), n->attr[0]);
    case OP_CAST: return first && n->type == T_I64;
    case OP_MAX: return first || second;
    case OP_MIN: return first && second;
    case OP_MUL:
        return first && second && node_is_const(&g->node[n->src[0]], &value) && value < 1 << 15;
    default: return false;
    }
}

/* Of an operation, where that is simpler than for all operands. */
static const char *host_pattern(const Graph *g, const Node *n, bool real, const char **src,
                                Arena *arena) {
    double second = 0;
    if (!real && n->op == OP_DIV && is_positive(g, n->src[1])) return "$a / $b";
    if (!real && n->op == OP_MOD && is_positive(g, n->src[1])) return "$a % $b";
    const bool is_known = !real && n->src_count == 2 && node_is_const(&g->node[n->src[1]], &second);
    if (is_known && second < 0 && second >= -INT32_MAX && n->op == OP_ADD) {
        src[1] = int_text(arena, -(int64_t)second);
        return "$a - $b";
    }
    return op_text(n->op, IN_HOST, real);
}

const char *uniform_text(const Names *names, NodeId id) {
    const Graph *g = names->plan->g;
    Arena *arena = names->arena;
    const Node *n = &g->node[id];
    double ignored;
    if (node_is_const(n, &ignored)) return literal(n, arena);
    if (n->op == OP_DIM) return names_size(names, n->attr[0]);
    const char *src[SRC_MAX] = {0};
    bool real = dtype_is_float(g->node[n->src[n->op == OP_WHERE]].type);
    bool is_call = !real && (n->op == OP_MIN || n->op == OP_MAX); /* whose commas separate enough */
    for (int i = 0; i < n->src_count; i++)
        src[i] = is_call ? uniform_text(names, n->src[i]) : operand(names, n->src[i]);
    if (n->op == OP_CAST) return host_cast(n, src[0], arena);
    const char *text = pattern_text(arena, host_pattern(g, n, real, src, arena), src, "");
    return n->type == T_F32 ? arena_printf(arena, "(float)(%s)", text) : text;
}
