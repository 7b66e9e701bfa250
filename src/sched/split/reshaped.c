/* reshaped.c: element-by-element work that is stored, and that is also reduced in another shape,
 * such as that of chunks (rows.c), is computed in that shape: one kernel does both. needs:
 * simplified. keeps: meaning. breaks: nothing.
 *
 *     y = f(x[N]); sum(reshape(y, S, N/S))   becomes   z = f(reshape(x, S, N/S)); y = reshape(z, N)
 *
 * Nodes of one shape that read each other change together, if all that they read is computed
 * element by element, too, and nothing else reduces them. */
#include "sched/split/split.h"

typedef Vec(NodeId) NodeList;

typedef struct Reshaped {
    const Graph *from;
    NodeList *readers; /* by node */
    bool *is_output, *is_pure;
    NodeId *as;   /* node -> the node whose shape it is computed in; 0: its own */
    NodeId *in;   /* node -> the last reduction that it was looked at for */
    NodeId *seen; /* node -> the last reduction that reads it in its own shape */
} Reshaped;

static OpClass class_of(const Graph *g, NodeId id) { return op_info[g->node[id].op].class; }

static NodeId below_reshapes(const Graph *g, NodeId id) {
    while (g->node[id].op == OP_RESHAPE) id = g->node[id].src[0];
    return id;
}

static int next_axis(const Graph *g, const Node *n, int axis) {
    while (axis < n->rank && dim_is(g->dims, n->shape[axis], 1)) axis++;
    return axis;
}

/* But for axes of size 1. */
static bool have_same_shape(const Graph *g, NodeId a, NodeId b) {
    const Node *x = &g->node[a], *y = &g->node[b];
    int i = next_axis(g, x, 0), k = next_axis(g, y, 0);
    while (i < x->rank && k < y->rank && x->shape[i] == y->shape[k])
        i = next_axis(g, x, i + 1), k = next_axis(g, y, k + 1);
    return i == x->rank && k == y->rank;
}

/* Is it computed without reductions and the like? */
static bool is_pure(const Reshaped *r, NodeId id) {
    const Node *n = &r->from->node[id];
    const OpClass class = op_info[n->op].class;
    if (class != LEAF && class != MAP && class != VIEW && class != GATHER) return false;
    for (int i = 0; i < n->src_count; i++)
        if (!r->is_pure[n->src[i]]) return false;
    return true;
}

static void find_facts(Reshaped *r) {
    const Graph *g = r->from;
    for (NodeId id = 1; id < g->count; id++) {
        r->is_pure[id] = is_pure(r, id);
        for (int i = 0; i < g->node[id].src_count; i++)
            vec_push(g->arena, &r->readers[g->node[id].src[i]], id);
    }
    for (int i = 0; i < g->outputs.count; i++) r->is_output[g->outputs.at[i].node] = true;
}

/* ---- nodes that change together ------------------------------------------------------------- */

typedef struct Together {
    NodeId reduction;
    NodeList nodes;
    bool is_stored;
} Together;

static NodeId shape_of(const Reshaped *r, const Together *t) {
    return r->from->node[t->reduction].src[0];
}

/* May the readers of a view of a node read it in the shape of the reduction? */
static bool may_move(const Reshaped *r, Together *t, NodeId view, bool is_reshape) {
    const Graph *g = r->from;
    is_reshape = is_reshape && g->node[view].op == OP_RESHAPE;
    if (r->is_output[view]) t->is_stored = true;
    for (int i = 0; i < r->readers[view].count; i++) {
        const NodeId reader = r->readers[view].at[i];
        const OpClass class = class_of(g, reader);
        if (class == VIEW && may_move(r, t, reader, is_reshape)) continue;
        if (class == MAP) {
            if (cost_elements(g, reader) > cost_elements(g, shape_of(r, t))) return false;
            if (!have_same_shape(g, reader, shape_of(r, t))) t->is_stored = true;
            continue;
        }
        if (class != REDUCE || !is_reshape || !have_same_shape(g, view, shape_of(r, t)))
            return false;
        if (g->node[reader].attr[0] != g->node[t->reduction].attr[0]) return false;
    }
    return true;
}

static void add(Reshaped *r, Together *t, NodeId id) {
    if (r->in[id] == t->reduction) return;
    r->in[id] = t->reduction;
    vec_push(r->from->arena, &t->nodes, id);
}

/* Adds what the node reads and what reads it; false: it has to keep its shape. */
static bool add_beside(Reshaped *r, Together *t, NodeId id) {
    const Graph *g = r->from;
    const Node *n = &g->node[id];
    if (!r->is_pure[id] || r->as[id] || n->stored || (n->op == OP_WHERE && n->attr[1]))
        return false;
    if (r->is_output[id]) t->is_stored = true;
    for (int i = 0; i < n->src_count; i++)
        if (class_of(g, n->src[i]) == MAP) add(r, t, n->src[i]);
    for (int i = 0; i < r->readers[id].count; i++) {
        const NodeId reader = r->readers[id].at[i];
        if (class_of(g, reader) == MAP) {
            if (r->is_pure[reader]) add(r, t, reader);
        } else if (class_of(g, reader) != VIEW || !may_move(r, t, reader, true)) {
            return false;
        }
    }
    return true;
}

