/* turned.c: a product whose results are only reduced, along the innermost rows of its left operand,
 * is computed transposed: then these are columns of a tile, and are reduced in its kernel, so that
 * the product is not stored. As where heads have scores of their own that are added:
 *
 *     sum(relu(q[M, H, K] k[N, K]) w[M, H], axis = H)
 *
 * is a sum of rows of k q^T, in segments of H. On sm_90, whose tiles have several segments.
 *
 * needs: simplified. keeps: meaning. breaks: nothing. */
#include "sched/split/split.h"

typedef struct Turning {
    const Graph *from;
    Graph *to;
    const Machine *machine;
    ReducedProducts products;
    NodeId *id;     /* node -> in the new graph */
    NodeId *turned; /* node of a product's shape -> the same transposed, if made */
} Turning;

/* ---- which products -------------------------------------------------------------------------- */

/* The axis of a product's results behind those of its left operand. */
static int left_end(const Graph *g, const Node *dot) {
    return g->node[dot->src[0]].rank - dot->attr[1];
}

static bool is_reduced(const Node *n) {
    return op_info[n->op].class == REDUCE && n->op != OP_ARGMAX;
}

/* Do these axes end with the left operand's last one, and start behind the batch? */
static bool are_inner(const Graph *g, const Node *dot, uint32_t axes) {
    const uint32_t first = axes & (~axes + 1), end = 1u << left_end(g, dot);
    return axes && first >= 1u << dot->attr[0] && axes == end - first;
}

static bool fits(const Turning *t, NodeId id, uint32_t axes) {
    const Graph *g = t->from;
    int64_t columns;
    return are_inner(g, &g->node[id], axes) && split_extent(g, id, axes, &columns) &&
           columns % cost_segment_step(t->machine, g, id) == 0 &&
           tile_has_columns(t->machine, g, id, columns, 1);
}

/* Is it a function of other products, too? They would have to be transposed as well. */
static bool reads_another(const ReducedProducts *p, const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    bool found = false;
    for (int i = 0; i < n->src_count; i++)
        found |= p->root[n->src[i]] && p->root[n->src[i]] != p->root[id];
    return found;
}

/* All reductions are along the same axes. */
static void find_products(Turning *t) {
    const Graph *g = t->from;
    bool *products = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        products[id] = n->op == OP_DOT && !n->attr[2] && n->rank > left_end(g, n) &&
                       cost_product_weight(g, id) == 1;
    }
    t->products = split_reduced_products(g, products, is_reduced);
    ReducedProducts *p = &t->products;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        const NodeId product = is_reduced(n) ? p->root[n->src[0]] : 0;
        if (product && (uint32_t)n->attr[0] != p->axes[product]) p->refused[product] = true;
        if (p->root[id] && reads_another(p, g, id)) p->refused[p->root[id]] = true;
        if (products[id] && !fits(t, id, p->axes[id])) p->refused[id] = true;
    }
}

static bool is_turned(const Turning *t, const Node *n) {
    const NodeId product = is_reduced(n) ? t->products.root[n->src[0]] : 0;
    return product && !t->products.refused[product];
}

/* ---- what it becomes ------------------------------------------------------------------------- */

/* From [batch.. left.. right..], the first `before` of which are the batch, to [batch.. right..
 * left..]. */
static void turn_axes(int before, int left, int rank, int *axis) {
    const int right = rank - before - left;
    for (int i = 0; i < before; i++) axis[i] = i;
    for (int i = 0; i < right; i++) axis[before + i] = before + left + i;
    for (int i = 0; i < left; i++) axis[before + right + i] = before + i;
}

static NodeId turned(Turning *t, NodeId old, const Node *dot) {
    const Node *n = &t->from->node[old];
    int axis[RANK_MAX];
    if (t->turned[old]) return t->turned[old];
    turn_axes(dot->attr[0], left_end(t->from, dot) - dot->attr[0], n->rank, axis);
    if (n == dot) {
        t->turned[old] =
            graph_dot(t->to, t->id[n->src[1]], t->id[n->src[0]], n->attr[0], n->attr[1], n->span);
    } else if (t->products.root[old]) {
        Node draft = *n;
        for (int i = 0; i < n->src_count; i++) draft.src[i] = turned(t, n->src[i], dot);
        for (int i = 0; i < n->rank; i++) draft.shape[i] = n->shape[axis[i]];
        t->turned[old] = graph_add(t->to, &draft);
    } else {
        t->turned[old] = graph_permute(t->to, t->id[old], axis, n->span);
    }
    return t->turned[old];
}

/* The reduction is of the last axes. */
static NodeId turned_reduction(Turning *t, const Node *n) {
    const NodeId x = n->src[0];
    const Node *dot = &t->from->node[t->products.root[x]];
    const int rank = t->from->node[x].rank, batch = dot->attr[0],
              right = rank - left_end(t->from, dot);
    int reduced = 0, back[RANK_MAX];
    for (int i = 0; i < rank; i++) reduced += n->attr[0] >> i & 1;
    const uint32_t last = ((1u << reduced) - 1) << (rank - reduced);
    const NodeId rows = graph_reduce(t->to, n->op, turned(t, x, dot), last, n->span);
    turn_axes(batch, right, n->rank, back);
    return graph_permute(t->to, rows, back, n->span);
}

static NodeId turned_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                          void *context) {
    Turning *t = context;
    const Node *n = &from->node[old];
    t->to = to;
    for (int i = 0; i < n->src_count; i++) t->id[n->src[i]] = draft->src[i];
    return is_turned(t, n) ? turned_reduction(t, n) : graph_add(to, draft);
}

const Graph *split_turned(const Graph *g, const Machine *machine) {
    Turning t = {.from = g, .machine = machine};
    bool any = false;
    if (!machine_is_gpu(machine) || !machine->wgmma || g->attrs.max_kernels) return g;
    t.id = arena_array(g->arena, NodeId, g->count);
    t.turned = arena_array(g->arena, NodeId, g->count);
    find_products(&t);
    for (NodeId id = 1; id < g->count && !any; id++) any = is_turned(&t, &g->node[id]);
    return any ? simplify(lift(graph_rewrite(g, turned_rule, &t), true)) : g;
}
