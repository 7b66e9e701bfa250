/* cast.c: x as T, and the warning if it binds tighter than it looks: `a * b as T` casts b alone.
 * In: a call of an infix operator whose right operand is a cast without parentheses. Out: a warning
 * if (a * b) as T would differ, and would be legal. */
#include "graph/lower/lower_private.h"

#include <string.h>

NodeId lower_cast(Lower *l, const Ast *e) {
    Dtype type = lower_dtype(l, e->text, e->name_span);
    NodeId x = lower_expr(l, e->kid[0]);
    return x && type != T_NONE ? convert(l->g, x, type, e->span) : 0;
}

static bool is_bare(const Ast *call) {
    const Ast *cast = call->kid_count == 2 ? call->kid[1] : NULL;
    return cast && cast->kind == A_CAST && cast->span.hi == call->span.hi;
}

/* Do operands of these nodes meet in a type without `as`? */
static bool may_meet(const Graph *g, NodeId a, NodeId b) {
    Dtype left = g->node[a].type, right = g->node[b].type;
    if (left == T_BOOL || right == T_BOOL) return left == right;
    if (is_weak(g, a) && dtype_is_int(left)) return true;
    if (is_weak(g, b) && dtype_is_int(right)) return true;
    return dtype_is_float(left) == dtype_is_float(right);
}

/* Source text from lo to hi, without trailing blanks. */
static const char *source_text(Lower *l, Span at, uint32_t hi) {
    const char *text = l->diag->sources.at[at.file].text;
    while (hi > at.lo && strchr(" \t\r\n", text[hi - 1])) hi--;
    return arena_strndup(l->arena, text + at.lo, hi - at.lo);
}

enum { LONGEST_SHOWN = 48 };

void warn_bare_cast(Lower *l, const Ast *call, NodeId left, NodeId right, NodeId result) {
    const Graph *g = l->g;
    if (!left || !right || !result || l->scope->caller || !is_bare(call)) return; /* said once */
    const Node *n = &g->node[right];
    NodeId bare = n->op == OP_CAST ? n->src[0] : right;
    /* the type of b decides how they are multiplied */
    bool is_product = !strcmp(call->text, "matmul");
    bool is_same = g->node[result].type == n->type && (!is_product || bare == right);
    if (is_same || !may_meet(g, left, bare)) return;
    const Ast *cast = call->kid[1];
    const char *head = source_text(l, call->span, cast->span.lo);
    const char *tail = source_text(l, cast->span, cast->span.hi);
    const char *whole = source_text(l, call->span, cast->name_span.lo);
    whole = source_text(l, call->span, call->span.lo + (uint32_t)strlen(whole) - 2); /* "as" */
    if (call->span.hi - call->span.lo > LONGEST_SHOWN) {
        head = "..", tail = arena_printf(l->arena, ".. as %s", cast->text), whole = "..";
    }
    diag_warning(l->diag, call->span,
                 "'as %s' casts only the right operand: write '%s (%s)', or '(%s) as %s' for all",
                 cast->text, head, tail, whole, cast->text);
}
