/* apart.c: which fusions would keep contractions of one left operand apart, which one kernel could
 * have side by side. That pays where they are small: on an H200 a gated recurrent unit of 64 x 1024
 * takes 14.5 us in two kernels and 28.5 in four, of 1024 x 1024 40 either way, of 4096 x 1024 140
 * and 105: tiles of three are narrow. In: an edge of the graph. Out: is there such a pair? */
#include "sched/fuse/fuse_private.h"

/* The contractions that a value is a pointwise function of; few of them, and few steps. */
typedef struct Products {
    NodeId dot[8];
    int count, left; /* steps that are left; < 0: there are too many */
} Products;

static bool has_product(const Products *p, NodeId id) {
    for (int i = 0; i < p->count; i++)
        if (p->dot[i] == id) return true;
    return false;
}

static void find_products(const Graph *g, NodeId id, Products *p) {
    enum { MOST = sizeof p->dot / sizeof *p->dot };
    const Node *n = &g->node[id];
    if (--p->left < 0) return;
    if (n->op == OP_DOT) {
        if (p->count < MOST && !has_product(p, id)) p->dot[p->count++] = id;
    } else if (op_info[n->op].class == MAP) {
        for (int i = 0; i < n->src_count; i++) find_products(g, n->src[i], p);
    }
}

/* Contractions of one left operand, that one kernel may have: is there another one, and one of
 * another left operand, among those of the other source? */
static bool have_sibling(const Graph *g, const Products *own, const Products *other) {
    const Node *first = &g->node[own->dot[0]];
    bool has_sibling = false, has_another = false;
    for (int i = 0; i < other->count; i++) {
        const bool same = g->node[other->dot[i]].src[0] == first->src[0];
        has_sibling |= same && !has_product(own, other->dot[i]);
        has_another |= !same;
    }
    return has_sibling && has_another;
}

/* Would multiprocessors be idle without other contractions beside it? */
static bool is_small(const Clusters *c, NodeId dot) {
    enum { TILE = 128 * 128 };
    const Node *n = &c->g->node[dot];
    int64_t size;
    for (int i = 0; i < n->rank; i++)
        if (!dim_is_const(c->g->dims, n->shape[i], &size)) return false;
    return 4 * cost_elements(c->g, dot) <= (double)TILE * c->plan->machine->processors;
}

bool keeps_siblings_apart(const Clusters *c, NodeId value, NodeId reader) {
    enum { STEPS = 64 };
    const Graph *g = c->g;
    const Node *n = &g->node[reader];
    Products own = {.left = STEPS}, other = {.left = STEPS};
    if (op_info[n->op].class != MAP || n->src_count < 2) return false;
    if (!machine_is_gpu(c->plan->machine)) return false;
    find_products(g, value, &own);
    for (int i = 0; i < n->src_count && own.count; i++)
        if (n->src[i] != value) find_products(g, n->src[i], &other);
    if (!own.count || own.left < 0 || other.left < 0 || !is_small(c, own.dot[0])) return false;
    for (int i = 1; i < own.count; i++)
        if (g->node[own.dot[i]].src[0] != g->node[own.dot[0]].src[0]) return false;
    return have_sibling(g, &own, &other);
}
