/* join.c: what passes that split work into pieces have in common: parts of an axis, values one
 * after the other along an axis, what depends on reductions, and what reads their rows again. */
#include "sched/split/split.h"

#include <math.h>

NodeId split_part(Graph *g, NodeId x, int axis, int64_t first, int64_t size, Span span) {
    const Node n = g->node[x];
    Dim start[RANK_MAX], extent[RANK_MAX];
    for (int i = 0; i < n.rank; i++) {
        start[i] = dim_const(g->dims, i == axis ? first : 0);
        extent[i] = i == axis ? dim_const(g->dims, size) : n.shape[i];
    }
    return graph_slice(g, x, start, extent, span);
}

NodeId split_padded(Graph *g, NodeId x, int axis, Dim before, Dim size, NodeId value, Span span) {
    const Node n = g->node[x];
    Dim start[RANK_MAX], shape[RANK_MAX];
    for (int i = 0; i < n.rank; i++) {
        start[i] = i == axis ? before : dim_const(g->dims, 0);
        shape[i] = i == axis ? size : n.shape[i];
    }
    if (!value) value = graph_zero(g, n.type, span);
    return graph_pad(g, x, start, shape, value, span);
}

NodeId split_join(Graph *g, NodeId a, NodeId b, int axis, Span span) {
    const Dim none = dim_const(g->dims, 0), end = g->node[a].shape[axis];
    const Dim size = dim_add(g->dims, end, g->node[b].shape[axis]);
    const int rank = g->node[a].rank;
    Dim shape[RANK_MAX];
    for (int i = 0; i < rank; i++) shape[i] = i == axis ? size : dim_const(g->dims, 1);
    const NodeId at = graph_reshape(g, graph_index(g, size, span), rank, shape, span);
    const NodeId is_first = graph_op(g, OP_LT, at, graph_dim(g, end, span), 0, span);
    const NodeId first = split_padded(g, a, axis, none, size, 0, span);
    const NodeId second = split_padded(g, b, axis, end, size, 0, span);
    return graph_op(g, OP_WHERE, is_first, first, second, span);
}

NodeId split_chunks(Graph *g, const Node *n, int a, int64_t chunks) {
    const Node x = g->node[n->src[0]];
    Dim shape[RANK_MAX], count = dim_const(g->dims, chunks);
    for (int i = 0; i <= x.rank; i++) shape[i] = x.shape[i <= a ? i : i - 1];
    shape[a] = count;
    shape[a + 1] = dim_div(g->dims, x.shape[a], count, n->span);
    uint32_t axes = (uint32_t)n->attr[0], below = axes & ((1u << a) - 1);
    uint32_t inner = below | (axes >> a) << (a + 1);
    NodeId cut = graph_reshape(g, n->src[0], x.rank + 1, shape, n->span);
    NodeId partial = graph_reduce(g, n->op, cut, inner, n->span);
    split_name_parts(g, partial, n);
    for (int i = 0; i < x.rank; i++) shape[i] = g->node[partial].shape[i <= a ? i : i + 1];
    return graph_reshape(g, partial, x.rank, shape, n->span);
}

int *split_readers(const Graph *g) {
    int *readers = arena_array(g->arena, int, g->count);
    for (NodeId id = 1; id < g->count; id++)
        for (int i = 0; i < g->node[id].src_count; i++) readers[g->node[id].src[i]]++;
    for (int i = 0; i < g->outputs.count; i++) readers[g->outputs.at[i].node]++;
    return readers;
}

void split_name_parts(Graph *g, NodeId parts, const Node *whole) {
    const char *stem = whole->name ? whole->name : whole->hint;
    graph_name(g, parts, arena_printf(g->arena, "%s_parts", stem ? stem : node_op_name(g, whole)));
}

NodeId split_like(Graph *g, NodeId x, NodeId of) {
    const Node *n = &g->node[of];
    return graph_broadcast(g, x, n->rank, n->shape, n->span);
}

NodeId split_number_like(Graph *g, double value, NodeId of) {
    return split_like(g, graph_const(g, T_F32, value, g->node[of].span), of);
}

NodeId split_maximum(const Graph *g, NodeId shift) {
    const Node *n = &g->node[shift];
    const NodeId max = n->op == OP_WHERE ? n->src[2] : shift;
    if (n->op == OP_WHERE) {
        const Node *eq = &g->node[n->src[0]];
        const bool is_left = eq->src[0] == max;
        if (eq->op != OP_EQ || (!is_left && eq->src[1] != max)) return 0;
        if (!node_is_all(g, eq->src[is_left], -INFINITY) || !node_is_all(g, n->src[1], 0)) return 0;
    }
    return g->node[max].op == OP_RMAX ? max : 0;
}

/* The values from which the second result is reduced, as far as the first one. */
static const bool *between(const Graph *g, NodeId first, NodeId second) {
    bool *is_own = arena_array(g->arena, bool, g->count);
    is_own[g->node[second].src[0]] = true;
    for (NodeId id = g->node[second].src[0]; id > first; id--)
        for (int i = 0; is_own[id] && i < g->node[id].src_count; i++)
            is_own[g->node[id].src[i]] = true;
    return is_own;
}

bool split_is_read_again(const Graph *g, NodeId first, NodeId second) {
    enum { SHARE = 8 }; /* of what is reduced: smaller values do not count */
    const double least = cost_elements(g, g->node[first].src[0]) / SHARE;
    const bool *is_own = between(g, first, second);
    bool *depends = arena_array(g->arena, bool, g->count);
    depends[first] = true;
    for (NodeId id = first + 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        bool is_large = cost_elements(g, id) > least;
        for (int i = 0; i < n->src_count; i++) {
            const NodeId src = n->src[i];
            depends[id] |= depends[src];
            is_large |= depends[src] && is_own[src] && cost_elements(g, src) > least;
        }
        if (depends[id] && is_large && !is_own[id] && id != second) return true;
    }
    return false;
}

const bool *split_reduced(const Graph *g) {
    bool *reduced = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        reduced[id] = class == REDUCE || class == SCAN;
        for (int i = 0; i < n->src_count; i++) reduced[id] |= reduced[n->src[i]];
    }
    return reduced;
}

uint32_t split_inner_axes(const Graph *g, const Node *n) {
    uint32_t axes = 0;
    for (int i = g->node[n->src[0]].rank - 1; i >= 0 && n->attr[0] >> i & 1; i--) axes |= 1u << i;
    return axes;
}

NodeId split_below_views(const Graph *g, NodeId id) {
    while (op_info[g->node[id].op].class == VIEW) id = g->node[id].src[0];
    return id;
}

bool split_extent(const Graph *g, NodeId x, uint32_t axes, int64_t *count) {
    int64_t extent;
    *count = 1;
    for (int i = 0; i < g->node[x].rank; i++) {
        if (!(axes >> i & 1)) continue;
        if (!dim_is_const(g->dims, g->node[x].shape[i], &extent)) return false;
        *count *= extent;
    }
    return true;
}
