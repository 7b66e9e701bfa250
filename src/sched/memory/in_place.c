/* in_place.c: may a kernel write a temp, or an output, over a buffer that it reads? It may if it is
 * pointwise, also with sums of columns in parts, or a contraction with a pointwise epilogue, and
 * reads each element only to compute those at the same place: then the thread that stores an
 * element is the only one that reads it, and does so before. In: a plan with buffers. Out: yes or
 * no. */
#include "sched/memory/memory.h"

typedef struct Paths {
    const Plan *p;
    int group, old; /* kernel; the buffer that it reads */
    Dim elements;
    int *seen, query; /* by node: 2 * query, + 1 if it depends on the buffer */
    bool scatters;    /* is it the kernel of a scatter? */
    bool only_same;   /* so far, every value that depends on the buffer is at the same place */
} Paths;

static bool stays(const Paths *s, NodeId id) {
    const Op op = s->p->g->node[id].op;
    return (op_info[op].class == MAP || op == OP_RESHAPE || op == OP_COMBINE) &&
           node_elements(s->p->g, id) == s->elements;
}

/* Is it read from memory, where another kernel computes it? Else what is below it is, though it may
 * be an output, too. */
static bool is_read(const Plan *p, NodeId id) {
    return p->g->node[id].op == OP_INPUT || p->kept[id] ||
           (source_of(p, id) == id && plan_is_work(p, id));
}

/* A pointwise kernel in place does not go through tiles that turn elements of another buffer round:
 * beyond their ends it would read what others store (kernel_may_cross). Those are faster, but not
 * for a scatter, which reads at indices. */
static bool is_turned(const Paths *s, const Node *n) {
    const bool is_pointwise = s->p->groups.at[s->group].family == F_POINTWISE;
    return is_pointwise && !s->scatters && n->op == OP_PERMUTE;
}

/* Does the value depend on the buffer, within the kernel? */
static bool depends(Paths *s, NodeId id) {
    const Plan *p = s->p;
    const Node *n = &p->g->node[id];
    if (is_read(p, id) && p->group_of[id] != s->group) return p->buffer_of[id] == s->old;
    if (s->seen[id] / 2 == s->query) return s->seen[id] % 2;
    bool any = false;
    for (int i = 0; i < n->src_count; i++) {
        const bool by_source = depends(s, n->src[i]);
        any |= by_source;
        /* elements that a scatter adds are read at other places than its base */
        if (by_source && n->op == OP_COMBINE && i > 0) s->only_same = false;
    }
    const bool is_added = n->op == OP_PARTIAL_SUM; /* at the place where it is read */
    if (any ? !stays(s, id) && !is_added : is_turned(s, n)) s->only_same = false;
    s->seen[id] = 2 * s->query + any;
    return any;
}

/* Sums of rows, and of parts of a product's rows, read in an order of their own. */
static bool has_plain_classes(const Plan *p, const Group *k, const LoopNest *nest) {
    const NodeVec *nodes = &nest->nodes;
    bool in_order = true, adds = false;
    for (int i = 0; i < nodes->count; i++) {
        const OpClass class = op_info[p->g->node[nodes->at[i]].op].class;
        in_order &= class == MAP || class == VIEW || class == LEAF || class == DOT ||
                    class == PARTIAL || class == COMBINE;
        adds |= class == PARTIAL;
    }
    return in_order && (adds ? k->family == F_ROW : k->family == F_POINTWISE || k->family == F_DOT);
}

static bool scatters(const Plan *p, const LoopNest *nest) {
    bool any = false;
    for (int i = 0; i < nest->nodes.count; i++)
        any |= p->g->node[nest->nodes.at[i]].op == OP_COMBINE;
    return any;
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

static bool stores(const Plan *p, const LoopNest *nest, int buffer) {
    bool any = false;
    for (int i = 0; i < nest->stored.count; i++)
        any |= nest->stored.at[i] == p->buffers.at[buffer].node;
    return any;
}

/* Blocks of other loop nests run at the same time: only that which stores the one reads the other.
 */
bool may_overwrite(const Plan *p, int group, int old, int made, InPlace *in) {
    const Group *k = &p->groups.at[group];
    Paths s = {.p = p,
               .group = group,
               .old = old,
               .elements = p->buffers.at[old].elements,
               .seen = in->seen,
               .query = ++in->queries,
               .only_same = true};
    bool found = false;
    if (!same_places(p, old, made) || (k->family == F_DOT && !is_given(p, k, old))) return false;
    for (int i = 0; i < k->nests.count && s.only_same; i++) {
        const LoopNest *nest = &k->nests.at[i];
        const bool is_own = stores(p, nest, made);
        bool any = false;
        s.scatters = scatters(p, nest);
        for (int j = 0; j < nest->stored.count; j++) any |= depends(&s, nest->stored.at[j]);
        s.only_same &= !any || (is_own && has_plain_classes(p, k, nest));
        found |= any;
    }
    return found && s.only_same;
}