/* Are the elements of its rows side by side in memory, and many? */
static bool reduces_long_rows(const Graph *g, NodeId id) {
    enum { LONG = 64 };
    const Node *n = &g->node[id];
    int64_t length;
    return op_info[n->op].class == REDUCE &&
           split_extent(g, n->src[0], split_inner_axes(g, n), &length) && length >= LONG;
}

/* Adds a node and all that changes with it; false, and nothing is added: one has to keep its shape.
 */
static bool add_all(Reshaped *r, Together *t, NodeId first) {
    const int before = t->nodes.count;
    const bool was_stored = t->is_stored;
    add(r, t, first);
    for (int i = before; i < t->nodes.count; i++) {
        if (add_beside(r, t, t->nodes.at[i])) continue;
        t->nodes.count = before;
        t->is_stored = was_stored;
        return false;
    }
    return true;
}

/* Adds what reads an input of the nodes in their shape: it is read once then. */
static void add_siblings(Reshaped *r, Together *t) {
    const Graph *g = r->from;
    for (int i = 0; i < t->nodes.count; i++) {
        const Node *n = &g->node[t->nodes.at[i]];
        for (int s = 0; s < n->src_count; s++) {
            const NodeList *readers = &r->readers[n->src[s]];
            if (g->node[n->src[s]].op != OP_INPUT) continue;
            for (int k = 0; k < readers->count; k++)
                if (class_of(g, readers->at[k]) == MAP) add_all(r, t, readers->at[k]);
        }
    }
}

/* Adds what a reduction reads element by element, where that has another shape. */
static void add_read(Reshaped *r, Together *t) {
    const Graph *g = r->from;
    NodeList work = {0};
    vec_push(g->arena, &work, shape_of(r, t));
    for (int i = 0; i < work.count; i++) {
        const NodeId id = work.at[i], from = below_reshapes(g, id);
        const Node *n = &g->node[id];
        if (r->seen[id] == t->reduction) continue;
        r->seen[id] = t->reduction;
        if (class_of(g, from) != MAP) continue;
        if (!have_same_shape(g, from, shape_of(r, t)))
            add_all(r, t, from);
        else
            for (int s = 0; s < n->src_count; s++) vec_push(g->arena, &work, n->src[s]);
    }
}

/* Of a reduction that reads another shape of what is computed element by element. */
static bool consider(Reshaped *r, NodeId reduction) {
    const Graph *g = r->from;
    Together t = {.reduction = reduction};
    if (!reduces_long_rows(g, reduction)) return false;
    add_read(r, &t);
    add_siblings(r, &t);
    for (int i = 0; t.is_stored && i < t.nodes.count; i++) r->as[t.nodes.at[i]] = shape_of(r, &t);
    return t.is_stored;
}

/* ---- the graph ------------------------------------------------------------------------------- */

/* x in the shape of another node. */
static NodeId in_shape(Graph *to, NodeId x, const Node *like) {
    x = below_reshapes(to, x);
    const Node *n = &to->node[x];
    if (n->op != OP_BROADCAST || cost_elements(to, n->src[0]) != 1)
        return graph_reshape(to, x, like->rank, like->shape, like->span);
    const NodeId one = graph_reshape(to, n->src[0], 0, NULL, like->span);
    return graph_broadcast(to, one, like->rank, like->shape, like->span);
}

static NodeId reshaped_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                            void *context) {
    const Reshaped *r = context;
    const Node *like = &from->node[r->as[old]];
    Node n = *draft;
    if (n.op == OP_RESHAPE && to->node[n.src[0]].op == OP_RESHAPE)
        return in_shape(to, n.src[0], draft);
    if (!r->as[old]) return graph_add(to, draft);
    for (int i = 0; i < n.src_count; i++) n.src[i] = in_shape(to, n.src[i], like);
    n.rank = like->rank;
    for (int i = 0; i < n.rank; i++) n.shape[i] = like->shape[i];
    const NodeId made = graph_add(to, &n);
    graph_name(to, made, from->node[old].name);
    return graph_reshape(to, made, draft->rank, draft->shape, draft->span);
}

const Graph *split_reshaped(const Graph *g) {
    Reshaped r = {.from = g};
    bool any = false;
    if (g->attrs.max_kernels) return g;
    r.readers = arena_array(g->arena, NodeList, g->count);
    r.is_output = arena_array(g->arena, bool, g->count);
    r.is_pure = arena_array(g->arena, bool, g->count);
    r.as = arena_array(g->arena, NodeId, g->count);
    r.in = arena_array(g->arena, NodeId, g->count);
    r.seen = arena_array(g->arena, NodeId, g->count);
    find_facts(&r);
    for (NodeId id = 1; id < g->count; id++) any |= consider(&r, id);
    return any ? graph_rewrite(g, reshaped_rule, &r) : g;
}
