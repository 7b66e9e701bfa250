/* grouped.c: rows that are reduced, and of which groups are reduced in another shape, are computed
 * in that shape: one kernel does both. needs: simplified. keeps: meaning. breaks: nothing.
 *
 *     y = x[N, D] * f(sum(x along D)); max(reshape(y, N, G, K) along K)
 *
 *     becomes, where z = reshape(x, N, G, K),
 *
 *     y = z[N, G, K] * f(sum(z along G, K)); max(y along K)
 *
 * Element-by-element work and reductions of one shape, [N, D], that depend on each other change
 * together. */
#include "sched/split/split.h"

typedef Vec(NodeId) NodeList;

/* A shape whose last axes are groups and their columns. */
typedef struct Grouped {
    int rank, split; /* those from `split` on are one axis otherwise */
    Dim shape[RANK_MAX], columns;
} Grouped;

typedef struct Grouping {
    const Graph *from;
    const Machine *machine;
    NodeList *readers; /* by node */
    const bool *reduced;
    bool *of_product;   /* node is computed from a product element by element */
    const Grouped **as; /* node -> the shape that it is computed in; NULL: its own */
    NodeId *seen;       /* node -> the last reduction that it was looked at for */
    Vec(const Grouped *) shapes;
} Grouping;

/* What is computed together with a reduction of rows. */
typedef struct Region {
    NodeId reduction;
    NodeList nodes; /* looked at, also values of rows */
    Grouped shape;  /* rank 0: none was found */
    bool refused;
} Region;

static OpClass class_of(const Graph *g, NodeId id) { return op_info[g->node[id].op].class; }

static bool has_shape_of(const Graph *g, NodeId a, NodeId b) {
    const Node *x = &g->node[a], *y = &g->node[b];
    return shape_equal(x->rank, x->shape, y->rank, y->shape);
}

static NodeId rows_of(const Graph *g, const Region *r) { return g->node[r->reduction].src[0]; }

/* Does it reduce the last axis of such rows? */
static bool reduces_rows(const Graph *g, NodeId id, NodeId rows) {
    const Node *n = &g->node[id], *x = &g->node[rows];
    return class_of(g, id) == REDUCE && n->op != OP_ARGMAX && n->attr[0] == 1 << (x->rank - 1) &&
           has_shape_of(g, n->src[0], rows);
}

/* ---- the groups ------------------------------------------------------------------------------ */

/* Is the last axis of the rows several axes of the other node, after the same ones? Axes of size 1
 * do not count. */
static bool splits_last(const Graph *g, const Node *rows, const Node *n, Grouped *shape) {
    int at = 0;
    shape->rank = shape->split = rows->rank - 1;
    for (int i = 0; i < rows->rank - 1; i++) {
        shape->shape[i] = rows->shape[i];
        if (dim_is(g->dims, rows->shape[i], 1)) continue;
        while (at < n->rank && dim_is(g->dims, n->shape[at], 1)) at++;
        if (at == n->rank || n->shape[at++] != rows->shape[i]) return false;
    }
    for (; at < n->rank; at++)
        if (!dim_is(g->dims, n->shape[at], 1)) {
            if (shape->rank == RANK_MAX) return false;
            shape->shape[shape->rank++] = n->shape[at];
        }
    return shape->rank > shape->split + 1;
}

static Dim extent(const Graph *g, const Dim *shape, int from, int to) {
    Dim all = dim_const(g->dims, 1);
    for (int i = from; i < to && all; i++) all = dim_mul(g->dims, all, shape[i]);
    return all;
}

/* Does it reduce the last axes of such a shape, but not all that are a row? The number of those. */
static int group_axes(const Graph *g, NodeId id, const Grouped *shape) {
    const Node *n = &g->node[id], *x = &g->node[n->src[0]];
    const int more = x->rank - shape->rank;
    int count = 0;
    if (class_of(g, id) != REDUCE || more < 0) return 0;
    for (int i = 0, k = 0; i < x->rank; i++) {
        if (dim_is(g->dims, x->shape[i], 1)) continue;
        while (k < shape->rank && dim_is(g->dims, shape->shape[k], 1)) k++;
        if (k == shape->rank || shape->shape[k++] != x->shape[i]) return 0;
    }
    for (int i = x->rank - 1; i >= 0; i--) {
        if (dim_is(g->dims, x->shape[i], 1)) continue;
        if (!(n->attr[0] >> i & 1)) break;
        count++;
    }
    for (int i = x->rank - 1, k = count; i >= 0; i--) {
        if (dim_is(g->dims, x->shape[i], 1)) continue;
        if (k-- <= 0 && n->attr[0] >> i & 1) return 0;
    }
    return count < shape->rank - shape->split ? count : 0;
}

