/* aligned.c: is each value of a fused kernel that depends on a reduction or a contraction read
 * where the kernel has it? Elements are read at their own place; those of a row also at other
 * columns of it, where the row is in the kernel as a whole; results of scatters only once.
 * In: clusters, space of the fused kernel. Out: a reason; columns of a contraction's rows. */
#include "sched/fuse/fuse_private.h"

/* ---- other columns of a row ------------------------------------------------------------------ */

/* The number of axes of rows, which come before those of columns; 0: they do not, or a row is all
 * there is. */
static int row_axes(const Space *space) {
    const uint32_t all = (1u << space->rank) - 1, rows = all & ~space->reduced;
    int count = 0;
    while (rows >> count & 1) count++;
    return space->reduced && rows == (1u << count) - 1 ? count : 0;
}

/* Are the first axes of a node, without those of size 1, the rows of the space? axis: which they
 * are. */
static bool has_rows(const Graph *g, const Node *n, const Space *space, int rows, int *axis) {
    int count = 0;
    for (int i = 0; i < n->rank && count < rows; i++) {
        if (dim_is(g->dims, n->shape[i], 1)) continue;
        if (n->shape[i] != space->dim[count]) return false;
        axis[count++] = i;
    }
    return count == rows;
}

/* Does each row of a view consist of elements of the same row of its source? */
static bool keeps_rows(const Graph *g, const Node *view, const Space *space, int rows) {
    int to[RANK_MAX], from[RANK_MAX];
    if (!has_rows(g, view, space, rows, to) ||
        !has_rows(g, &g->node[view->src[0]], space, rows, from))
        return false;
    for (int i = 0; i < rows; i++) {
        const int axis = to[i];
        switch (view->op) {
        case OP_CAST:
        case OP_RESHAPE: break;
        case OP_PERMUTE:
            if (view->attr[axis] != from[i]) return false;
            break;
        case OP_SLICE:
        case OP_PAD:
            if (axis != from[i] || !dim_is(g->dims, view->attr[axis], 0)) return false;
            break;
        case OP_FLIP:
            if (axis != from[i] || view->attr[0] >> axis & 1) return false;
            break;
        default:
            if (axis != from[i]) return false;
        }
    }
    return true;
}

/* Does a reader get source number s, below its views, from the row that it is in itself? */
static bool reads_in_row(const Graph *g, NodeId reader, int s, NodeId source, const Space *space) {
    const int rows = row_axes(space);
    const OpClass class = op_info[g->node[reader].op].class;
    int axis[RANK_MAX];
    if (!rows || (class != MAP && class != VIEW)) return false;
    if (!has_rows(g, &g->node[reader], space, rows, axis)) return false;
    NodeId id = is_transparent(g, reader) ? reader : g->node[reader].src[s];
    for (; id != source; id = g->node[id].src[0])
        if (!keeps_rows(g, &g->node[id], space, rows)) return false;
    return has_rows(g, &g->node[source], space, rows, axis);
}

/* ---- all values of a kernel ------------------------------------------------------------------ */

/* Values that depend on a reduction or a contraction. Those of a group and of a scan are
 * where the loop is. */
typedef enum Taint { TAINT_NONE, TAINT_ROW, TAINT_GROUP, TAINT_SCAN } Taint;

static bool is_of_groups(const Clusters *c, NodeId id, const Space *space) {
    const Node *n = &c->g->node[id];
    return space->groups && op_info[n->op].class == REDUCE &&
           reduced_axes(c->g, n) == space->groups;
}

/* The axes that a node's values run along; those of a reduction are of its result. */
static uint32_t axes_of(const Clusters *c, NodeId id, const Space *space, bool of_source) {
    const uint32_t all = (1u << space->rank) - 1;
    const OpClass class = op_info[c->g->node[id].op].class;
    if (is_of_groups(c, id, space)) return all & ~space->groups;
    if (class == REDUCE) return all & ~space->reduced;
    if (class == PARTIAL && !of_source) return all;
    return plan_alignment(c->g, id, space);
}

