/* space.c: which nodes need a kernel, their iteration spaces, and alignment: whether an element of
 * a reader needs only the element of its source at the same place.
 * In: Graph. Out: answers. */
#include "sched/plan/plan.h"

int join_axis(const Node *n) { return n->op == OP_WHERE ? n->attr[1] - JOIN_AXIS : -1; }

static Space space_without(const Graph *g, NodeId id, int axis) {
    const Node *n = &g->node[id];
    Space s = {0};
    for (int i = 0; i < n->rank; i++)
        if (i != axis && !dim_is(g->dims, n->shape[i], 1)) s.dim[s.rank++] = n->shape[i];
    return s;
}

Space space_of(const Graph *g, NodeId id) { return space_without(g, id, -1); }

Space loops_of(const Graph *g, NodeId id) { return space_without(g, id, join_axis(&g->node[id])); }

bool space_equal(const Space *a, const Space *b) {
    return shape_equal(a->rank, a->dim, b->rank, b->dim);
}

static Space without_axes(const Space *s, uint32_t axes) {
    Space left = {0};
    for (int i = 0; i < s->rank; i++)
        if (!(axes >> i & 1)) left.dim[left.rank++] = s->dim[i];
    return left;
}

/* The space without its reduced axes. */
Space space_rows(const Space *s) { return without_axes(s, s->reduced); }

Space space_groups(const Space *s) { return without_axes(s, s->groups); }

uint32_t reduced_axes(const Graph *g, const Node *n) {
    const Node *x = &g->node[n->src[0]];
    uint32_t axes = op_info[n->op].class == SCAN ? 1u << n->attr[0] : (uint32_t)n->attr[0];
    if (op_info[n->op].class == PARTIAL) axes = ~axes;
    uint32_t mask = 0;
    for (int i = 0, k = 0; i < x->rank; i++) {
        if (dim_is(g->dims, x->shape[i], 1)) continue;
        if (axes >> i & 1) mask |= 1u << k;
        k++;
    }
    return mask;
}

enum { SCALAR_OPS = 24 }; /* scalars of more ops are computed once, by a kernel */

bool is_transparent(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    if (op_info[n->op].class == VIEW) return true;
    if (n->op != OP_CAST || n->weak) return false;
    Dtype from = g->node[n->src[0]].type;
    return from != T_BOOL && dtype_compute(from) == n->type;
}

bool is_work(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    switch (op_info[n->op].class) {
    case MAP:
        return !n->uniform && !(n->scalar && n->scalar <= SCALAR_OPS) && !is_transparent(g, id);
    case REDUCE:
    case PARTIAL:
    case SCAN:
    case DOT:
    case GATHER:
    case SEGMENTS:
    case COMBINE: return true;
    default: return false;
    }
}

bool plan_is_work(const Plan *plan, NodeId id) { return is_work(plan->g, id) && !plan->free[id]; }

NodeId storage_of(const Graph *g, NodeId id) {
    while (g->node[id].op == OP_RESHAPE) id = g->node[id].src[0];
    return id;
}

NodeId base_of(const Graph *g, NodeId id) {
    while (is_transparent(g, id)) id = g->node[id].src[0];
    return id;
}

NodeId source_of(const Plan *plan, NodeId id) {
    while (is_transparent(plan->g, id) && !plan->kept[id]) id = plan->g->node[id].src[0];
    return id;
}

bool is_rearranged(const Graph *g, NodeId id) {
    if (op_info[g->node[id].op].class != VIEW) return false;
    for (; op_info[g->node[id].op].class == VIEW; id = g->node[id].src[0])
        if (g->node[id].op != OP_PERMUTE && g->node[id].op != OP_RESHAPE) return false;
    return true;
}

static bool cuts_one_end(const Graph *g, const Node *slice) {
    const Node *from = &g->node[slice->src[0]];
    int cut = 0;
    for (int i = 0; i < slice->rank; i++) {
        if (!dim_is(g->dims, slice->attr[i], 0)) return false;
        cut += slice->shape[i] != from->shape[i];
    }
    return cut == 1;
}

bool is_cut_view(const Graph *g, NodeId id) {
    int cuts = 0;
    for (; op_info[g->node[id].op].class == VIEW; id = g->node[id].src[0]) {
        const Node *n = &g->node[id];
        if (n->op == OP_SLICE && cuts_one_end(g, n))
            cuts++;
        else if (n->op != OP_RESHAPE)
            return false;
    }
    return cuts == 1;
}

bool stores_cut_views(const Plan *plan, const NodeId *node, int count) {
    bool has_scan = false;
    for (int i = 0; i < count; i++) has_scan |= op_info[plan->g->node[node[i]].op].class == SCAN;
    return has_scan && machine_is_gpu(plan->machine);
}

/* ---- alignment ---------------------------------------------------------------------------- */

/* An alignment is a bit mask: the axes of a space that the axes of a node (those that are not 1)
 * run along, in order. MISALIGNED: the node is read at another place than the reader's. */

/* The axes that stay when v, aligned as m, was broadcast from its source. */
static uint32_t align_broadcast(const Graph *g, const Node *v, uint32_t m) {
    const Node *from = &g->node[v->src[0]];
    uint32_t kept = 0;
    for (int i = 0; i < v->rank; i++) {
        if (dim_is(g->dims, v->shape[i], 1)) continue;
        uint32_t bit = m & (~m + 1);
        m ^= bit;
        if (!dim_is(g->dims, from->shape[i], 1)) kept |= bit;
    }
    return kept;
}

static bool permutes_only_ones(const Graph *g, const Node *v) {
    int last = -1;
    for (int i = 0; i < v->rank; i++) {
        if (dim_is(g->dims, v->shape[i], 1)) continue;
        if (v->attr[i] < last) return false;
        last = v->attr[i];
    }
    return true;
}

static uint32_t align_view(const Graph *g, NodeId view, uint32_t m) {
    const Node *v = &g->node[view];
    Space to, from;
    switch (v->op) {
    case OP_BROADCAST: return align_broadcast(g, v, m);
    case OP_PERMUTE: return permutes_only_ones(g, v) ? m : MISALIGNED;
    case OP_RESHAPE:
        to = space_of(g, view);
        from = space_of(g, v->src[0]);
        return space_equal(&to, &from) ? m : MISALIGNED;
    default: return MISALIGNED; /* slice, pad */
    }
}

uint32_t align_source(const Graph *g, NodeId reader, int src, uint32_t m, const Space *space) {
    const Node *r = &g->node[reader];
    if (op_info[r->op].class == GATHER) return MISALIGNED;
    if (op_info[r->op].class == COMBINE && src > 0) return MISALIGNED;
    if (op_info[r->op].class == REDUCE) m |= space->reduced;
    NodeId id = is_transparent(g, reader) ? reader : r->src[src];
    for (; m != MISALIGNED && is_transparent(g, id); id = g->node[id].src[0])
        if (g->node[id].op != OP_CAST) m = align_view(g, id, m);
    return m;
}

uint32_t plan_alignment(const Graph *g, NodeId id, const Space *space) {
    uint32_t all = (1u << space->rank) - 1;
    Space own = loops_of(g, id), rows = space_rows(space), groups = space_groups(space);
    if (space_equal(&own, space)) return all;
    if (space_equal(&own, &groups)) return all & ~space->groups;
    return space_equal(&own, &rows) ? all & ~space->reduced : MISALIGNED;
}
