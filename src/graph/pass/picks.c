/* picks.c: sum(where(iota(n) == k, x, 0)) along n is the element of x at k, if there is one. Where
 * x is made of inputs that nothing else reads, a gather of these elements takes the place of the
 * sum:
 *
 *     sum over n of where(iota(n) == k[b], f(x[b n t]), 0)
 *
 * is f of the rows at b * N + k[b] of x[b * n, t], where k[b] is in 0..N, else 0. A kernel that
 * reads all of x does the same without a gather (kernel/build/pick.c).
 *
 *   needs   simplified
 *   keeps   meaning; -0 may become 0
 *   breaks  nothing */
#include "graph/pass/pass.h"

/* The source below broadcasts. */
static NodeId unspread(const Graph *g, NodeId id) {
    while (g->node[id].op == OP_BROADCAST && g->node[g->node[id].src[0]].rank == g->node[id].rank)
        id = g->node[id].src[0];
    return id;
}

static bool is_widened(const Graph *g, NodeId id) {
    return g->node[id].op == OP_CAST && g->node[id].type == T_I64;
}

/* Is it 0, 1, .. along the axis? */
static bool counts_along(const Graph *g, NodeId id, int axis) {
    id = unspread(g, id);
    for (int i = 0; i < g->node[id].rank; i++)
        if (i != axis && !dim_is(g->dims, g->node[id].shape[i], 1)) return false;
    while (g->node[id].op == OP_RESHAPE || is_widened(g, id)) id = g->node[id].src[0];
    return g->node[id].op == OP_IOTA && g->node[id].rank == 1;
}

static bool is_same_along(const Graph *g, NodeId id, int axis) {
    const Node *n = &g->node[unspread(g, id)];
    return n->rank > axis && dim_is(g->dims, n->shape[axis], 1);
}

bool find_pick(const Graph *g, const Node *sum, Pick *p) {
    const Node *where = &g->node[sum->src[0]], *eq = &g->node[where->src[0]];
    if (sum->op != OP_SUM || where->op != OP_WHERE || eq->op != OP_EQ) return false;
    for (p->axis = 0; p->axis < where->rank && sum->attr[0] != 1 << p->axis;) p->axis++;
    if (p->axis == where->rank || !node_is_all(g, where->src[2], 0)) return false;
    p->x = where->src[1];
    for (int side = 0; side < 2; side++) {
        p->k = eq->src[1 - side];
        if (counts_along(g, eq->src[side], p->axis) && is_same_along(g, p->k, p->axis)) return true;
    }
    return false;
}

/* ---- comparisons of fewer axes --------------------------------------------------------------- */

/* A broadcast, or a reshape that only adds and drops axes of size 1? */
static bool is_spreading(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    return n->op == OP_BROADCAST ||
           (n->op == OP_RESHAPE && node_has_same_axes(g, n, &g->node[n->src[0]]));
}

/* Such a reshape of what a broadcast spreads: the broadcast comes last. */
static NodeId reshape_below(Graph *g, const Node *reshape, NodeId x) {
    const Node from = g->node[x], small = g->node[unspread(g, x)];
    Dim shape[RANK_MAX];
    for (int i = 0, j = 0; i < reshape->rank; i++) {
        shape[i] = dim_const(g->dims, 1);
        while (j < from.rank && dim_is(g->dims, from.shape[j], 1)) j++;
        if (j < from.rank && !dim_is(g->dims, reshape->shape[i], 1)) shape[i] = small.shape[j++];
    }
    const NodeId reshaped = graph_reshape(g, unspread(g, x), reshape->rank, shape, reshape->span);
    return graph_broadcast(g, reshaped, reshape->rank, reshape->shape, reshape->span);
}

/* The same views of x. */
static NodeId spread_like(Graph *g, NodeId view, NodeId x) {
    if (!is_spreading(g, view)) return x;
    const Node n = g->node[view];
    const NodeId below = spread_like(g, n.src[0], x);
    return n.op == OP_RESHAPE ? reshape_below(g, &n, below)
                              : graph_broadcast(g, below, n.rank, n.shape, n.span);
}

