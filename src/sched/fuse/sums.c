/* sums.c: contractions that are added: x w + t b, each with its own operands and depth. One kernel
 * accumulates all of them in the same registers, one contraction after the other. Several sums
 * whose contractions have the same left operands are side by side in one kernel.
 * In: clusters. Out: the sums. */
#include "sched/fuse/fuse_private.h"

#include <stdlib.h>

/* One type, one shape, one kind of unit: the kernel multiplies all of them in the same way. */
static bool is_alike(const Graph *g, NodeId x, NodeId y) {
    const Node *a = &g->node[x], *b = &g->node[y];
    return a->type == b->type && a->attr[0] == b->attr[0] &&
           shape_equal(a->rank, a->shape, b->rank, b->shape) &&
           g->node[a->src[0]].rank - a->attr[1] == g->node[b->src[0]].rank - b->attr[1] &&
           cost_product_weight(g, x) == cost_product_weight(g, y);
}

static int position(const NodeId *nodes, int count, NodeId id) {
    for (int i = 0; i < count; i++)
        if (nodes[i] == id) return i;
    return -1;
}

/* A value that another node reads cannot be a part of a larger sum. */
static bool has_one_reader(const Clusters *c, NodeId id) {
    return !c->output[id] && c->reader_at[id + 1] - c->reader_at[id] == 1;
}

/* On a CPU a contraction with few rows or columns reads the larger operand where it is: one after
 * the other, as functions of their own, they take the time of memory. */
static bool is_by_memory(const Clusters *c, NodeId dot) {
    enum { FEW = 8 };
    const Node *n = &c->g->node[dot];
    const int left = c->g->node[n->src[0]].rank - n->attr[1];
    if (machine_is_gpu(c->plan->machine)) return false;
    for (int side = 0; side < 2; side++) {
        int64_t size, count = 1;
        bool known = true;
        for (int i = side ? left : n->attr[0]; i < (side ? n->rank : left) && known; i++) {
            known = dim_is_const(c->g->dims, n->shape[i], &size);
            if (known) count *= size;
        }
        if (known && count <= FEW) return true;
    }
    return false;
}

/* ---- the sums of some nodes ------------------------------------------------------------------ */

/* Contractions are all alike, and do not share one left operand: then they are better side by
 * side. */
static bool may_be_added(const Clusters *c, const NodeVec *nodes) {
    const Graph *g = c->g;
    NodeId first = 0;
    bool same_left = true;
    for (int i = 0; i < nodes->count; i++) {
        const Node *n = &g->node[nodes->at[i]];
        if (n->op != OP_DOT) continue;
        if (!first) first = nodes->at[i];
        if (!is_alike(g, first, nodes->at[i]) || is_by_memory(c, first)) return false;
        same_left = same_left && n->src[0] == g->node[first].src[0];
    }
    return !same_left;
}

/* A contraction or a sum of them: its number among the sums, -1: none; contractions below it. */
typedef struct Part {
    int sum, terms;
} Part;

/* Parts of trees of additions, each read only by the next. */
static Part *find_parts(const Clusters *c, const NodeVec *nodes) {
    Part *part = arena_array(c->arena, Part, nodes->count);
    for (int i = 0; i < nodes->count; i++) {
        const Node *n = &c->g->node[nodes->at[i]];
        part[i].terms = n->op == OP_DOT;
        if (n->op != OP_ADD || n->src[0] == n->src[1]) continue;
        const int a = position(nodes->at, i, n->src[0]), b = position(nodes->at, i, n->src[1]);
        if (a >= 0 && b >= 0 && part[a].terms && part[b].terms && has_one_reader(c, n->src[0]) &&
            has_one_reader(c, n->src[1]))
            part[i].terms = part[a].terms + part[b].terms;
    }
    return part;
}

/* Gives each tree of additions its number, from its root down: false if there are too many. */
static bool number_sums(const Clusters *c, const NodeVec *nodes, Part *part, DotSums *sums) {
    for (int i = 0; i < nodes->count; i++) part[i].sum = -1;
    for (int i = nodes->count - 1; i >= 0; i--) {
        const Node *n = &c->g->node[nodes->at[i]];
        if (!part[i].terms) continue;
        if (part[i].sum < 0) {
            if (sums->count == DOTS_MAX || part[i].terms > TERMS_MAX) return false;
            sums->sum[sums->count] = nodes->at[i];
            part[i].sum = sums->count++;
        }
        for (int s = 0; n->op == OP_ADD && s < 2; s++)
            part[position(nodes->at, i, n->src[s])].sum = part[i].sum;
    }
    return true;
}

/* Puts product `id` at the place of sum i where the first sum has one of the same left operand. */
static bool place_dot(const Graph *g, NodeId id, int i, DotSums *sums) {
    for (int j = 0; j < sums->terms; j++) {
        if (sums->dot[i][j]) continue;
        if (i && g->node[sums->dot[0][j]].src[0] != g->node[id].src[0]) continue;
        sums->dot[i][j] = id;
        return true;
    }
    return false;
}