/* Takes the shape of a view of the rows, if groups of it are reduced. */
static void consider_shape(const Grouping *p, Region *r, NodeId view) {
    const Graph *g = p->from;
    Grouped shape;
    if (r->shape.rank || !splits_last(g, &g->node[rows_of(g, r)], &g->node[view], &shape)) return;
    for (NodeId id = 1; id < g->count; id++) {
        const int axes = group_axes(g, id, &shape);
        if (!axes) continue;
        const Dim rows = extent(g, shape.shape, 0, shape.split);
        const Dim columns = extent(g, shape.shape, shape.split, shape.rank);
        const Dim group = extent(g, shape.shape, shape.rank - axes, shape.rank);
        if (cost_may_group(p->machine, g->dims, rows, columns, group)) r->shape = shape;
        return;
    }
}

/* ---- what changes together ------------------------------------------------------------------- */

static void add(Grouping *p, Region *r, NodeId id) {
    if (p->seen[id] == r->reduction) return;
    p->seen[id] = r->reduction;
    vec_push(p->from->arena, &r->nodes, id);
}

/* Is it a value of each row: of the shape without its last axis? */
static bool is_of_row(const Graph *g, NodeId id, NodeId rows) {
    const Node *n = &g->node[id], *x = &g->node[rows];
    int at = 0;
    for (int i = 0; i < x->rank - 1; i++) {
        if (dim_is(g->dims, x->shape[i], 1)) continue;
        while (at < n->rank && dim_is(g->dims, n->shape[at], 1)) at++;
        if (at == n->rank || n->shape[at++] != x->shape[i]) return false;
    }
    while (at < n->rank && dim_is(g->dims, n->shape[at], 1)) at++;
    return at == n->rank;
}

static bool is_of_region(const Grouping *p, NodeId id, NodeId rows) {
    const Graph *g = p->from;
    const OpClass class = class_of(g, id);
    if (class == REDUCE) return reduces_rows(g, id, rows);
    if (class != MAP || g->node[id].stored || p->as[id]) return false;
    if (p->of_product[id] && !p->reduced[id]) return false; /* of the product's kernel */
    return has_shape_of(g, id, rows) || is_of_row(g, id, rows);
}

static void add_sources(Grouping *p, Region *r, NodeId id) {
    const Graph *g = p->from;
    const NodeId rows = rows_of(g, r);
    for (int i = 0; i < g->node[id].src_count; i++) {
        NodeId from = g->node[id].src[i];
        while (class_of(g, from) == VIEW) {
            if (g->node[from].op == OP_RESHAPE && has_shape_of(g, from, rows))
                consider_shape(p, r, g->node[from].src[0]);
            if (g->node[from].op != OP_BROADCAST && g->node[from].op != OP_RESHAPE) break;
            from = g->node[from].src[0];
        }
        if (is_of_region(p, from, rows)) add(p, r, from);
    }
}

static void add_readers(Grouping *p, Region *r, NodeId id) {
    const Graph *g = p->from;
    const NodeId rows = rows_of(g, r);
    for (int i = 0; i < p->readers[id].count; i++) {
        const NodeId reader = p->readers[id].at[i];
        const OpClass class = class_of(g, reader);
        if (class == SCAN || class == PARTIAL) r->refused = true;
        if (g->node[reader].op == OP_ARGMAX && has_shape_of(g, id, rows)) r->refused = true;
        if (is_of_region(p, reader, rows)) add(p, r, reader);
        if (g->node[reader].op == OP_RESHAPE && has_shape_of(g, id, rows))
            consider_shape(p, r, reader);
        if (g->node[reader].op == OP_RESHAPE || g->node[reader].op == OP_BROADCAST)
            if (p->seen[reader] != r->reduction) {
                p->seen[reader] = r->reduction;
                add_readers(p, r, reader);
            }
    }
}

