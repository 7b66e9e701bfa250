/* argmax.c: the positions of the largest elements of long rows: one kernel finds the largest of
 * each chunk, and where it is, and a second one takes the first chunk that has the largest of all.
 *
 *     argmax(x[S * L])   becomes   m[s] = max(x[s]), p[s] = argmax(x[s]) + s * L, and
 *                                  sum(where(s == argmax(m), p[s], 0))
 *
 * Of equals, and of NaNs, the first one counts, as in one step: so it does in each chunk, and of
 * their largest. Elements behind the chunks are candidates of their own; there always are some, so
 * that the selection is no epilogue of the first kernel, which would have to wait for argmax(m). */
#include "sched/split/split.h"

static NodeId by_number(Graph *g, Op op, NodeId x, int64_t number, int64_t neutral, Span span) {
    if (number == neutral) return x;
    return graph_op(g, op, x, graph_const_int(g, T_I32, number, span), 0, span);
}

/* first, first + step, .. along axis a of a value like x. */
static NodeId positions(Graph *g, NodeId x, int a, int64_t first, int64_t step, Span span) {
    const Node n = g->node[x];
    Dim shape[RANK_MAX];
    for (int i = 0; i < n.rank; i++) shape[i] = i == a ? n.shape[i] : dim_const(g->dims, 1);
    const NodeId each = graph_cast(g, graph_iota(g, n.shape[a], span), T_I32, span);
    const NodeId far = by_number(g, OP_MUL, each, step, 1, span);
    const NodeId at = by_number(g, OP_ADD, far, first, 0, span);
    const NodeId row = graph_reshape(g, at, n.rank, shape, span);
    return graph_broadcast(g, row, n.rank, n.shape, span);
}

typedef struct Candidates {
    NodeId largest, at; /* along axis a: elements, and their positions */
} Candidates;

static Candidates of_chunks(Graph *g, const Node *n, int a, int64_t chunks, int64_t length) {
    Node even = *n;
    even.src[0] = split_part(g, n->src[0], a, 0, chunks * length, n->span);
    const NodeId own = split_chunks(g, &even, a, chunks);
    even.op = OP_RMAX;
    const NodeId largest = split_chunks(g, &even, a, chunks);
    const NodeId start = positions(g, own, a, 0, length, n->span);
    return (Candidates){largest, graph_op(g, OP_ADD, own, start, 0, n->span)};
}

static Candidates with_rest(Graph *g, Candidates c, NodeId rest, int a, int64_t first, Span span) {
    const NodeId x = graph_cast(g, rest, g->node[c.largest].type, span);
    const NodeId at = positions(g, rest, a, first, 1, span);
    return (Candidates){split_join(g, c.largest, x, a, span), split_join(g, c.at, at, a, span)};
}

NodeId split_argmax(Graph *g, const Node *n, int a, int64_t chunks, int64_t step) {
    const int64_t extent = cost_dim(g, g->node[n->src[0]].shape[a]);
    const int64_t length = (extent - 1) / chunks / step * step, even = chunks * length;
    const NodeId rest = split_part(g, n->src[0], a, even, extent - even, n->span);
    const Candidates c = with_rest(g, of_chunks(g, n, a, chunks, length), rest, a, even, n->span);
    const Node all = g->node[c.at];
    const NodeId best = graph_reduce(g, OP_ARGMAX, c.largest, 1u << a, n->span);
    const NodeId chosen = graph_broadcast(g, best, all.rank, all.shape, n->span);
    const NodeId is_best =
        graph_op(g, OP_EQ, positions(g, c.at, a, 0, 1, n->span), chosen, 0, n->span);
    const NodeId none = graph_zero(g, T_I32, n->span);
    const NodeId at = graph_op(g, OP_WHERE, is_best, c.at, none, n->span);
    const NodeId whole = graph_reduce(g, OP_SUM, at, 1u << a, n->span);
    return graph_reshape(g, whole, n->rank, n->shape, n->span);
}
