/* joined.c: what reads a concatenation, that a backward pass makes of the cotangents of slices,
 * reads its parts: then parts that are functions of the same values are computed together, and
 * these are read once. needs: simplified. keeps: meaning; the sums of a product are grouped by
 * parts, in order. breaks: nothing.
 *
 *     y = pad(a) + pad(b)            sum(y), y as T     become   the same of a and b
 *     y[M, K + L] @ w[K + L, N]      becomes   a @ w[:K] + b @ w[K:]
 *     y[K + L, M] @ x[M, N]          becomes   a @ x and b @ x, side by side
 *
 * Only if all readers of the concatenation are such, and the reads that are saved take longer than
 * the copy of the products' results, and more launches. On a GPU, where larger products are faster,
 * for memory: if the function consumes inputs, over which the parts may be written. */
#include "sched/split/split.h"

enum {
    MOST_PARTS = 4,
    MORE_LAUNCHES = 4 /* about: of products, of sums, and of copies of both */
};

/* The parts of a value along an axis, in order: in the old graph or the new one. */
typedef struct Parts {
    int axis, count;
    NodeId at[MOST_PARTS];
    Dim start[MOST_PARTS], extent[MOST_PARTS];
} Parts;

typedef struct Pass {
    const Graph *from;
    Graph *to;
    const Machine *machine;
    Parts **whole;  /* by concatenation: its parts in the old graph, or NULL */
    NodeId *root;   /* the concatenation that a value is a function of, in parts; 0: none */
    int *axis;      /* .. and the axis of its parts */
    bool *result;   /* is it a product or a sum in parts? Anything may read it */
    bool *refused;  /* a concatenation with other readers */
    double *copied; /* of a concatenation: bytes of the products that are put together again */
    NodeId *id;     /* in the new graph */
    Parts **parts;  /* .. and there */
} Pass;

/* ---- concatenations ------------------------------------------------------------------------ */

/* The only axis along which a pad makes it longer; -1: there is none, or more than one. */
static int padded_axis(const Graph *g, const Node *pad) {
    const Node *x = &g->node[pad->src[0]];
    int axis = -1;
    if (pad->op != OP_PAD || !node_is_all(g, pad->src[1], 0)) return -1;
    for (int i = 0; i < pad->rank; i++) {
        if (x->shape[i] == pad->shape[i]) continue;
        if (axis >= 0) return -1;
        axis = i;
    }
    return axis;
}

/* The parts that a tree of additions of pads has, at most `depth` deep. */
static bool add_parts(const Graph *g, NodeId id, int depth, Parts *p) {
    const Node *n = &g->node[id];
    if (n->op == OP_ADD && depth)
        return add_parts(g, n->src[0], depth - 1, p) && add_parts(g, n->src[1], depth - 1, p);
    const int axis = padded_axis(g, n), i = p->count;
    if (axis < 0 || i == MOST_PARTS || (i && axis != p->axis)) return false;
    p->axis = axis;
    p->at[i] = n->src[0];
    p->start[i] = n->attr[axis];
    p->extent[i] = g->node[n->src[0]].shape[axis];
    p->count++;
    return true;
}

static void swap_parts(Parts *p, int i, int j) {
    const Parts old = *p;
    p->at[i] = old.at[j], p->start[i] = old.start[j], p->extent[i] = old.extent[j];
    p->at[j] = old.at[i], p->start[j] = old.start[i], p->extent[j] = old.extent[i];
}

/* In order, each part starting where the one before it ends. */
static bool is_whole(const Graph *g, Parts *p, Dim size) {
    Dim end = dim_const(g->dims, 0);
    for (int i = 0; i < p->count; i++) {
        for (int j = i; j < p->count && p->start[i] != end; j++) swap_parts(p, i, j);
        if (p->start[i] != end) return false;
        end = dim_add(g->dims, end, p->extent[i]);
    }
    return end == size;
}

static Parts *find_parts(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    Parts p = {.axis = -1};
    if (n->op != OP_ADD || !dtype_is_float(n->type) || !add_parts(g, id, MOST_PARTS - 1, &p))
        return NULL;
    if (p.count < 2 || !is_whole(g, &p, n->shape[p.axis])) return NULL;
    Parts *found = arena_array(g->arena, Parts, 1);
    return *found = p, found;
}

/* ---- readers ------------------------------------------------------------------------------- */

enum { SUMMED = -1, IN_BATCH = -2 };

/* Of a contraction's result: the axis that this one of an operand becomes. */
static int dot_axis(const Graph *g, const Node *dot, int side, int axis) {
    const int batch = dot->attr[0], own = g->node[dot->src[side]].rank - dot->attr[1];
    const int m = g->node[dot->src[0]].rank - batch - dot->attr[1];
    if (axis < batch) return IN_BATCH;
    return axis >= own ? SUMMED : side == 0 ? axis : axis + m;
}