static bool is_counted(const Graph *g, NodeId id) {
    while (is_spreading(g, id) || is_widened(g, id)) id = g->node[id].src[0];
    return g->node[id].op == OP_IOTA;
}

/* The comparison with iota below views that spread it to the axes of x; 0: there is none. */
static NodeId spread_comparison(const Graph *g, const Node *where) {
    NodeId eq = where->op == OP_WHERE ? where->src[0] : 0;
    if (!is_spreading(g, eq) || !node_is_all(g, where->src[2], 0)) return 0;
    while (is_spreading(g, eq)) eq = g->node[eq].src[0];
    const Node *n = &g->node[eq];
    return n->op == OP_EQ && (is_counted(g, n->src[0]) || is_counted(g, n->src[1])) ? eq : 0;
}

static bool sums_spread(const Graph *g, NodeId sum) {
    return g->node[sum].op == OP_SUM && spread_comparison(g, &g->node[g->node[sum].src[0]]);
}

/* where(spread(k == iota), x, 0), which is summed, compares spread operands: the form of a pick. */
static NodeId spread_rule(Graph *g, const Graph *from, NodeId old, const Node *draft,
                          void *context) {
    const bool *summed = context;
    if (!summed[old]) return graph_add(g, draft);
    const Node eq = g->node[spread_comparison(g, draft)];
    const NodeId a = spread_like(g, draft->src[0], eq.src[0]);
    const NodeId b = spread_like(g, draft->src[0], eq.src[1]);
    Node where = *draft;
    (void)from;
    where.src[0] = graph_map(g, OP_EQ, a, b, 0, eq.span);
    return graph_add(g, &where);
}

static const Graph *spread_comparisons(const Graph *g) {
    bool *summed = arena_array(g->arena, bool, g->count), any = false;
    for (NodeId id = 1; id < g->count; id++) {
        if (!sums_spread(g, id)) continue;
        summed[g->node[id].src[0]] = any = true;
    }
    return any ? graph_rewrite(g, spread_rule, summed) : g;
}

/* ---- which ----------------------------------------------------------------------------------- */

static bool is_pick(const Graph *g, NodeId sum) {
    Pick p;
    return find_pick(g, &g->node[sum], &p);
}

/* By node: do only picks read it, or pointwise functions and views of it that only picks read? */
static const bool *find_only_picked(const Graph *g) {
    bool *only = arena_array(g->arena, bool, g->count);
    for (NodeId id = 1; id < g->count; id++) only[id] = true;
    for (int i = 0; i < g->outputs.count; i++) only[g->outputs.at[i].node] = false;
    for (NodeId id = g->count - 1; id > 0; id--) {
        const OpClass class = op_info[g->node[id].op].class;
        const bool passes = (class == MAP || class == VIEW) && only[id];
        for (int i = 0; i < g->node[id].src_count && !passes && !is_pick(g, id); i++)
            only[g->node[id].src[i]] = false;
    }
    return only;
}

/* An input, in another order or in part? */
static bool is_stored(const Graph *g, NodeId id) {
    while (g->node[id].op == OP_RESHAPE || g->node[id].op == OP_PERMUTE ||
           g->node[id].op == OP_SLICE)
        id = g->node[id].src[0];
    return g->node[id].op == OP_INPUT;
}

static uint32_t axes_of_one(const Graph *g, NodeId id) {
    uint32_t axes = 0;
    for (int i = 0; i < g->node[id].rank; i++) axes |= (uint32_t)is_same_along(g, id, i) << i;
    return axes;
}

