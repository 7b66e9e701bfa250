/* narrow.c: on a CPU, reductions of columns of which fewer are side by side than a vector has
 * lanes: several rows are one, of whole vectors, and what their columns have in common is reduced
 * at the end. needs: simplified. keeps: meaning; sums are in another order. breaks: nothing.
 *
 *     sum(x[R, C], axis = 0)   becomes   sum(concat(sum(x[: E][E/J, J, C], axis = 0), x[E :]))
 *
 * J * C is a multiple of 16; E is the largest multiple of J up to R. Only if sizes are known, R is
 * long, and nothing as large as x depends on the result. */
#include "sched/split/split.h"

enum {
    LANES = 16,      /* of a vector, at most */
    ROW = 64,        /* columns that the rows together have, at least */
    LEAST_ROWS = 16, /* such rows */
    LEAST = 1 << 14  /* elements: below, a second kernel costs more */
};

typedef struct Pass {
    const Graph *from;
    double *largest; /* node -> elements of the largest node that depends on it */
} Pass;

/* What is reduced, [outer, rows, columns], and how many rows become one. */
typedef struct Narrow {
    int64_t outer, rows, columns, beside;
} Narrow;

/* Axes that are kept, reduced, and kept. */
static bool find_axes(const Graph *g, NodeId id, Narrow *n) {
    const Node *sum = &g->node[id], *x = &g->node[sum->src[0]];
    int64_t *const part[] = {&n->outer, &n->rows, &n->columns};
    int at = 0;
    n->outer = n->rows = n->columns = 1;
    for (int i = 0; i < x->rank; i++) {
        int64_t extent;
        if (!dim_is_const(g->dims, x->shape[i], &extent)) return false;
        if (extent == 1) continue;
        const bool is_reduced = sum->attr[0] >> i & 1;
        if (is_reduced != (at == 1)) at++;
        if (at > 2) return false;
        *part[at] *= extent;
    }
    return at == 2;
}

static int64_t common_divisor(int64_t a, int64_t b) { return b ? common_divisor(b, a % b) : a; }

static bool is_suitable(const Pass *p, NodeId id, Narrow *n) {
    const Graph *g = p->from;
    const Node *sum = &g->node[id];
    if (op_info[sum->op].class != REDUCE || sum->op == OP_ARGMAX || !find_axes(g, id, n))
        return false;
    if (n->columns >= LANES) return false;
    n->beside = LANES / common_divisor(n->columns, LANES);
    while (n->beside * n->columns < ROW) n->beside *= 2;
    const int64_t all = n->outer * n->rows * n->columns;
    return n->rows / n->beside >= LEAST_ROWS && all >= LEAST && p->largest[id] < (double)all / 8;
}

static NodeId narrow_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                          void *context) {
    Narrow n;
    (void)from;
    if (!is_suitable(context, old, &n)) return graph_add(to, draft);
    const Span span = draft->span;
    const int64_t rest = n.rows % n.beside, even = n.rows - rest;
    const Dim outer = dim_const(to->dims, n.outer), columns = dim_const(to->dims, n.columns),
              rows = dim_const(to->dims, n.rows), beside = dim_const(to->dims, n.beside);
    const Dim all[] = {outer, rows, columns}, part[] = {outer, beside, columns},
              cut[] = {outer, dim_const(to->dims, even / n.beside), beside, columns};
    const NodeId x = graph_reshape(to, draft->src[0], 3, all, span);
    const NodeId whole =
        graph_reshape(to, rest ? split_part(to, x, 1, 0, even, span) : x, 4, cut, span);
    const NodeId sums = graph_reduce(to, draft->op, whole, 1u << 1, span);
    split_name_parts(to, sums, draft);
    NodeId parts = graph_reshape(to, sums, 3, part, span);
    if (rest) {
        const NodeId last = split_part(to, x, 1, even, rest, span);
        parts = split_join(to, parts, graph_cast(to, last, draft->type, span), 1, span);
    }
    const NodeId result = graph_reduce(to, draft->op, parts, 1u << 1, span);
    return graph_reshape(to, result, draft->rank, draft->shape, span);
}

const Graph *split_narrow(const Graph *g, const Machine *machine) {
    Pass p = {g, arena_array(g->arena, double, g->count)};
    bool any = false;
    if (machine_is_gpu(machine) || g->attrs.max_kernels) return g;
    for (NodeId id = g->count - 1; id > 0; id--) {
        const double own =
            cost_elements(g, id) > p.largest[id] ? cost_elements(g, id) : p.largest[id];
        Narrow n;
        any |= is_suitable(&p, id, &n);
        for (int i = 0; i < g->node[id].src_count; i++)
            if (own > p.largest[g->node[id].src[i]]) p.largest[g->node[id].src[i]] = own;
    }
    return any ? graph_rewrite(g, narrow_rule, &p) : g;
}