static int permuted_axis(const Node *permute, int axis) {
    int i = 0;
    while (permute->attr[i] != axis) i++;
    return i;
}

/* Has the product of each part tiles for the whole GPU? */
static bool fills(const Pass *p, NodeId dot, int axis, const Parts *parts) {
    const Graph *g = p->from;
    const double tiles = cost_elements(g, dot) / (COST_TILE * COST_TILE);
    for (int i = 0; i < parts->count && machine_is_gpu(p->machine); i++) {
        const double part = (double)cost_dim(g, parts->extent[i]);
        if (tiles * part / (double)cost_dim(g, g->node[dot].shape[axis]) <
            0.9 * p->machine->processors)
            return false;
    }
    return true;
}

/* A product of parts, with an operand that has none. Scores that a backward pass computes again are
 * for a kernel of their own. */
static bool read_by_dot(Pass *p, NodeId id, int side) {
    const Node *n = &p->from->node[id];
    const NodeId x = n->src[side];
    const int axis = dot_axis(p->from, n, side, p->axis[x]);
    if (p->root[n->src[1 - side]] || n->attr[2] || axis == IN_BATCH) return false;
    if (axis == SUMMED) return true;
    p->root[id] = p->root[x], p->axis[id] = axis, p->result[id] = true;
    p->copied[p->root[x]] += 2 * (double)cost_bytes(p->from, id);
    return fills(p, id, axis, p->whole[p->root[x]]);
}

/* May source number i of the node be in parts, as it is? */
static bool may_read(Pass *p, NodeId id, int i) {
    const Node *n = &p->from->node[id];
    const NodeId x = n->src[i];
    const int axis = p->axis[x];
    if (p->result[x] && n->op != OP_CAST) return true;
    if (n->op == OP_DOT) return read_by_dot(p, id, i);
    p->root[id] = p->root[x], p->axis[id] = axis, p->result[id] = p->result[x] || n->op == OP_SUM;
    if (n->op == OP_PERMUTE) p->axis[id] = permuted_axis(n, axis);
    if (n->op == OP_SUM) return !(n->attr[0] >> axis & 1);
    return n->op == OP_PERMUTE || (n->op == OP_CAST && dtype_is_float(n->type));
}

static void find_readers(Pass *p) {
    const Graph *g = p->from;
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        if ((p->whole[id] = find_parts(g, id))) p->root[id] = id, p->axis[id] = p->whole[id]->axis;
        for (int i = 0; i < n->src_count && p->root[id] != id; i++) {
            const NodeId root = p->root[n->src[i]];
            if (root && !may_read(p, id, i)) p->refused[root] = true, p->root[id] = 0;
        }
    }
    for (int i = 0; i < g->outputs.count; i++) {
        const NodeId id = g->outputs.at[i].node;
        if (!p->result[id]) p->refused[p->root[id]] = true;
    }
}

/* ---- is it worth it? ----------------------------------------------------------------------- */

/* Bytes of the values as large as a part that more than one of them is computed from, each counted
 * for each part but one. */
static double bytes_saved(const Graph *g, const Parts *parts) {
    uint32_t *readers = arena_array(g->arena, uint32_t, g->count);
    double saved = 0;
    for (int i = 0; i < parts->count; i++) readers[parts->at[i]] |= 1u << i;
    for (NodeId id = g->count - 1; id > 0; id--) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        const bool is_computed = n->op != OP_INPUT && (class == MAP || class == VIEW);
        for (int i = 0; i < n->src_count && is_computed; i++) readers[n->src[i]] |= readers[id];
        if (!readers[id] || is_computed || node_elements(g, id) != node_elements(g, parts->at[0]))
            continue;
        for (uint32_t more = readers[id] & (readers[id] - 1); more; more &= more - 1)
            saved += (double)cost_bytes(g, id);
    }
    return saved;
}

static bool consumes(const Graph *g) {
    bool any = false;
    for (int i = 0; i < g->inputs.count && g->attrs.consumed; i++) any |= g->attrs.consumed[i];
    return any;
}

static bool pays(const Pass *p, NodeId root) {
    const double bytes = bytes_saved(p->from, p->whole[root]) - p->copied[root];
    return bytes / machine_bandwidth(p->machine) > 1e-9 * MORE_LAUNCHES * p->machine->launch;
}

/* ---- parts --------------------------------------------------------------------------------- */