/* By node: the axes along which its elements can be had without the others. */
static const uint32_t *find_axes(const Graph *g) {
    const bool *only = find_only_picked(g);
    uint32_t *axes = arena_array(g->arena, uint32_t, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        const bool passes = op_info[n->op].class == MAP || n->op == OP_BROADCAST;
        uint32_t all = only[id] && (is_stored(g, id) || passes) ? ~0u : 0;
        for (int i = 0; i < n->src_count && !is_stored(g, id); i++) all &= axes[n->src[i]];
        axes[id] = all | axes_of_one(g, id);
    }
    return axes;
}

static bool is_taken(const Graph *g, const uint32_t *axes, NodeId sum) {
    Pick p;
    return find_pick(g, &g->node[sum], &p) && axes[p.x] >> p.axis & 1;
}

/* ---- the gather ------------------------------------------------------------------------------ */

static bool is_in_32_bits(const Graph *g, Dim extent) {
    int64_t least, most;
    dim_range(g->dims, extent, &least, &most);
    return most <= INT32_MAX;
}

/* Elements of x at positions along an axis. */
typedef struct Take {
    Graph *g;
    int axis;
    NodeId k;      /* along the axis, where it is valid: of a type that counts all of x */
    bool are_rows; /* k is the same along all axes behind */
    Node kept;     /* the sum: its shape has 1 along the axis */
    NodeId *done;  /* by node of x: its elements, spread to that shape, or 0 */
} Take;

static Dim product(Graph *g, const Dim *shape, int from, int to) {
    Dim all = dim_const(g->dims, 1);
    for (int i = from; i < to; i++) all = dim_mul(g->dims, all, shape[i]);
    return all;
}

static NodeId spread(const Take *t, NodeId x) {
    return graph_broadcast(t->g, x, t->kept.rank, t->kept.shape, t->kept.span);
}

/* 0, 1, .. in row-major order along axes from..to of x, 1 along the others. */
static NodeId counted(const Take *t, const Node *x, int from, int to) {
    Graph *g = t->g;
    Dim shape[RANK_MAX];
    for (int i = 0; i < x->rank; i++)
        shape[i] = i >= from && i < to ? x->shape[i] : dim_const(g->dims, 1);
    Node iota = {.op = OP_IOTA, .type = g->node[t->k].type, .rank = 1, .span = t->kept.span};
    iota.shape[0] = product(g, shape, 0, x->rank);
    return graph_reshape(g, graph_add(g, &iota), x->rank, shape, t->kept.span);
}

static NodeId scaled(const Take *t, NodeId x, Dim by, NodeId plus) {
    const Span span = t->kept.span;
    const NodeId all = graph_op(t->g, OP_MUL, x, graph_dim(t->g, by, span), 0, span);
    return graph_op(t->g, OP_ADD, all, plus, 0, span);
}

/* Rows of all axes up to this one: of x[b, n, t] those at b * N + k. */
static NodeId rows_at(const Take *t, const Node *x) {
    return scaled(t, counted(t, x, 0, t->axis), x->shape[t->axis], t->k);
}

static NodeId gather_of(const Take *t, NodeId x, int rank, const Dim *shape, NodeId at) {
    Node n = {.op = OP_GATHER, .src_count = 2, .span = t->kept.span};
    n.src[0] = graph_reshape(t->g, x, rank, shape, t->kept.span);
    n.src[1] = at;
    return graph_add(t->g, &n);
}

static NodeId gathered_rows(const Take *t, NodeId id) {
    Graph *g = t->g;
    const Node x = g->node[id];
    Dim lead[RANK_MAX], rows[RANK_MAX], all[RANK_MAX];
    rows[0] = product(g, x.shape, 0, t->axis + 1);
    for (int i = 0; i < x.rank; i++) {
        lead[i] = i < t->axis ? t->kept.shape[i] : dim_const(g->dims, 1);
        all[i] = i > t->axis ? x.shape[i] : lead[i];
        if (i > t->axis) rows[i - t->axis] = x.shape[i];
    }
    const NodeId at = graph_broadcast(g, rows_at(t, &x), x.rank, lead, t->kept.span);
    const NodeId flat = graph_reshape(g, at, t->axis, lead, t->kept.span);
    const NodeId found = gather_of(t, id, x.rank - t->axis, rows, flat);
    return spread(t, graph_reshape(g, found, x.rank, all, t->kept.span));
}

