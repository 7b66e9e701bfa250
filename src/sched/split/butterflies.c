/* butterflies.c: concatenations of concatenations, as the steps of an FFT or a Hadamard transform.
 * In: a graph. Out: which nodes are steps. */
#include "sched/split/scalars.h"

enum { LONGEST = 64 }; /* axis of a butterfly */

/* The axis along which two values are joined, or the first one and the rest; -1: it is no join. */
static int join_of_two(const Graph *g, const Node *n) {
    if (n->op != OP_WHERE || g->node[n->src[1]].op != OP_PAD) return -1;
    const Op rest = g->node[n->src[2]].op;
    const Node *part = &g->node[g->node[n->src[1]].src[0]];
    if (rest != OP_PAD && rest != OP_WHERE) return -1;
    for (int i = 0; i < n->rank; i++)
        if (part->shape[i] != n->shape[i]) return i;
    return -1;
}

/* Is it a concatenation of equal parts along a short axis? */
static bool joins_equals(const Graph *g, const Node *n) {
    const int axis = join_of_two(g, n);
    int64_t size, first;
    if (axis < 0 || !dim_is_const(g->dims, n->shape[axis], &size) || size > LONGEST) return false;
    const Node *part = &g->node[g->node[n->src[1]].src[0]], *rest = &g->node[n->src[2]];
    if (!dim_is_const(g->dims, part->shape[axis], &first) || size % first) return false;
    return rest->op == OP_WHERE || g->node[rest->src[0]].shape[axis] == part->shape[axis];
}

/* A step more than each part, if the rest is not counted in itself. */
static int steps_of_parts(const Graph *g, const Node *n, const int *steps) {
    const int first = steps[n->src[1]] + 1;
    const int rest = steps[n->src[2]] + (g->node[n->src[2]].op == OP_PAD);
    return first < rest ? first : rest;
}

const int *scalars_steps(const Graph *g) {
    int *steps = arena_array(g->arena, int, g->count);
    for (NodeId id = 1; id < g->count; id++) {
        const Node *n = &g->node[id];
        const OpClass class = op_info[n->op].class;
        if (class != MAP && class != VIEW) continue;
        for (int i = 0; i < n->src_count; i++)
            if (steps[id] < steps[n->src[i]]) steps[id] = steps[n->src[i]];
        const int joined = joins_equals(g, n) ? steps_of_parts(g, n, steps) : 0;
        if (steps[id] < joined) steps[id] = joined;
    }
    return steps;
}

bool scalars_is_butterfly(const Scalars *s, NodeId id) {
    enum { STEPS = 3 };
    return s->steps[id] >= STEPS && joins_equals(s->from, &s->from->node[id]);
}