/* The parts as one value again: narrow types are added as f32. */
static NodeId joined(Graph *g, const Parts *p, const Node *like) {
    const Dtype type = dtype_size(like->type) < 4 ? T_F32 : like->type;
    const NodeId zero = graph_const(g, type, 0, like->span);
    NodeId sum = 0;
    for (int i = 0; i < p->count; i++) {
        Dim before[RANK_MAX];
        for (int a = 0; a < like->rank; a++) before[a] = dim_const(g->dims, 0);
        before[p->axis] = p->start[i];
        const NodeId x = graph_cast(g, p->at[i], type, like->span);
        const NodeId padded = graph_pad(g, x, before, like->shape, zero, like->span);
        sum = i ? graph_op(g, OP_ADD, sum, padded, 0, like->span) : padded;
    }
    return graph_cast(g, sum, like->type, like->span);
}

/* The product of part i with the other operand, or with a part of that. */
static NodeId product(const Pass *p, const Node *dot, int side, const Parts *parts, int i) {
    const Graph *g = p->from;
    const Node *x = &g->node[dot->src[side]], *y = &g->node[dot->src[1 - side]];
    const int k = parts->axis - (x->rank - dot->attr[1]);
    Dim start[RANK_MAX], extent[RANK_MAX];
    NodeId src[2];
    src[side] = parts->at[i], src[1 - side] = p->id[dot->src[1 - side]];
    for (int a = 0; a < y->rank; a++) start[a] = dim_const(g->dims, 0), extent[a] = y->shape[a];
    if (k >= 0) {
        start[y->rank - dot->attr[1] + k] = parts->start[i];
        extent[y->rank - dot->attr[1] + k] = parts->extent[i];
        src[1 - side] = graph_slice(p->to, src[1 - side], start, extent, dot->span);
    }
    return graph_dot(p->to, src[0], src[1], dot->attr[0], dot->attr[1], dot->span);
}

static NodeId part_of(const Pass *p, const Node *n, int source, const Parts *parts, int i) {
    switch (n->op) {
    case OP_CAST: return graph_cast(p->to, parts->at[i], n->type, n->span);
    case OP_PERMUTE: return graph_permute(p->to, parts->at[i], n->attr, n->span);
    case OP_SUM: return graph_reduce(p->to, OP_SUM, parts->at[i], (uint32_t)n->attr[0], n->span);
    default: return product(p, n, source, parts, i);
    }
}

/* The node, whose source is in parts. */
static NodeId divided(Pass *p, NodeId old, int source) {
    const Node *n = &p->from->node[old];
    const Parts *from = p->parts[n->src[source]];
    Parts *made = arena_array(p->from->arena, Parts, 1);
    *made = *from;
    made->axis = p->axis[old];
    for (int i = 0; i < from->count; i++) made->at[i] = part_of(p, n, source, from, i);
    if (n->op == OP_DOT && !p->root[old]) {
        NodeId sum = made->at[0];
        for (int i = 1; i < made->count; i++)
            sum = graph_op(p->to, OP_ADD, sum, made->at[i], 0, n->span);
        return sum;
    }
    p->parts[old] = made;
    return joined(p->to, made, n);
}

/* ---- the pass ------------------------------------------------------------------------------ */

static NodeId joined_rule(Graph *to, const Graph *from, NodeId old, const Node *draft,
                          void *context) {
    Pass *p = context;
    const Node *n = &from->node[old];
    p->to = to;
    for (int i = 0; i < n->src_count; i++) p->id[n->src[i]] = draft->src[i];
    if (p->whole[old] && !p->refused[old]) {
        Parts *parts = p->parts[old] = p->whole[old];
        for (int i = 0; i < parts->count; i++) parts->at[i] = p->id[parts->at[i]];
        return graph_add(to, draft);
    }
    for (int i = 0; i < n->src_count; i++) {
        const NodeId x = n->src[i];
        if (p->parts[x] && (!p->result[x] || n->op == OP_CAST)) return divided(p, old, i);
    }
    return graph_add(to, draft);
}

const Graph *split_joined(const Graph *g, const Machine *machine) {
    Pass p = {.from = g, .machine = machine};
    bool any = false;
    if (g->attrs.max_kernels || (machine_is_gpu(machine) && !consumes(g))) return g;
    p.whole = arena_array(g->arena, Parts *, g->count);
    p.root = arena_array(g->arena, NodeId, g->count);
    p.axis = arena_array(g->arena, int, g->count);
    p.result = arena_array(g->arena, bool, g->count);
    p.refused = arena_array(g->arena, bool, g->count);
    p.copied = arena_array(g->arena, double, g->count);
    p.id = arena_array(g->arena, NodeId, g->count);
    p.parts = arena_array(g->arena, Parts *, g->count);
    find_readers(&p);
    for (NodeId id = 1; id < g->count; id++) {
        if (p.whole[id] && !p.refused[id]) p.refused[id] = !pays(&p, id);
        any |= p.whole[id] && !p.refused[id];
    }
    return any ? graph_rewrite(g, joined_rule, &p) : g;
}