int node_find(const NodeId *node, int count, NodeId id) {
    int lo = 0, hi = count;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (node[mid] < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < count && node[lo] == id ? lo : -1;
}

static bool is_in_place(const Clusters *c, NodeId reader, int s, NodeId source,
                        const Space *space) {
    const uint32_t m = axes_of(c, reader, space, false), want = axes_of(c, source, space, true);
    return op_info[c->g->node[reader].op].class != DOT && m != MISALIGNED && want != MISALIGNED &&
           align_source(c->g, reader, s, m, space) == want;
}

/* Is it a view of a node before it, without the end of an axis, that their kernel stores? */
static bool is_cut(const Clusters *c, const NodeId *node, int at) {
    return is_cut_view(c->g, node[at]) && stores_cut_views(c->plan, node, at) &&
           node_find(node, at, base_of(c->g, node[at])) >= 0;
}

/* Nodes ascending. in_row: elements of a row may be read at other columns. */
static Reason check_aligned(const Clusters *c, const NodeId *node, int count, const Space *space,
                            bool in_row) {
    Taint *taint = arena_array(c->arena, Taint, count);
    for (int i = 0; i < count; i++) {
        const Node *n = &c->g->node[node[i]];
        const OpClass class = op_info[n->op].class;
        if (class == REDUCE || class == DOT || c->inner[node[i]]) taint[i] = TAINT_ROW;
        if (is_of_groups(c, node[i], space)) taint[i] = TAINT_GROUP;
        if (class == SCAN) taint[i] = TAINT_SCAN;
        /* inner ones were aligned when they were found */
        const int sources = c->inner[node[i]] ? 0 : source_count(c->g, node[i]);
        for (int s = 0; s < sources; s++) {
            const NodeId w = source_of(c->plan, n->src[s]);
            if ((class == DOT || class == REDUCE) && c->inner[w]) continue;
            const int at = node_find(node, i, w);
            if (at >= 0 && dot_is_across(&c->g->node[w])) return NO_ACROSS;
            if (class == VIEW && (is_rearranged(c->g, node[i]) || is_cut(c, node, i)))
                continue; /* a store */
            if (at < 0) continue;
            if (!taint[at]) continue;
            if (!is_in_place(c, node[i], s, w, space) &&
                (!in_row || taint[at] > TAINT_ROW || !reads_in_row(c->g, node[i], s, w, space)))
                return NO_ALIGNED;
            if (taint[at] > taint[i]) taint[i] = taint[at];
        }
    }
    return FUSED;
}

/* The rows that a contraction's tiles must have whole: the shortest that its result is read in. */
static Reason choose_columns(const Clusters *c, int a, int b, const NodeId *node, int count,
                             Space *space) {
    Reason r = NO_ALIGNED;
    Space rows = *space;
    const uint32_t all = (1u << space->rank) - 1;
    for (int first = space->rank - 1; first > 0 && r == NO_ALIGNED; first--) {
        rows.reduced = all & ~((1u << first) - 1);
        if (check_aligned(c, node, count, &rows, true) != FUSED) continue;
        r = join_columns(c, a, b, &rows);
        if (r == FUSED) space->reduced = rows.reduced;
    }
    return r;
}

/* ---- scatters -------------------------------------------------------------------------------- */

/* Does the reader take source number s, below its views, several times: by indices, in the loop
 * over a list, or repeated along an axis? */
static bool reads_often(const Graph *g, NodeId reader, int s, NodeId source) {
    const OpClass class = op_info[g->node[reader].op].class;
    if (class == GATHER || (class == COMBINE && s > 0)) return true;
    NodeId id = is_transparent(g, reader) ? reader : g->node[reader].src[s];
    for (; id != source; id = g->node[id].src[0])
        if (g->node[id].op == OP_BROADCAST) return true;
    return false;
}

/* Nodes ascending. An element of a scatter is a loop over a list: it is computed once. */
static Reason check_scatters(const Clusters *c, const NodeId *node, int count) {
    bool *is_loop = arena_array(c->arena, bool, count);
    for (int i = 0; i < count; i++) {
        is_loop[i] = op_info[c->g->node[node[i]].op].class == COMBINE;
        for (int s = 0; s < source_count(c->g, node[i]); s++) {
            const NodeId w = source_of(c->plan, c->g->node[node[i]].src[s]);
            const int at = node_find(node, i, w);
            if (at < 0 || !is_loop[at]) continue;
            if (reads_often(c->g, node[i], s, w)) return NO_RECOMPUTE;
            is_loop[i] = true;
        }
    }
    return FUSED;
}

Reason join_aligned(const Clusters *c, int a, int b, Space *space) {
    const Cluster *A = &c->at[a], *B = &c->at[b];
    const bool pointwise = A->family == F_POINTWISE && B->family == F_POINTWISE;
    int count;
    if (pointwise && !A->scatters && !B->scatters) return FUSED;
    const NodeId *all = clusters_nodes(c, a, b, &count);
    if (pointwise) return check_scatters(c, all, count);
    const bool in_row = A->family <= F_DOT && B->family <= F_DOT && !A->blocks && !B->blocks;
    const Reason r = check_aligned(c, all, count, space, in_row);
    const bool may_choose = in_row && A->dots + B->dots && !space->reduced;
    return r == NO_ALIGNED && may_choose ? choose_columns(c, a, b, all, count, space) : r;
}