static NodeId gathered(const Take *t, NodeId id) {
    Graph *g = t->g;
    if (t->are_rows) return gathered_rows(t, id);
    const Node x = g->node[id];
    const Dim row = product(g, x.shape, t->axis + 1, x.rank), all = product(g, x.shape, 0, x.rank);
    const NodeId behind = counted(t, &x, t->axis + 1, x.rank);
    return gather_of(t, id, 1, &all, spread(t, scaled(t, rows_at(t, &x), row, behind)));
}

static NodeId taken(Take *t, NodeId id) {
    Graph *g = t->g;
    if (t->done[id]) return t->done[id];
    if (is_same_along(g, id, t->axis)) return t->done[id] = spread(t, unspread(g, id));
    if (is_stored(g, id)) return t->done[id] = gathered(t, id);
    if (g->node[id].op == OP_BROADCAST) return t->done[id] = taken(t, g->node[id].src[0]);
    Node map = g->node[id];
    for (int i = 0; i < map.src_count; i++) map.src[i] = taken(t, map.src[i]);
    for (int i = 0; i < map.rank; i++) map.shape[i] = t->kept.shape[i];
    return t->done[id] = graph_add(g, &map);
}

/* k in a type that has all positions along the axis. */
static NodeId wide_enough(Graph *g, NodeId k, Dim extent) {
    const bool fits = g->node[k].type == T_I64 || is_in_32_bits(g, extent);
    return fits ? k : graph_cast(g, k, T_I64, g->node[k].span);
}

/* The nearest position along the axis. */
static NodeId clamped(Graph *g, NodeId k, Dim extent, Span span) {
    const NodeId one = graph_literal(g, true, 0, 1, span),
                 zero = graph_literal(g, true, 0, 0, span);
    const NodeId last = graph_op(g, OP_SUB, graph_dim(g, extent, span), one, 0, span);
    return graph_op(g, OP_MIN, graph_op(g, OP_MAX, k, zero, 0, span), last, 0, span);
}

static bool is_same_behind(const Graph *g, NodeId k, int axis) {
    bool is_same = true;
    for (int i = axis + 1; i < g->node[k].rank; i++)
        is_same &= dim_is(g->dims, g->node[k].shape[i], 1);
    return is_same;
}

static NodeId pick_rule(Graph *g, const Graph *from, NodeId old, const Node *draft, void *context) {
    Pick p;
    if (!is_taken(from, *(const uint32_t **)context, old) || !find_pick(g, draft, &p))
        return graph_add(g, draft);
    const Node x = g->node[p.x];
    const Span span = draft->span;
    const NodeId k = wide_enough(g, unspread(g, p.k), x.shape[p.axis]);
    const NodeId inside = clamped(g, k, x.shape[p.axis], span);
    const bool is_short = is_in_32_bits(g, product(g, x.shape, 0, x.rank));
    Take t = {.g = g, .axis = p.axis, .are_rows = is_same_behind(g, k, p.axis)};
    t.kept = from->node[old];
    t.kept.span = span;
    t.k = graph_cast(g, inside, is_short ? T_I32 : T_I64, span);
    t.done = arena_array(g->arena, NodeId, g->count);
    const NodeId hit = spread(&t, graph_op(g, OP_EQ, k, inside, 0, span));
    return graph_map(g, OP_WHERE, hit, taken(&t, p.x), spread(&t, graph_zero(g, x.type, span)),
                     span);
}

const Graph *picks(const Graph *plain) {
    const Graph *g = spread_comparisons(plain);
    const uint32_t *axes = find_axes(g);
    bool any = false;
    for (NodeId id = 1; id < g->count && !any; id++) any = is_taken(g, axes, id);
    return any ? graph_rewrite(g, pick_rule, &axes) : g;
}
