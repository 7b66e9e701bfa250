/* steps.c: the steps of a formula, for passes: in one type, with operands stretched to one shape.
 * In: nodes of the graph. Out: new nodes, at the place in the model that the formula is for. */
#include "graph/operands/operands.h"

#include <string.h>

NodeId step_number(const Steps *s, double value) {
    return graph_const(s->g, s->type, value, s->at);
}

/* ---- element by element ------------------------------------------------------------------- */

/* Extends `shape` to x's where x is larger, both aligned at the last axis. */
static void join_shape(const Graph *g, NodeId x, int *rank, Dim *shape) {
    const Node *n = &g->node[x];
    int added = n->rank - *rank;
    if (added > 0) {
        memmove(shape + added, shape, sizeof *shape * (size_t)*rank);
        for (int i = 0; i < added; i++) shape[i] = n->shape[i];
        *rank = n->rank;
    }
    for (int i = 0; i < n->rank; i++) {
        Dim *size = &shape[*rank - n->rank + i];
        if (dim_is(g->dims, *size, 1)) *size = n->shape[i];
    }
}

NodeId step(const Steps *s, Op op, NodeId x, NodeId y, NodeId z) {
    NodeId src[] = {x, y, z};
    enum { COUNT = sizeof src / sizeof *src };
    Dim shape[RANK_MAX];
    int rank = 0;
    for (int i = 0; i < COUNT; i++) join_shape(s->g, src[i], &rank, shape);
    for (int i = 0; i < COUNT; i++) src[i] = graph_broadcast(s->g, src[i], rank, shape, s->at);
    return graph_map(s->g, op, src[0], src[1], src[2], s->at);
}

NodeId step1(const Steps *s, Op op, NodeId x) { return graph_map(s->g, op, x, 0, 0, s->at); }
NodeId step2(const Steps *s, Op op, NodeId x, NodeId y) { return step(s, op, x, y, 0); }
NodeId step_add(const Steps *s, NodeId x, NodeId y) { return step2(s, OP_ADD, x, y); }
NodeId step_sub(const Steps *s, NodeId x, NodeId y) { return step2(s, OP_SUB, x, y); }
NodeId step_mul(const Steps *s, NodeId x, NodeId y) { return step2(s, OP_MUL, x, y); }
NodeId step_div(const Steps *s, NodeId x, NodeId y) { return step2(s, OP_DIV, x, y); }

/* ---- along axes --------------------------------------------------------------------------- */

NodeId step_reduce(const Steps *s, Op op, NodeId x, uint32_t axes) {
    return graph_reduce(s->g, op, x, axes, s->at);
}

NodeId step_count(const Steps *s, NodeId x, uint32_t axes) {
    const Node *n = &s->g->node[x];
    Dim count = dim_const(s->g->dims, 1);
    for (int i = 0; i < n->rank; i++)
        if (axes >> i & 1) count = dim_mul(s->g->dims, count, n->shape[i]);
    if (count) {
        NodeId size = graph_cast(s->g, graph_dim(s->g, count, s->at), s->type, s->at);
        return graph_hint(s->g, size, "count");
    }
    diag_error(s->g->diag, s->at,
               "the number of elements along the axes does not fit 64 bits, or "
               "has more than %lld terms (--limit dim_terms)",
               (long long)s->g->limits->dim_terms);
    return 0;
}

/* They are clamped before i64 is narrowed. */
NodeId step_labels(const Steps *s, NodeId labels, Dim classes) {
    Graph *g = s->g;
    Steps in = {g, g->node[labels].type == T_I64 ? T_I64 : T_I32, s->at};
    Dim shape[RANK_MAX], one = dim_const(g->dims, 1);
    NodeId last =
        graph_cast(g, graph_dim(g, dim_sub(g->dims, classes, one), s->at), in.type, s->at);
    graph_hint(g, last, "last_index");
    NodeId x = step2(&in, OP_MAX, graph_cast(g, labels, in.type, s->at), step_number(&in, 0));
    x = graph_hint(g, graph_cast(g, step2(&in, OP_MIN, x, last), T_I32, s->at), "index");
    int rank = g->node[x].rank;
    memcpy(shape, g->node[x].shape, sizeof shape);
    shape[rank] = one; /* logits have one axis more: it fits */
    return graph_reshape(g, x, rank + 1, shape, s->at);
}
