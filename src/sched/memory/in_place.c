/* in_place.c: may a kernel write a temp over a buffer that it reads? It may if it is pointwise,
 * also with sums of columns in parts, or a contraction with a pointwise epilogue, and reads each
 * element only to compute those at the same place: then the thread that stores an element is the
 * only one that reads it, and does so before. In: a plan with buffers. Out: yes or no. */
#include "sched/memory/memory.h"

typedef struct Paths {
    const Plan *p;
    int group, old; /* kernel; the buffer that it reads */
    Dim elements;
    int *seen, query; /* by node: 2 * query, + 1 if it depends on the buffer */
    bool only_same;   /* so far, every value that depends on the buffer is at the same place */
} Paths;

static bool stays(const Paths *s, NodeId id) {
    const Op op = s->p->g->node[id].op;
    return (op_info[op].class == MAP || op == OP_RESHAPE) &&
           node_elements(s->p->g, id) == s->elements;
}

/* Is it read from memory, where another kernel computes it? Else what is below it is, though it may
 * be an output, too. */
static bool is_read(const Plan *p, NodeId id) {
    return p->g->node[id].op == OP_INPUT || p->kept[id] ||
           (source_of(p, id) == id && plan_is_work(p, id));
}

/* A pointwise kernel that moves elements of another buffer may go through tiles, beyond whose ends
 * it reads what others store. */
static bool is_moved(const Paths *s, const Node *n) {
    const bool is_pointwise = s->p->groups.at[s->group].family == F_POINTWISE;
    return is_pointwise && op_info[n->op].class == VIEW && n->op != OP_RESHAPE &&
           n->op != OP_BROADCAST;
}

/* Does the value depend on the buffer, within the kernel? */
static bool depends(Paths *s, NodeId id) {
    const Plan *p = s->p;
    const Node *n = &p->g->node[id];
    if (is_read(p, id) && p->group_of[id] != s->group) return p->buffer_of[id] == s->old;
    if (s->seen[id] / 2 == s->query) return s->seen[id] % 2;
    bool any = false;
    for (int i = 0; i < n->src_count; i++) any |= depends(s, n->src[i]);
    const bool is_added = n->op == OP_PARTIAL_SUM; /* at the place where it is read */
    if (any ? !stays(s, id) && !is_added : is_moved(s, n)) s->only_same = false;
    s->seen[id] = 2 * s->query + any;
    return any;
}

/* Sums of rows, and of parts of a product's rows, read in an order of their own. */
static bool has_plain_classes(const Plan *p, const Group *k) {
    const NodeVec *nodes = &k->nests.at[0].nodes;
    bool in_order = true, adds = false;
    for (int i = 0; i < nodes->count; i++) {
        const OpClass class = op_info[p->g->node[nodes->at[i]].op].class;
        in_order &=
            class == MAP || class == VIEW || class == LEAF || class == DOT || class == PARTIAL;
        adds |= class == PARTIAL;
    }
    return in_order && (adds ? k->family == F_ROW : k->family == F_POINTWISE || k->family == F_DOT);
}

/* A single element is read by all threads, and one of them could have written it. */
static bool same_places(const Plan *p, int old, int made) {
    const Buffer *a = &p->buffers.at[old], *b = &p->buffers.at[made];
    return a->elements && a->elements == b->elements &&
           dtype_size(a->type) == dtype_size(b->type) && !dim_is(p->g->dims, a->elements, 1);
}

/* A contraction overwrites only what the program gives away: the loads of its epilogue then wait
 * for stores, and it shares no function with contractions whose results are not temps. */
static bool is_given(const Plan *p, const Group *k, int old) {
    const Buffer *b = &p->buffers.at[old];
    return k->family == F_DOT && (b->consumed || b->input >= 0);
}

bool may_overwrite(const Plan *p, int group, int old, int made, InPlace *in) {
    const Group *k = &p->groups.at[group];
    const LoopNest *nest = &k->nests.at[0];
    Paths s = {p, group, old, p->buffers.at[old].elements, in->seen, ++in->queries, true};
    if (k->nests.count != 1 || (k->family == F_DOT && !is_given(p, k, old))) return false;
    if (!same_places(p, old, made) || !has_plain_classes(p, k)) return false;
    bool found = false;
    for (int i = 0; i < nest->stored.count; i++) found |= depends(&s, nest->stored.at[i]);
    return found && s.only_same;
}
