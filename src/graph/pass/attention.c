/* attention.c: finds a softmax between two contractions by structure: matmul, any pointwise ops, a
 * power of 2 with a whole shift above the row's maximum, matmul (see defer.c), for any mask.
 * In: the second contraction. Out: the nodes of the pattern, and those between them. */
#include "graph/pass/pass.h"

/* ---- the exponentials ----------------------------------------------------------------------- */

/* x of log2(e) x, or 0. */
static NodeId scaled(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    if (n->op != OP_MUL) return 0;
    if (node_is_all(g, n->src[0], (float)LOG2_E)) return n->src[1];
    return node_is_all(g, n->src[1], (float)LOG2_E) ? n->src[0] : 0;
}

/* The maximum in where(max < MASKED, 0, ceil(log2(e) max)), or 0. */
static NodeId max_under(const Graph *g, NodeId shift) {
    const Node *n = &g->node[shift];
    if (n->op != OP_WHERE || !node_is_all(g, n->src[1], 0)) return 0;
    const Node *empty = &g->node[n->src[0]], *above = &g->node[n->src[2]];
    if (empty->op != OP_LT || above->op != OP_CEIL) return 0;
    NodeId max = scaled(g, above->src[0]);
    if (!max || g->node[max].op != OP_RMAX || empty->src[0] != max) return 0;
    const bool is_masked =
        node_is_all(g, empty->src[1], MASKED) || node_is_all(g, empty->src[1], MASKED_HALF);
    return is_masked ? max : 0;
}

static bool find_exponential(const Graph *g, NodeId weights, uint32_t axes, Attention *a) {
    NodeId e = a->weights = weights;
    for (NodeId below = e; below && g->node[e].op != OP_EXP2; below = weight_below(g, e)) e = below;
    if (g->node[e].op != OP_EXP2 || g->node[e].type != T_F32) return false;
    const Node *difference = &g->node[g->node[e].src[0]];
    if (difference->op != OP_SUB) return false;
    a->e = e;
    a->x = scaled(g, difference->src[0]);
    a->shift = difference->src[1]; /* of one key: as it is */
    if (g->node[a->shift].op == OP_BROADCAST) a->shift = g->node[a->shift].src[0];
    a->max = max_under(g, a->shift);
    return a->x && a->max && g->node[a->max].src[0] == a->x &&
           (uint32_t)g->node[a->max].attr[0] == axes;
}

/* ---- the first contraction ------------------------------------------------------------------ */

/* Does the result have these axes: batch.., m.., and `keys` axes of its right operand? */
static bool has_form(const Graph *g, const Node *dot, int batch, int keys) {
    const Node *left = &g->node[dot->src[0]];
    int m = left->rank - dot->attr[0] - dot->attr[1];
    return dot->op == OP_DOT && dot->type == T_F32 && dot->attr[0] == batch &&
           dot->rank - batch - m == keys;
}

/* The one contraction that x is a pointwise function of; a worklist, since a chain may be long. */
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

/* ---- what lies between --------------------------------------------------------------------- */

static NodeId find_sum(const Graph *g, const Attention *a) {
    for (NodeId id = a->e + 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if (n->op == OP_SUM && n->src[0] == a->e && n->attr[0] == g->node[a->max].attr[0])
            return id;
    }
    return 0;
}

/* Marks the nodes from the scores to the result; views and free nodes are among them. */
static void find_between(const Graph *g, Attention *a) {
    bool *below = arena_array(g->arena, bool, g->count);
    bool *above = arena_array(g->arena, bool, g->count);
    below[a->scores] = above[a->out] = above[a->sum] = true;
    for (NodeId id = a->scores + 1; id < g->count; id++)
        for (int i = 0; i < g->node[id].src_count; i++) below[id] |= below[g->node[id].src[i]];
    for (NodeId id = g->count - 1; id > 0; id--)
        for (int i = 0; above[id] && i < g->node[id].src_count; i++)
            above[g->node[id].src[i]] = true;
    for (NodeId id = 1; id < g->count; id++) above[id] &= below[id];
    a->between = above;
}

