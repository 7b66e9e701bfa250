/* attention.c: a softmax between two contractions, found by structure: matmul, anything pointwise, a
 * power of 2 with a whole shift above the row's maximum, matmul (see defer.c). No name and no kind of
 * mask is known here. In: the second contraction. Out: the nodes that play a part. */
#include "graph/graph.h"

#include <math.h>

/* ---- the exponentials ----------------------------------------------------------------------- */

static bool is_number(const Graph *g, NodeId id, double value) {
    double is;
    while (op_info[g->node[id].op].class == VIEW) id = g->node[id].src[0];
    return node_is_const(&g->node[id], &is) && is == value;
}

/* x of log2(e) x; 0: it is not. */
static NodeId scaled(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    if (n->op != OP_MUL) return 0;
    if (is_number(g, n->src[0], (float)LOG2_E)) return n->src[1];
    return is_number(g, n->src[1], (float)LOG2_E) ? n->src[0] : 0;
}

/* The maximum in where(max == -Inf, 0, ceil(log2(e) max)). 0: it is none. */
static NodeId max_under(const Graph *g, NodeId shift) {
    const Node *n = &g->node[shift];
    if (n->op != OP_WHERE || !is_number(g, n->src[1], 0)) return 0;
    const Node *empty = &g->node[n->src[0]], *above = &g->node[n->src[2]];
    if (empty->op != OP_EQ || above->op != OP_CEIL) return 0;
    NodeId max = scaled(g, above->src[0]);
    if (!max || g->node[max].op != OP_RMAX) return 0;
    for (int i = 0; i < 2; i++)
        if (empty->src[i] == max && is_number(g, empty->src[1 - i], -INFINITY)) return max;
    return 0;
}

static bool find_exponential(const Graph *g, NodeId weights, uint32_t axes, Attention *a) {
    NodeId e = a->weights = weights;
    while (g->node[e].op == OP_CAST && dtype_is_float(g->node[e].type)) e = g->node[e].src[0];
    if (g->node[e].op != OP_EXP2 || g->node[e].type != T_F32) return false;
    const Node *difference = &g->node[g->node[e].src[0]];
    if (difference->op != OP_SUB || g->node[difference->src[1]].op != OP_BROADCAST) return false;
    a->e = e;
    a->x = scaled(g, difference->src[0]);
    a->shift = g->node[difference->src[1]].src[0];
    a->max = max_under(g, a->shift);
    return a->x && a->max && g->node[a->max].src[0] == a->x &&
           (uint32_t)g->node[a->max].attr[0] == axes;
}

/* ---- the first contraction ------------------------------------------------------------------ */

/* Does the result have these axes: batch.., m.., and `keys` of its right operand's own? */
static bool has_form(const Graph *g, const Node *dot, int batch, int keys) {
    const Node *left = &g->node[dot->src[0]];
    int m = left->rank - dot->attr[0] - dot->attr[1];
    return dot->op == OP_DOT && dot->type == T_F32 && dot->attr[0] == batch &&
           dot->rank - batch - m == keys;
}

/* The one contraction that x is pointwise in; a worklist, for a chain may be long. */
static NodeId find_scores(const Graph *g, NodeId x, int batch, int keys) {
    Vec(NodeId) work = {0};
    bool *seen = arena_array(g->arena, bool, x + 1);
    NodeId found = 0;
    vec_push(g->arena, &work, x);
    while (work.count) {
        NodeId id = work.at[--work.count];
        const Node *n = &g->node[id];
        if (seen[id]) continue;
        seen[id] = true;
        if (has_form(g, n, batch, keys)) {
            if (found) return 0;
            found = id;
        }
        if (op_info[n->op].class != MAP) continue;
        for (int i = 0; i < n->src_count; i++) vec_push(g->arena, &work, n->src[i]);
    }
    return found;
}

bool find_attention(const Graph *g, NodeId id, Attention *a) {
    const Node *out = &g->node[id];
    if (out->op != OP_DOT) return false;
    int rank = g->node[out->src[0]].rank, keys = out->attr[1];
    uint32_t axes = ((1u << keys) - 1) << (rank - keys);
    if (!find_exponential(g, out->src[0], axes, a)) return false;
    a->scores = find_scores(g, a->x, out->attr[0], keys);
    return a->scores != 0;
}