static bool consider(Grouping *p, NodeId reduction) {
    const Graph *g = p->from;
    Region r = {.reduction = reduction};
    if (p->as[reduction] || !reduces_rows(g, reduction, g->node[reduction].src[0])) return false;
    add(p, &r, reduction);
    for (int i = 0; i < r.nodes.count && !r.refused; i++) {
        add_sources(p, &r, r.nodes.at[i]);
        add_readers(p, &r, r.nodes.at[i]);
    }
    if (r.refused || !r.shape.rank) return false;
    Grouped *shape = arena_new_of(g->arena, Grouped);
    *shape = r.shape;
    shape->columns = g->node[rows_of(g, &r)].shape[shape->split];
    vec_push(g->arena, &p->shapes, shape);
    for (int i = 0; i < r.nodes.count; i++) {
        const NodeId id = r.nodes.at[i];
        if (class_of(g, id) == REDUCE || has_shape_of(g, id, rows_of(g, &r))) p->as[id] = shape;
    }
    return true;
}

/* ---- the graph ------------------------------------------------------------------------------- */

static NodeId below_reshapes(const Graph *g, NodeId id) {
    while (g->node[id].op == OP_RESHAPE) id = g->node[id].src[0];
    return id;
}

/* x, whose last axis is that of the rows or of size 1, in the shape of groups. */
static NodeId in_groups(Graph *to, NodeId x, const Grouped *like) {
    x = below_reshapes(to, x);
    const Node n = to->node[x], y = to->node[n.src[0]];
    if (n.op != OP_BROADCAST || n.rank != like->split + 1)
        return graph_reshape(to, x, like->rank, like->shape, n.span);
    Dim shape[RANK_MAX];
    const bool spreads = dim_is(to->dims, y.shape[like->split], 1);
    for (int i = 0; i < like->rank; i++)
        shape[i] = i < like->split ? y.shape[i] : spreads ? y.shape[like->split] : like->shape[i];
    const NodeId below = graph_reshape(to, n.src[0], like->rank, shape, n.span);
    return graph_broadcast(to, below, like->rank, like->shape, n.span);
}

/* Is x, below reshapes, a value of the rows that is spread to the shape of groups? */
static const Grouped *spread_in_groups(const Graph *to, const Grouping *p, NodeId x,
                                       const Node *draft) {
    const Node *n = &to->node[below_reshapes(to, x)];
    for (int i = 0; i < p->shapes.count && n->op == OP_BROADCAST; i++) {
        const Grouped *like = p->shapes.at[i];
        if (shape_equal(draft->rank, draft->shape, like->rank, like->shape) &&
            n->rank == like->split + 1 && n->shape[like->split] == like->columns &&
            shape_equal(like->split, n->shape, like->split, like->shape))
            return like;
    }
    return NULL;
}

static NodeId grouped_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                           void *context) {
    const Grouping *p = context;
    const Grouped *like = p->as[old];
    Node n = *draft;
    const Grouped *spread = n.op == OP_RESHAPE ? spread_in_groups(to, p, n.src[0], draft) : NULL;
    if (spread) return in_groups(to, n.src[0], spread);
    if (n.op == OP_RESHAPE)
        return graph_reshape(to, below_reshapes(to, n.src[0]), n.rank, n.shape, n.span);
    if (!like) return graph_add(to, draft);
    for (int i = 0; i < n.src_count; i++) n.src[i] = in_groups(to, n.src[i], like);
    NodeId made;
    if (op_info[n.op].class == REDUCE) {
        const uint32_t columns = (1u << like->rank) - (1u << like->split);
        made = graph_reduce(to, n.op, n.src[0], columns, n.span);
    } else {
        n.rank = like->rank;
        for (int i = 0; i < n.rank; i++) n.shape[i] = like->shape[i];
        made = graph_add(to, &n);
    }
    graph_name(to, made, from->node[old].name);
    return graph_reshape(to, made, draft->rank, draft->shape, draft->span);
}

static void find_facts(Grouping *p) {
    const Graph *g = p->from;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        p->of_product[id] = class == DOT;
        for (int i = 0; i < n->src_count; i++) {
            vec_push(g->arena, &p->readers[n->src[i]], id);
            p->of_product[id] |= (class == MAP || class == VIEW) && p->of_product[n->src[i]];
        }
    }
}

const Graph *split_grouped(const Graph *g, const Machine *machine) {
    Grouping p = {.from = g, .machine = machine, .reduced = split_reduced(g)};
    bool any = false;
    p.readers = arena_array(g->arena, NodeList, g->count);
    p.of_product = arena_array(g->arena, bool, g->count);
    p.as = arena_array(g->arena, const Grouped *, g->count);
    p.seen = arena_array(g->arena, NodeId, g->count);
    find_facts(&p);
    for (NodeId id = 1; id < g->count; id++) any |= consider(&p, id);
    return any ? graph_rewrite(g, grouped_rule, &p) : g;
}