static bool has_shape_of(const Graph *g, NodeId id, NodeId like) {
    const Node *n = &g->node[id], *m = &g->node[like];
    return shape_equal(n->rank, n->shape, m->rank, m->shape);
}

/* All nodes between must have the form: elements of the scores' shape, rows of the shift, and views
 * that broadcast a row. A path through anything else would also be a cycle. */
static bool has_inner_form(const Graph *g, const Attention *a) {
    for (NodeId id = a->scores + 1; id < g->count; id++) {
        OpClass class = op_info[g->node[id].op].class;
        if (!a->between[id] || id == a->out || id == a->sum || id == a->max) continue;
        if (g->node[id].op == OP_BROADCAST) continue;
        bool fits = has_shape_of(g, id, a->scores) || has_shape_of(g, id, a->max);
        if (class != MAP || !fits) return false;
    }
    return true;
}

/* Nodes of a row: the maximum, the sum, and what is made of rows alone. Of one key they have the
 * shape of elements. */
static const bool *find_rows(const Graph *g, const Attention *a) {
    bool *row = arena_array(g->arena, bool, g->count);
    for (NodeId id = a->scores + 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        bool reads = false, all = true;
        for (int i = 0; i < n->src_count; i++) {
            reads |= row[n->src[i]];
            all &= row[n->src[i]] || !a->between[n->src[i]];
        }
        row[id] = id == a->max || id == a->sum || (a->between[id] && reads && all);
    }
    return row;
}

static bool is_element(const Graph *g, const Attention *a, const bool *row, NodeId id) {
    bool view = op_info[g->node[id].op].class == VIEW;
    return a->between[id] && id != a->out && !view && !row[id] && has_shape_of(g, id, a->scores);
}

/* Is no element between read elsewhere? */
static bool is_closed(const Graph *g, const Attention *a) {
    const bool *row = find_rows(g, a);
    for (int i = 0; i < g->outputs.count; i++) {
        NodeId id = g->outputs.at[i].node;
        while (op_info[g->node[id].op].class == VIEW) id = g->node[id].src[0];
        if (is_element(g, a, row, id)) return false;
    }
    for (NodeId id = a->scores + 1; id < g->count; id++)
        for (int i = 0; !a->between[id] && i < g->node[id].src_count; i++)
            if (is_element(g, a, row, g->node[id].src[i])) return false;
    return true;
}

static bool is_spread(const Graph *g, NodeId id, int axis) {
    const Node *n = &g->node[id], *from = &g->node[n->src[0]];
    return n->op == OP_BROADCAST && from->rank == n->rank && from->shape[axis] != n->shape[axis];
}

/* Along these axes of the batch all scores are equal, except for masks. */
static int64_t find_splits(const Graph *g, NodeId scores) {
    const Node *s = &g->node[scores];
    int64_t splits = 1, extent;
    for (int i = 0; i < s->attr[0]; i++)
        if (is_spread(g, s->src[0], i) && is_spread(g, s->src[1], i) &&
            dim_is_const(g->dims, s->shape[i], &extent))
            splits *= extent;
    return splits;
}

bool find_attention(const Graph *g, NodeId id, Attention *a) {
    const Node *out = &g->node[id];
    if (out->op != OP_DOT) return false;
    int rank = g->node[out->src[0]].rank, keys = out->attr[1];
    uint32_t axes = ((1u << keys) - 1) << (rank - keys);
    if (!find_exponential(g, out->src[0], axes, a)) return false;
    a->out = id;
    a->scores = find_scores(g, a->x, out->attr[0], keys);
    a->sum = find_sum(g, a);
    if (!a->scores || !a->sum) return false;
    find_between(g, a);
    a->splits = find_splits(g, a->scores);
    return has_inner_form(g, a) && is_closed(g, a);
}