static bool place_dots(const Clusters *c, const NodeVec *nodes, const Part *part, DotSums *sums) {
    int placed = 0;
    for (int sum = 0; sum < sums->count; sum++)
        for (int i = 0; i < nodes->count; i++) {
            if (c->g->node[nodes->at[i]].op != OP_DOT || part[i].sum != sum) continue;
            if (!place_dot(c->g, nodes->at[i], sum, sums)) return false;
            placed++;
        }
    return placed == sums->count * sums->terms;
}

/* The sums of all contractions among the nodes (in order), if nothing else reads these or a partial
 * sum, and if each sum has as many, with the same left operands; false: there are none, or one left
 * operand is that of all contractions. */
static bool dot_sums(const Clusters *c, const NodeVec *nodes, DotSums *sums) {
    *sums = (DotSums){0};
    if (!may_be_added(c, nodes)) return false;
    Part *part = find_parts(c, nodes);
    if (!number_sums(c, nodes, part, sums)) return false;
    sums->terms = part[position(nodes->at, nodes->count, sums->sum[0])].terms;
    return sums->terms > 1 && place_dots(c, nodes, part, sums);
}

static NodeVec nodes_of(const Clusters *c, int a, int b) {
    NodeVec all = {0};
    for (int k = 0; k < 2; k++) {
        const NodeVec *nodes = &c->at[k ? b : a].nodes;
        for (int i = 0; i < nodes->count && (!k || a != b); i++)
            vec_push(c->arena, &all, nodes->at[i]);
    }
    qsort(all.at, (size_t)all.count, sizeof *all.at, node_order);
    return all;
}

bool are_dot_sums(const Clusters *c, int a, int b) {
    DotSums sums;
    const int dots = a == b ? c->at[a].dots : c->at[a].dots + c->at[b].dots;
    if (dots < 2 || dots > DOTS_MAX * TERMS_MAX) return false;
    const NodeVec nodes = nodes_of(c, a, b);
    return dot_sums(c, &nodes, &sums);
}

int count_accumulators(const Clusters *c, int a, int b) {
    DotSums sums;
    const int dots = a == b ? c->at[a].dots : c->at[a].dots + c->at[b].dots;
    if (dots < 2) return dots;
    const NodeVec nodes = nodes_of(c, a, b);
    return dot_sums(c, &nodes, &sums) ? sums.count : dots;
}

DotSums nest_sums(const Clusters *c, const NodeVec *nodes) {
    DotSums sums;
    if (dot_sums(c, nodes, &sums)) return sums;
    sums = (DotSums){.terms = 1};
    for (int i = 0; i < nodes->count; i++) {
        if (c->g->node[nodes->at[i]].op != OP_DOT) continue;
        sums.sum[sums.count] = sums.dot[sums.count][0] = nodes->at[i];
        sums.count++;
    }
    return sums;
}

/* ---- sums that are side by side ------------------------------------------------------------- */

/* Contractions below a node and the additions above them, in order: false if it is no sum of some
 * that only the next addition reads. */
static bool take_tree(const Clusters *c, NodeId id, NodeVec *nodes) {
    const Node *n = &c->g->node[id];
    if (nodes->count >= 2 * TERMS_MAX || (n->op != OP_DOT && n->op != OP_ADD)) return false;
    if (c->of[id] < 0 || c->at[c->of[id]].nodes.count > 1) return false;
    for (int s = 0; n->op == OP_ADD && s < 2; s++)
        if (!has_one_reader(c, n->src[s]) || !take_tree(c, n->src[s], nodes)) return false;
    vec_push(c->arena, nodes, id);
    return true;
}

static void mark_additions(Clusters *c, const NodeVec *nodes) {
    for (int i = 0; i < nodes->count; i++)
        if (c->g->node[nodes->at[i]].op == OP_ADD) c->beside[nodes->at[i]] = true;
}

/* Is the sum of these nodes beside that of others? */
static bool are_beside(const Clusters *c, const NodeVec *a, const NodeVec *b) {
    NodeVec all = {0};
    DotSums sums;
    for (int i = 0; i < a->count; i++) vec_push(c->arena, &all, a->at[i]);
    for (int i = 0; i < b->count; i++) vec_push(c->arena, &all, b->at[i]);
    qsort(all.at, (size_t)all.count, sizeof *all.at, node_order);
    return dot_sums(c, &all, &sums) && sums.count == 2;
}

void find_sums_beside(Clusters *c) {
    NodeVec *last = arena_array(c->arena, NodeVec, c->g->count); /* sum with such a left operand */
    for (NodeId id = 1; id < c->g->count; id++) {
        NodeVec nodes = {0};
        if (c->g->node[id].op != OP_ADD || !take_tree(c, id, &nodes)) continue;
        NodeId left = 0;
        for (int i = 0; i < nodes.count; i++) {
            const Node *n = &c->g->node[nodes.at[i]];
            if (n->op == OP_DOT && n->src[0] > left) left = n->src[0];
        }
        NodeVec *other = &last[left];
        if (other->count && are_beside(c, &nodes, other)) {
            mark_additions(c, &nodes);
            mark_additions(c, other);
        }
        *other = nodes;
    }
}
