/* uniform.c: scalars of literals and dims as C expressions for the host launcher: valid in C and
 * C++ with <math.h>, computed in double and int64_t as the language says.
 * In: Graph. Out: text. */
#include "emit/text/writer.h"

#include <string.h>

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
static const char *operand(const Names *names, NodeId id) {
    const char *text = uniform_text(names, id);
    if (!strpbrk(text, "+-*/%( ")) return text;
    return arena_printf(names->arena, "(%s)", text);
}

const char *uniform_text(const Names *names, NodeId id) {
    const Graph *g = names->plan->g;
    Arena *arena = names->arena;
    const Node *n = &g->node[id];
    double ignored;
    if (node_is_const(n, &ignored)) return literal(n, arena);
    if (n->op == OP_DIM) return names_size(names, n->attr[0]);
    const char *src[SRC_MAX] = {0};
    for (int i = 0; i < n->src_count; i++) src[i] = operand(names, n->src[i]);
    if (n->op == OP_CAST) return host_cast(n, g->node[n->src[0]].type, src[0], arena);
    bool real = dtype_is_float(g->node[n->src[n->op == OP_WHERE]].type);
    const char *text = pattern_text(arena, op_text(n->op, IN_HOST, real), src, "");
    return n->type == T_F32 ? arena_printf(arena, "(float)(%s)", text) : text;
}
