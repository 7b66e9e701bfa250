/* partial.c: seeds for partial results, which are clusters before anything else is fused. Of chunks
 * of a product's rows: the nodes between a contraction and the reductions; otherwise the kernel
 * that combines the partial results could take some of them, which then no kernel before it could
 * compute. Of sums of columns: what is computed for them alone; otherwise an epilogue could take
 * it. In: clusters of one node. */
#include "sched/fuse/fuse_private.h"

enum { DEPTH_MAX = 64 }; /* operations from a value to a reduction of its rows */

/* Does the right operand have axes before its last one? */
static bool has_chunks(const Graph *g, NodeId id) {
    const Node *n = &g->node[id];
    return n->op == OP_DOT && g->node[n->src[0]].rank - n->attr[1] + 1 < n->rank;
}

/* Does the node reduce the last axis of a value with the contraction's shape? */
static bool reduces_chunks(const Graph *g, NodeId id, const Node *dot) {
    const Node *n = &g->node[id], *x = &g->node[n->src[0]];
    return op_info[n->op].class == REDUCE && n->attr[0] == 1 << (dot->rank - 1) &&
           shape_equal(x->rank, x->shape, dot->rank, dot->shape);
}

/* Nodes computed from the contraction, up to the last such reductions. */
static const bool *find_between(const Graph *g, NodeId dot) {
    bool *below = arena_array(g->arena, bool, g->count);
    bool *above = arena_array(g->arena, bool, g->count), any = false;
    below[dot] = true;
    for (NodeId id = dot + 1; id < g->count; id++) {
        for (int i = 0; i < g->node[id].src_count; i++) below[id] |= below[g->node[id].src[i]];
        above[id] = below[id] && reduces_chunks(g, id, &g->node[dot]);
        any |= above[id];
    }
    if (!any) return NULL;
    for (NodeId id = g->count - 1; id > dot; id--)
        for (int i = 0; above[id] && i < g->node[id].src_count; i++)
            above[g->node[id].src[i]] |= below[g->node[id].src[i]];
    above[dot] = false;
    return above;
}

/* Takes what only the cluster of the sum reads. */
static void take_sources(Clusters *c, NodeId sum) {
    bool again = true;
    while (again) {
        const int into = c->of[sum];
        const NodeVec ins = c->at[into].ins;
        again = false;
        for (int i = 0; i < ins.count && !again; i++) {
            const int from = c->of[ins.at[i]];
            Space space;
            if (from < 0 || c->at[from].family != F_POINTWISE || is_stored(c, ins.at[i], into, -1))
                continue;
            again = may_fuse(c, from, into, &space) == FUSED;
            if (again) clusters_merge(c, from, into, &space);
        }
    }
}

static bool is_in(const NodeVec *v, NodeId id) {
    for (int i = 0; i < v->count; i++)
        if (v->at[i] == id) return true;
    return false;
}

/* Adds to `between` what lies between a value that the cluster `partial` reads and the node, which
 * is above the reduction; whether there is such a value. */
static bool find_rows(Clusters *c, int partial, NodeId id, int depth, NodeVec *between) {
    bool found = false;
    if (depth == DEPTH_MAX) return false;
    for (int i = 0; i < c->at[c->of[id]].ins.count; i++) {
        const NodeId from = c->at[c->of[id]].ins.at[i];
        const int k = c->of[from];
        if (is_in(&c->at[partial].ins, from)) found = true;
        if (c->listed[from] == c->stamp || k < 0 || c->at[k].family != F_POINTWISE) continue;
        c->listed[from] = c->stamp;
        if (space_equal(&c->at[k].space, &c->at[partial].space) &&
            find_rows(c, partial, from, depth + 1, between))
            found = true;
    }
    if (found) vec_push(c->arena, between, id);
    return found;
}

/* A reduction of rows that the sum's cluster reads, too, and the sum become one cluster. */
static bool join_rows(Clusters *c, NodeId sum, NodeId reduction) {
    const int partial = c->of[sum];
    NodeVec between = {0};
    Space space;
    c->stamp++;
    if (op_info[c->g->node[reduction].op].class != REDUCE || c->of[reduction] == partial ||
        !space_equal(&c->at[partial].space, &c->at[c->of[reduction]].space) ||
        c->at[partial].space.reduced != c->at[c->of[reduction]].space.reduced ||
        !find_rows(c, partial, reduction, 0, &between))
        return false;
    for (int i = between.count - 1; i >= 0; i--) {
        const int from = c->of[between.at[i]], into = c->of[reduction];
        if (from == into) continue;
        if (may_fuse(c, from, into, &space) != FUSED) return false;
        clusters_merge(c, from, into, &space);
    }
    if (may_join(c, c->of[sum], c->of[reduction], &space) != FUSED) return false;
    clusters_merge(c, c->of[sum], c->of[reduction], &space);
    return true;
}

static void fuse_column_sum(Clusters *c, NodeId sum) {
    take_sources(c, sum);
    for (NodeId id = 1; id < c->g->count; id++)
        if (c->of[id] >= 0 && join_rows(c, sum, id)) return;
}

void fuse_partials(Clusters *c) {
    for (NodeId id = 1; id < c->g->count; id++)
        if (op_info[c->g->node[id].op].class == PARTIAL) fuse_column_sum(c, id);
    for (NodeId dot = 1; dot < c->g->count; dot++) {
        if (!has_chunks(c->g, dot)) continue;
        const bool *between = find_between(c->g, dot);
        int into = -1;
        for (NodeId id = dot + 1; between && id < c->g->count; id++) {
            Space space;
            if (!between[id] || c->of[id] < 0 || c->inner[id] || c->of[id] == into ||
                c->at[c->of[id]].dots)
                continue;
            if (into < 0)
                into = c->of[id];
            else if (may_fuse(c, into, c->of[id], &space) == FUSED)
                into = clusters_merge(c, into, c->of[id], &space);
        }
    }
}
