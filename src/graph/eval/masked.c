/* masked.c: nodes that a mask makes -Inf, or 0, in some of their elements, on the way to a matmul.
 * In: a Graph. Out: which nodes; what they hide.
 *
 * Such an element stays -Inf in sums, and 0 in products and matmuls, although NaN or Inf on the
 * other side would make NaN of it: a kernel may skip a masked tile (docs/language.md, "Functions of
 * matmuls in front of a matmul"). It may also compute it: EVAL_UNDECIDED does. */
#include "graph/eval/eval_private.h"

#include <math.h>
#include <stdlib.h>

static Masked masked_where(const Graph *g, const Node *n, Masked a, Masked b) {
    if (node_is_all(g, n->src[1], -INFINITY) || node_is_all(g, n->src[2], -INFINITY))
        return MASKED_INFINITE;
    if (node_is_all(g, n->src[1], 0) || node_is_all(g, n->src[2], 0)) return MASKED_ZERO;
    return a ? a : b;
}

static Masked masked_sum(const Node *n, Masked a, Masked b) {
    const bool is_infinite = a == MASKED_INFINITE || (b == MASKED_INFINITE && n->op == OP_ADD);
    if (is_infinite) return MASKED_INFINITE;
    return a == MASKED_ZERO && b == MASKED_ZERO ? MASKED_ZERO : MASKED_NEVER;
}

static Masked masked_map(const Graph *g, const Node *n, Masked a, Masked b) {
    switch (n->op) {
    case OP_WHERE: return masked_where(g, n, a, b);
    case OP_ADD:
    case OP_SUB: return masked_sum(n, a, b);
    case OP_MUL: return a == MASKED_ZERO || b == MASKED_ZERO ? MASKED_ZERO : a ? a : b;
    case OP_CAST:
    case OP_DIV: return a;
    case OP_NEG: return a == MASKED_ZERO ? a : MASKED_NEVER;
    case OP_EXP:
    case OP_EXP2: return a == MASKED_INFINITE ? MASKED_ZERO : MASKED_NEVER;
    default: return MASKED_NEVER;
    }
}

static Masked masked_node(const Graph *g, const Node *n, const Masked *at) {
    if (!dtype_is_float(n->type) || n->src_count == 0) return MASKED_NEVER;
    const int first = n->op == OP_WHERE, second = first + 1 < n->src_count ? first + 1 : first;
    const Masked a = at[n->src[first]], b = at[n->src[second]];
    if (op_info[n->op].class == VIEW) return at[n->src[0]];
    if (n->op == OP_SOFTMAX) return a == MASKED_INFINITE ? MASKED_ZERO : MASKED_NEVER;
    return op_info[n->op].class == MAP ? masked_map(g, n, a, b) : MASKED_NEVER;
}

/* Only what a matmul reads, through elementwise operations, counts as masked. */
static bool keep_operands(const Graph *g, Masked *at) {
    bool *is_operand = calloc((size_t)g->count, sizeof *is_operand);
    for (NodeId id = g->count - 1; is_operand && id > 0; id--) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        const bool passes = class == MAP || class == VIEW || n->op == OP_SOFTMAX;
        if (!is_operand[id]) at[id] = MASKED_NEVER;
        for (int i = 0; i < n->src_count; i++)
            is_operand[n->src[i]] |= class == DOT || (passes && is_operand[id]);
    }
    const bool ok = is_operand != NULL;
    free(is_operand);
    return ok;
}

/* The element of a source, if it hides the other operand of a sum or product. */
static bool hides(const Eval *e, const Node *n, int source, double x) {
    switch (e->masked[n->src[source]]) {
    case MASKED_INFINITE:
        return x == -INFINITY && (n->op == OP_ADD || (n->op == OP_SUB && !source));
    case MASKED_ZERO: return x == 0 && n->op == OP_MUL;
    default: return false;
    }
}

void eval_masked_map(const Eval *e, const Node *n, Value *out) {
    for (int source = 0; source < n->src_count; source++) {
        const Value *x = eval_source(e, n, source);
        if (!e->masked[n->src[source]]) continue;
        for (int64_t i = 0; i < out->count; i++)
            if (hides(e, n, source, x->at[i].f)) out->at[i] = x->at[i];
    }
}

bool eval_masked_open(Eval *e) {
    const Graph *g = e->g;
    e->masked = calloc((size_t)g->count, sizeof *e->masked);
    if (!e->masked || e->mode == EVAL_UNDECIDED) return e->masked != NULL;
    for (NodeId id = 1; id < g->count; id++)
        e->masked[id] = masked_node(g, &g->node[id], e->masked);
    return keep_operands(g, e->masked);
}
